/** Ten thousand pods: all are played, and of their rows only those are in the page that are seen. How long that takes is measured in `measure.ts`. */
import { expect, test } from 'vitest';

import { PI, step, usePage } from './browser.ts';
import { dragged } from './drag.ts';

const { open } = usePage();

/** The most elements of a page: the rows of ten thousand pods would be more. */
const MOST = 3000;

test('a Job with ten thousand indexes is played and dragged over', { timeout: 120_000 }, async () => {
  const manifest = PI.replace('completions: 2', 'completions: 10000').replace('parallelism: 2', 'parallelism: 1000');
  const { page, errors } = await open({ session: { manifest, script: 'pods: succeed after 5s\n' } });
  await page.keyboard.press('End');
  await page.getByText('10000 rows').waitFor({ timeout: 60_000 });
  await expect.poll(() => page.locator('.job-line').innerText(), { timeout: 60_000 }).toContain('10000/10000 succeeded');
  await page.keyboard.press('Home');
  const frames = await dragged(page);
  expect(frames.length).toBe(120);
  await expect.poll(() => step(page)).toBeGreaterThan(0);
  expect(await page.locator('*').count()).toBeLessThan(MOST);
  expect(errors).toEqual([]);
});

/** Ten thousand pods: played to the end in time, and drawn without a frame being late. */
import { expect, test } from 'vitest';

import { PI, usePage } from './browser.ts';
import { dragged } from './drag.ts';

const { open } = usePage();

test('a Job with ten thousand indexes stays smooth', { timeout: 120_000 }, async () => {
  const manifest = PI.replace('completions: 2', 'completions: 10000').replace('parallelism: 2', 'parallelism: 1000');
  const started = performance.now();
  const { page, errors } = await open({ session: { manifest, script: 'pods: succeed after 5s\n' } });
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.querySelector('.gutter .lane')?.textContent === '10000 rows' || document.body.textContent?.includes('10000 rows'), undefined, { timeout: 60_000 });
  await expect.poll(() => page.locator('.job-line').innerText(), { timeout: 60_000 }).toContain('10000/10000 succeeded');
  const took = performance.now() - started;
  const frames = await dragged(page);
  console.info(`10,000 indexes: ${(took / 1000).toFixed(1)} s to the end; dragging: longest frame ${Math.max(...frames).toFixed(0)} ms`);
  expect(frames.length).toBe(120);
  expect(Math.max(...frames)).toBeLessThan(100);
  expect(errors).toEqual([]);
});

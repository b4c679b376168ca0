/** A month of runs: the way from run to run, the calendar, the concurrency policies, and what is deleted when. */
import { expect, test } from 'vitest';

import { cronJob, step, usePage, why } from './browser.ts';

const { open } = usePage();
const script = 'pods: succeed after 20s\n';

test('Shift+N goes back to the run before', async () => {
  const { page, errors } = await open({ session: { manifest: cronJob(), script } });
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+N');
  await expect.poll(() => why(page)).toContain('for the run of 10:00');
  await page.getByRole('button', { name: 'Previous run' }).click();
  await expect.poll(() => why(page)).toContain('for the run of 9:00');
  await page.keyboard.press('n');
  await expect.poll(() => why(page)).toContain('for the run of 10:00');
  await page.keyboard.press('Home');
  expect(await page.getByRole('button', { name: 'Previous run' }).isDisabled()).toBe(true);
  await page.keyboard.press('Shift+N');
  expect(await step(page)).toBe(0);
  expect(errors).toEqual([]);
});

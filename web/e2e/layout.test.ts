/** Names, many Jobs, and the way out of the editor: all of it is seen. */
import { expect, test } from 'vitest';

import { cronJob, PI, usePage, why } from './browser.ts';

const { open } = usePage();

test.each([[1440, 900], [1280, 720], [390, 844]])('at %i × %i, bands have their whole names', async (width, height) => {
  const { page } = await open({ viewport: { width, height }, session: { script: 'pods: succeed after 5s\n' } });
  await page.locator('.bands .lane', { hasText: 'SuccessCriteriaMet' }).waitFor();
  expect(await page.locator('.bands .lane .ellipsis').evaluateAll((all) => all.filter((name) => name.scrollWidth > name.clientWidth || (name.parentElement?.scrollWidth ?? 0) > (name.parentElement?.clientWidth ?? 0)).length)).toBe(0);
});

test('ten Jobs have their pods in view, and an outcome that begins with what failed', async () => {
  const jobs = Array.from({ length: 10 }, (_, number) => PI.replace('name: pi', `name: job-${number}`)).join('---\n');
  const { page, errors } = await open({ session: { manifest: jobs, script: 'job job-7: exit 1 after 2s\n', cursor: 20 } });
  await page.getByText('10 outcomes: 1 failed, 9 complete').waitFor();
  expect(await page.locator('.outcome-line').count()).toBe(3);
  expect(await page.locator('.outcome-line').first().innerText()).toContain('job/job-7');
  expect(await page.locator('.rows').evaluate((rows) => rows.clientHeight)).toBeGreaterThanOrEqual(3 * 28);
  const folded = await page.locator('.bands .lane').count();
  expect(folded).toBeLessThanOrEqual(6);
  await page.getByRole('button', { name: 'Conditions of Jobs that have finished' }).click();
  await expect.poll(() => page.locator('.bands .lane').count()).toBeGreaterThan(folded);
  await page.getByRole('button', { name: 'Show all 10' }).click();
  await expect.poll(() => page.locator('.outcome-line').count()).toBe(10);
  expect(errors).toEqual([]);
});

test('the keyboard leaves the editor by a way that is seen', async () => {
  const { page } = await open({ session: { script: '' } });
  await page.locator('.cm-content').waitFor();
  expect(await page.locator('.editor-hint').isVisible()).toBe(false);
  await page.locator('.cm-content').focus();
  expect(await page.locator('.editor-hint').innerText()).toBe('Esc, then Tab leaves the editor');
  const before = await page.locator('.cm-content').innerText();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('.editor') ?? null)).toBe(null);
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  expect(await page.locator('.cm-content').innerText()).toBe(before);
  await expect.poll(() => page.locator('.editor-hint').isVisible()).toBe(false);
});

test('a session begins with its CronJob, which nobody has created by hand', async () => {
  const { page } = await open({ session: { manifest: cronJob(), cursor: 0 } });
  await expect.poll(() => why(page)).toContain('The session begins with this object of the manifest.');
});

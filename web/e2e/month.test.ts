/** A month of runs: the way from run to run, the calendar, the concurrency policies, and what is deleted when. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { cronJob, last, step, usePage, why } from './browser.ts';

const { open } = usePage();
const script = 'pods: succeed after 20s\n';

test('Shift+N goes back to the run before', async () => {
  const { page, errors } = await open({ session: { manifest: cronJob(), script } });
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+N');
  await expect.poll(() => why(page)).toContain('for the run scheduled for 00:10');
  await page.getByRole('button', { name: 'Previous run' }).click();
  await expect.poll(() => why(page)).toContain('for the run scheduled for 00:09');
  await page.keyboard.press('n');
  await expect.poll(() => why(page)).toContain('for the run scheduled for 00:10');
  await page.keyboard.press('Home');
  expect(await page.getByRole('button', { name: 'Previous run' }).isDisabled()).toBe(true);
  await page.keyboard.press('Shift+N');
  expect(await step(page)).toBe(0);
  expect(errors).toEqual([]);
});

/** Opens the calendar of the only CronJob. */
async function calendar(page: Page, name = 'hello') {
  await page.getByRole('button', { name: `Calendar of ${name}` }).click();
  return page.getByRole('dialog', { name: `Runs of ${name}` });
}

const daily = (schedule: string, spec: string[] = []): string => cronJob(spec).replace('* * * * *', schedule);
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.getAttribute('title') ?? '');

test('a month of runs is one click away, and a day leads to its first run', async () => {
  const { page, errors } = await open({ session: { manifest: daily('30 */6 * * *', ['timeZone: Europe/Paris']), script: 'job hello-29455530: exit 1 after 5s\npods: succeed after 20s\n' } });
  const month = await calendar(page);
  await expect.poll(() => month.getByRole('button', { name: /^Friday 30 January, / }).getAttribute('title')).toBe('Friday 30 January, 4 runs, 4 succeeded');
  expect(await month.innerText()).toContain('January 2026');
  expect(await month.innerText()).toContain('30 */6 * * * · Europe/Paris');
  expect(await focused(page)).toContain('Thursday 1 January, the cursor is here');
  expect(await month.getByRole('button', { name: /^Friday 2 January/ }).getAttribute('title')).toContain('4 runs, 3 succeeded, 1 failed');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => focused(page)).toContain('Friday 9 January');
  await page.keyboard.press('Enter');
  await month.waitFor({ state: 'hidden' });
  await expect.poll(() => why(page)).toContain('for the run scheduled for Fri 9 Jan 00:30');
  expect(await focused(page)).toBe('Calendar of hello');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toContain('Friday 9 January, the cursor is here');
  expect(errors).toEqual([]);
});

test('a clock change says which time does not exist, and which occurs twice', async () => {
  const { page, errors } = await open({ session: { manifest: daily('30 2 * * *', ['timeZone: Europe/Paris']), script } });
  const month = await calendar(page);
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  await expect.poll(() => month.locator('.day-change').innerText()).toContain('02:30 does not exist');
  const day = month.getByRole('button', { name: /^Sunday 29 March, no runs, 02:30 does not exist/ });
  await day.focus();
  expect(await month.locator('.calendar-day').innerText()).toBe('Sunday 29 March: no runs. Clocks go forward: 02:30 does not exist.');
  for (let number = 0; number < 7; number++) await page.keyboard.press('PageDown');
  await expect.poll(() => month.locator('.day-change').innerText(), { timeout: 20_000 }).toContain('02:30 occurs twice');
  expect(errors).toEqual([]);
});

test('the calendar of a CronJob that runs each minute has all scheduled times, and the timeline stays where it was', async () => {
  const { page, errors } = await open({ session: { manifest: cronJob(), script } });
  const [steps, at] = [await last(page), await step(page)];
  const month = await calendar(page);
  await expect.poll(() => month.getByRole('button', { name: /^Saturday 31 January/ }).getAttribute('title')).toBe('Saturday 31 January, 1,440 runs scheduled');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => focused(page)).toContain('Friday 2 January');
  await expect.poll(() => month.locator('.calendar-played').innerText(), { timeout: 30_000 }).toMatch(/^Simulated until \d January, \d\d:\d\d\. Later runs are only scheduled\./);
  expect(await month.getByRole('button', { name: /^Thursday 1 January/ }).getAttribute('title')).toMatch(/1,439 runs, [\d,]+ succeeded/);
  await month.getByRole('button', { name: 'Simulate the rest' }).click();
  await month.locator('progress').waitFor();
  await page.keyboard.press('Escape');
  await month.waitFor({ state: 'hidden' });
  expect([await last(page), await step(page)]).toEqual([steps, at]);
  await page.keyboard.press('End');
  await page.keyboard.press('n');
  await expect.poll(() => why(page)).toContain('for the run scheduled for 00:11');
  expect(errors).toEqual([]);
});

test('the three concurrency policies are compared from the menu of a CronJob, and each opens beside this one', async () => {
  const { page, errors } = await open({ session: { manifest: cronJob(), script: 'pods: succeed after 150s\n' } });
  await page.locator('.row-place.cronJob .row-label').click();
  await page.getByRole('button', { name: 'Compare concurrency policies' }).click();
  const policies = page.getByRole('dialog', { name: 'Concurrency policies' });
  const row = (place: number) => policies.locator('tbody tr').nth(place).innerText();
  await expect.poll(() => row(1)).toMatch(/^Forbid\s+4\s+6\s+0\s+0\s+Compare$/);
  await expect.poll(() => row(2)).toMatch(/^Replace\s+10\s+0\s+9\s+0\s+Compare$/);
  expect(await row(0)).toMatch(/^Allow\s+10\s+0\s+0\s+9\s+This session$/);
  await policies.getByRole('button', { name: 'Compare Forbid with this session' }).click();
  await expect.poll(() => page.locator('.comparison').innerText()).toContain('concurrencyPolicy: Forbid');
  await expect.poll(() => page.locator('.comparison').innerText()).toContain('They diverge at 00:02');
  await page.keyboard.press('c');
  await page.getByRole('button', { name: 'Each concurrency policy of cronjob/hello' }).click();
  await expect.poll(() => row(2)).toMatch(/^Replace\s+10\s+0\s+9\s+0\s+Compare$/);
  await page.keyboard.press('Escape');
  await policies.waitFor({ state: 'hidden' });
  expect(errors).toEqual([]);
});

test.each([
  { field: 'successfulJobsHistoryLimit', manifest: cronJob(['successfulJobsHistoryLimit: 1']), reason: 'successfulJobsHistoryLimit keeps 1' },
  { field: 'ttlSecondsAfterFinished', manifest: cronJob([], ['ttlSecondsAfterFinished: 100']), reason: 'ttlSecondsAfterFinished kept it for 100 s' },
])('a Job that is deleted by $field says so', async ({ field, manifest, reason }) => {
  const { page, errors } = await open({ session: { manifest, script } });
  await page.keyboard.press('n');
  await expect.poll(() => why(page)).toContain('for the run scheduled for 00:01');
  await page.locator('.row-place.job .row-label', { hasText: 'run 00:01' }).click();
  const menu = page.getByRole('dialog', { name: 'Job hello-29453761' });
  await menu.getByRole('button', { name: `Go to its deletion (${field})` }).click();
  await expect.poll(() => why(page)).toContain(reason);
  expect(errors).toEqual([]);
});

test('examples are searched and chosen with the keyboard alone', async () => {
  const { page, errors } = await open();
  await page.keyboard.press('/');
  const dialog = page.getByRole('dialog', { name: 'Examples' });
  const field = dialog.getByRole('searchbox', { name: 'Search the examples' });
  await dialog.getByRole('heading', { name: 'Questions' }).waitFor();
  await page.keyboard.type('zebra');
  await dialog.getByText('No example mentions “zebra”.').waitFor();
  await dialog.getByRole('button', { name: 'Show all examples' }).click();
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type('why is a run due while the previous is running');
  await expect.poll(() => dialog.locator('li').first().innerText()).toContain('What if a run is due while the previous Job is still running?');
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('What if a run is due');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.example-button').innerText()).toContain('Forbid: a run waits');
  expect(errors).toEqual([]);
});

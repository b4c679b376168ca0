/** CronJobs and TTL: runs in rows of their own, the next run, what is deleted after its time, and what a person does to a CronJob. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { loadGallery } from '../src/gallery.ts';
import { cronJob, cursor, fragment, goTo, last, step, usePage, watched, why } from './browser.ts';

const { open } = usePage();
const script = 'pods: succeed after 20s\n';

async function nextRun(page: Page, times = 1): Promise<void> {
  for (let number = 0; number < times; number++) {
    const before = await step(page);
    await page.keyboard.press('n');
    await expect.poll(() => step(page)).toBeGreaterThan(before);
  }
}

const line = (page: Page) => page.locator('.job-line').first().innerText();
const jobs = (page: Page) => page.locator('.row-place.job').count();
const actions = (page: Page) => page.locator('.actions').innerText();

test('a CronJob has a row, its Jobs have theirs below it, and so have their pods', async () => {
  const { page, errors } = await open({ viewport: { width: 1440, height: 1600 }, session: { manifest: cronJob(), script } });
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => line(page)).toBe('cronjob/hello * * * * * · next run 00:01, in 1 min · 0 active · session starts Thu 1 Jan 2026 00:00 UTC · Allow');
  expect(await page.locator('.row-place').count()).toBe(1);
  await nextRun(page);
  await expect.poll(() => why(page)).toContain('Starting Job hello-29453761 for the run scheduled for 00:01');
  expect(await page.locator('.row-place').allInnerTexts()).toEqual([expect.stringContaining('hello'), expect.stringContaining('run 00:01'), '…-00001']);
  for (let number = 0; number < 9 && !(await line(page)).includes('1 active'); number++) await page.keyboard.press('ArrowRight');
  expect(await line(page)).toMatch(/1 active · .*last scheduled 00:01/);
  await expect.poll(() => why(page)).toContain('Changes to cronjob/hello');
  await nextRun(page, 4);
  expect(await page.getByRole('list', { name: 'Pods at this step' }).innerText()).toContain('Job hello-29453764: Complete');
  expect(await line(page)).toContain('last successful 00:04:21');
  expect([await jobs(page), await page.getByRole('button', { name: /^Show all/ }).getAttribute('aria-expanded')]).toEqual([4, 'false']);
  await page.getByRole('button', { name: 'Show all 10 Jobs of hello' }).click();
  await expect.poll(() => jobs(page)).toBe(10);
  expect(errors).toEqual([]);
});

test('the next run is played when it is wanted, as often as it is', async () => {
  const { page, errors } = await open({ session: { manifest: cronJob(), script } });
  await nextRun(page, 10);
  const known = await last(page);
  await page.getByRole('button', { name: 'Next run' }).click();
  await expect.poll(() => why(page)).toContain('for the run scheduled for 00:11');
  expect(await last(page)).toBeGreaterThan(known);
  await page.getByRole('button', { name: 'Simulate 100 more runs' }).click();
  await expect.poll(() => page.locator('.stopped').innerText(), { timeout: 20_000 }).toMatch(/Simulated up to 01:51:/);
  const link = await fragment({ manifest: cronJob(), script, cursor: 700 });
  await page.evaluate((to) => (location.hash = to), link);
  await expect.poll(() => cursor(page).getAttribute('aria-valuenow'), { timeout: 20_000 }).toBe('700');
  expect(errors).toEqual([]);
});

test('time runs on for as long as a CronJob does', async () => {
  const { page, errors } = await open({ session: { manifest: cronJob(), script } });
  const known = await last(page);
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('3600');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => step(page), { timeout: 20_000 }).toBeGreaterThan(known);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  expect(errors).toEqual([]);
});

test('runs that are years apart are played too', async () => {
  const { page, errors } = await open({ session: { manifest: cronJob().replace('* * * * *', '0 0 29 2 *'), script } });
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => line(page)).toContain('next run Tue 29 Feb 2028 00:00, in 789 days');
  await nextRun(page, 2);
  expect(await why(page)).toContain('Starting Job hello-');
  expect(errors).toEqual([]);
});

test('a CronJob that runs seldom shows dates, and goes to one that is typed', async () => {
  const { page, errors } = await open({ session: { manifest: cronJob(['timeZone: Europe/Paris']).replace('* * * * *', '30 8 * * 1'), script } });
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => line(page)).toContain('next run Mon 5 Jan 08:30, in 4 days 7 h · 0 active · session starts Thu 1 Jan 2026 01:00 Europe/Paris · Allow');
  const field = page.getByRole('textbox', { name: 'Go to time' });
  expect(await field.inputValue()).toBe('Thu 1 Jan 01:00');
  expect(await page.locator('.ticks').innerText()).toMatch(/\b[A-Z][a-z]{2} \d+ (Jan|Feb)\b/);
  await field.fill('5 Jan 08:30:30');
  await field.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('Mon 5 Jan 08:30:30');
  expect(await field.getAttribute('title')).toContain('4d 7:30:30 after the start');
  await expect.poll(() => page.locator('.why .pane-head').innerText()).toContain('Mon 5 Jan 08:30:2');
  expect(await page.locator('.story-lines').innerText()).toContain('Starting Job hello-29459970 for the run scheduled for Mon 5 Jan 08:30');
  expect(await page.locator('.outcome-line').innerText()).toContain('10 runs started by Mon 9 Mar 08:30:22');
  await field.fill('31 Dec 2025');
  await field.press('Enter');
  await expect.poll(() => page.locator('.time-answer').innerText()).toBe('The session starts on Thu 1 Jan 2026 01:00 Europe/Paris.');
  expect(errors).toEqual([]);
});

test('a run that starts no Job is shown with its reason', async () => {
  const { page, errors } = await open({ session: { manifest: cronJob(['concurrencyPolicy: Forbid']), script: 'pods: succeed after 90s\n' } });
  await nextRun(page, 2);
  await expect.poll(() => why(page)).toContain('Not starting the run scheduled for 00:02');
  expect(await line(page)).toContain('00:02 run waiting · 1 active');
  await page.locator('.row-place.cronJob .row-label').click();
  const menu = page.getByRole('dialog', { name: 'CronJob hello' });
  expect(await menu.innerText()).toContain('00:02 no Job');
  await menu.getByRole('button', { name: /^00:01/ }).click();
  await expect.poll(() => why(page)).toContain('Starting Job hello-29453761');
  expect(errors).toEqual([]);
});

test('what its schedule missed is marked in the row, and leads to the reason', async () => {
  const script = 'pods: runs forever\n';
  const { page } = await open({ session: { manifest: cronJob(['concurrencyPolicy: Forbid']), script } });
  const plot = await page.locator('.rows .plot').boundingBox();
  const handle = async () => (await cursor(page).boundingBox())?.x ?? 0;
  await nextRun(page, 3);
  const x = (await handle()) + 7;
  await page.keyboard.press('Home');
  await page.mouse.move(x, (plot?.y ?? 0) + 14);
  await expect.poll(() => page.locator('.hint-line').innerText()).toContain('00:03 run: Not starting the run scheduled for 00:03');
  await page.mouse.click(x, (plot?.y ?? 0) + 14);
  await expect.poll(() => why(page)).toContain('Not starting the run scheduled for 00:03');
});

test('a Job that its TTL deletes shows until when it is kept', async () => {
  const { page, errors } = await open({ session: { manifest: cronJob([], ['ttlSecondsAfterFinished: 100']), script } });
  await nextRun(page, 2);
  await page.locator('.row-place.job .row-label', { hasText: 'run 00:01' }).click();
  const menu = page.getByRole('dialog', { name: 'Job hello-29453761' });
  expect(await menu.innerText()).toContain('Complete · scheduled for 00:01 · kept until 00:03:01');
  await menu.getByRole('button', { name: 'Go to its deletion' }).click();
  await expect.poll(() => why(page)).toContain('Deleting the Job: it finished at 00:01:21');
  expect(await page.locator('.row-place.job').allInnerTexts()).toHaveLength(2);
  const manifest = 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: pi}\nspec:\n  ttlSecondsAfterFinished: 100\n  template:\n    spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}\n';
  await page.evaluate((to) => (location.hash = to), await fragment({ manifest, script }));
  await expect.poll(() => line(page)).toContain('job/pi');
  await goTo(page, 21);
  for (let number = 0; number < 5 && !(await line(page)).includes('kept until 2:01'); number++) await page.keyboard.press('ArrowRight');
  expect(await line(page)).toContain('kept until 2:01, 100 s left');
  expect(await page.locator('.lane').allInnerTexts()).toEqual(expect.arrayContaining(['waits for TTL', 'deletion']));
  expect(errors).toEqual([]);
});

test('a CronJob is suspended, resumed, changed and deleted by its menu', async () => {
  const { page, errors } = await open({ session: { manifest: cronJob(), script } });
  const menu = async () => {
    await page.locator('.row-place.cronJob .row-label').click();
    return page.getByRole('dialog', { name: 'CronJob hello' });
  };
  await nextRun(page);
  await (await menu()).getByRole('button', { name: 'Suspend it' }).click();
  await expect.poll(() => line(page)).toContain('suspended');
  await (await menu()).getByRole('button', { name: 'Resume it' }).click();
  await expect.poll(() => actions(page)).toContain('resume cronjob hello');
  await expect.poll(() => line(page)).not.toContain('suspended');
  await (await menu()).getByLabel('Schedule').fill('*/5 * * * *');
  await page.getByRole('button', { name: 'Set its schedule to' }).click();
  await expect.poll(() => line(page)).toContain('*/5 * * * *');
  await (await menu()).getByLabel('Concurrency policy').selectOption('Replace');
  await page.getByRole('button', { name: 'Set its concurrencyPolicy to' }).click();
  await expect.poll(() => line(page)).toContain('Replace');
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('button', { name: 'Delete it and its Jobs (background)' }).click();
  await expect.poll(() => actions(page)).toContain('delete cronjob hello background');
  await page.keyboard.press('End');
  await expect.poll(() => page.locator('.job-line').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a CronJob is changed in its manifest', async () => {
  const { page, errors } = await open({ session: { manifest: cronJob(), script } });
  await nextRun(page);
  await page.locator('.cm-line', { hasText: 'schedule:' }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('concurrencyPolicy: Forbid');
  await page.getByRole('button', { name: /^Apply at 00:01/ }).click();
  await expect.poll(() => actions(page)).toContain('set cronjob hello spec.concurrencyPolicy="Forbid"');
  await expect.poll(() => line(page)).toContain('Forbid');
  expect(errors).toEqual([]);
});

test('a field of a Job leads to the template of its CronJob', async () => {
  const { page } = await open({ session: { manifest: cronJob([], ['backoffLimit: 1']), script: 'pods: exit 1 after 5s\n' } });
  await page.locator('.cm-content').waitFor();
  await page.keyboard.press('End');
  for (let number = 0; number < 60 && (await page.locator('.field', { hasText: 'spec.backoffLimit' }).count()) === 0; number++) await page.keyboard.press('ArrowLeft');
  await page.locator('.field', { hasText: 'spec.backoffLimit' }).first().click();
  await expect.poll(() => page.locator('.cm-shown').innerText()).toContain('backoffLimit: 1');
});

test('a CronJob of one’s own is begun with', async () => {
  const { page, errors } = await open();
  await page.keyboard.press('/');
  await page.getByRole('button', { name: 'Start with your own CronJob' }).click();
  await expect.poll(() => line(page)).toContain('cronjob/my-cronjob */5 * * * *');
  await nextRun(page);
  await expect.poll(() => why(page)).toContain('for the run scheduled for 00:05');
  expect(errors).toEqual([]);
});

test('two concurrency policies are compared', async () => {
  const { page, errors } = await open();
  await page.keyboard.press('c');
  await page.getByRole('button', { name: /What if a run is due/ }).click();
  await page.getByRole('button', { name: 'Go there' }).click();
  await expect.poll(() => page.locator('.comparison').innerText()).toContain('They diverge at 00:02');
  expect(await page.locator('.row-place.cronJob').count()).toBe(2);
  expect(errors).toEqual([]);
});

test.each(['CronJob', 'Automatic cleanup for finished Jobs'])('an example of the page %s is chosen and played', async (topic) => {
  const { page } = await open();
  const errors = watched(page);
  const example = (await loadGallery()).find((one) => one.page === topic);
  await page.keyboard.press('/');
  await page.getByRole('button', { name: example?.title ?? '', exact: true }).click();
  await expect.poll(() => page.locator('.example-button').innerText()).toContain(example?.title);
  await expect.poll(() => last(page)).toBeGreaterThan(5);
  expect(errors).toEqual([]);
});

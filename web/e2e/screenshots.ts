/** Takes pictures of the page into `web/screenshots`: those of the README are numbered, the others show each way in which the page is seen. */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { loadGallery } from '../src/gallery.ts';
import { cronJob, fragment, goTo, PI, played, usePage, why } from './browser.ts';

const { address, open } = usePage();
const folder = fileURLToPath(new URL('../screenshots', import.meta.url));
const flaky = PI.replaceAll('2', '5').replace('parallelism: 5', 'parallelism: 3').replace('name: pi', 'name: flaky').replace('backoffLimit: 3', 'backoffLimitPerIndex: 2');
const script = 'index 1 attempt 1: exit 42 after 6s\nindex 1 attempt 2: exit 42 after 4s\nindex 3: exit 1 after 5s\npods: ready after 1s, succeed after 12s\n';
const wide = { viewport: { width: 1280, height: 800 } };

async function take(page: Page, name: string): Promise<void> {
  await page.locator('.cm-content').waitFor({ state: 'attached' });
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${folder}/${name}.png` });
}

test('a Job in the middle of its run', async () => {
  const { page } = await open({ ...wide, session: { manifest: flaky, script, title: 'Retries for each index' } });
  await goTo(page, 7);
  await take(page, '1-why');
});

test('two sessions side by side', async () => {
  const { page } = await open(wide);
  await page.keyboard.press('c');
  await page.getByRole('button', { name: /Who retries/ }).click();
  await page.getByRole('button', { name: 'Go there' }).click();
  await take(page, '2-compare');
});

test('a CronJob with scheduled times at which no Job started', async () => {
  const claim = (await loadGallery()).find(({ title }) => title === 'Forbid: a run waits until the Job before it has finished');
  if (!claim) return expect.fail('the scenario is gone');
  const { page } = await open({ ...wide, session: { manifest: claim.manifest, script: claim.script.replace('at 3m: end', 'at 8m: end'), title: claim.title } });
  // Of the two times, the later one: the cursor would cover the mark of the earlier one.
  for (let number = 0; number < 2; number++) await page.keyboard.press('k');
  await expect.poll(() => why(page)).toContain('Not starting the run scheduled for 00:0');
  await take(page, '3-cronjob');
});

test('in the dark, a pod that is acted on', async () => {
  const { page } = await open({ ...wide, colorScheme: 'dark', session: { manifest: flaky, script, title: 'Retries for each index' } });
  await goTo(page, 2);
  await page.locator('.row-label', { hasText: 'index 1' }).click();
  await take(page, '4-act');
});

test('ten thousand pods', async () => {
  const manifest = PI.replace('completions: 2', 'completions: 10000').replace('parallelism: 2', 'parallelism: 1000');
  const { page } = await open({ ...wide, session: { manifest, script: 'index 7 attempt 1: exit 1 after 3s\npods: succeed after 5s\n', title: 'Ten thousand indexes' } });
  await expect.poll(() => page.locator('.rows').innerText(), { timeout: 60_000 }).toContain('10000 rows');
  for (let number = 0; number < 60; number++) await page.keyboard.press('ArrowRight');
  await take(page, '5-many');
});

test('on a phone', async () => {
  const { page } = await open({ viewport: { width: 390, height: 844 }, session: { manifest: flaky, script, title: 'Retries for each index' } });
  await goTo(page, 9);
  await take(page, '6-phone');
});

const busy = 'index 1 attempt 1: exit 42 after 6s\nindex 3: exit 1 after 5s\npods: ready after 1s, succeed after 12s\nat 2s: pause controller for 10s\nat 14s: cut watch for 5s\nat 20s: suspend\nat 25s: resume\n';

test.each([
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['forced-colours', { forcedColors: 'active' }],
  ['zoom', { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 }],
] as const)('the page: %s', async (name, options) => {
  const { page } = await open({ viewport: { width: 1440, height: 900 }, ...options, session: { manifest: flaky, script: busy, title: 'Retries for each index' } });
  await goTo(page, 16);
  await take(page, name);
});

test('two sessions with many bands on a low screen', async () => {
  const { page } = await open({ viewport: { width: 1280, height: 720 }, session: { manifest: flaky, script: busy, title: 'Retries for each index' } });
  await page.getByRole('button', { name: 'Fork', exact: true }).click();
  await page.keyboard.press('c');
  await page.getByRole('dialog').getByRole('button', { name: 'Retries for each index' }).first().click();
  await expect.poll(() => page.locator('.lane-box').count()).toBe(2);
  await goTo(page, 16);
  await take(page, 'two-lanes');
});

test('a month of a CronJob', async () => {
  const { page } = await open({ ...wide, session: { manifest: cronJob(['timeZone: Europe/Paris']).replace('* * * * *', '30 */6 * * *'), script: 'job hello-29455530: exit 1 after 5s\npods: succeed after 20s\n' } });
  await page.getByRole('button', { name: 'Calendar of hello' }).click();
  const month = page.getByRole('dialog', { name: 'Runs of hello' });
  await expect.poll(() => month.getByRole('button', { name: /^Friday 30 January, / }).getAttribute('title'), { timeout: 30_000 }).toContain('4 runs');
  await take(page, 'month');
});

test('embedded', async () => {
  const { context } = await open({ viewport: { width: 800, height: 500 } });
  const page = await context.newPage();
  await page.goto(`${address()}?embed${await fragment({ manifest: flaky, script, cursor: 14 })}`);
  await played(page);
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${folder}/embed.png` });
});

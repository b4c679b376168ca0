/** Takes pictures of six states of the page for the README, into `web/screenshots`. */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { loadGallery } from '../src/gallery.ts';
import { goTo, PI, usePage, why } from './browser.ts';

const { open } = usePage();
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
  await goTo(page, 360);
  await expect.poll(() => why(page)).toContain('Not starting the run of 6:00');
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

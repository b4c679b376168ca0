/** The runs of a CronJob one by one, clock changes, and tasks with which people come, each done in few inputs. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { cronJob, cursor, fragment, PI, played, usePage, why } from './browser.ts';

const { open, address, browser } = usePage();
const FORBID = cronJob(['concurrencyPolicy: Forbid']).replace('* * * * *', '*/5 * * * *');
const SLOW = 'pods: succeed after 7m\n';
const BERLIN = cronJob(['timeZone: Europe/Berlin']).replace('* * * * *', '30 2 * * *');
const list = (page: Page) => page.getByRole('dialog', { name: 'List of runs of hello' });

test('which runs were skipped, and why? Two clicks', async () => {
  const { page, errors } = await open({ session: { manifest: FORBID, script: SLOW } });
  await page.locator('.outcome-line', { hasText: 'skipped' }).waitFor();
  await page.getByRole('button', { name: 'Runs of hello' }).click();
  await list(page).getByLabel('Only skipped and late runs').click();
  const rows = await list(page).locator('tbody tr').allInnerTexts();
  expect(rows.filter((row) => row.includes('skipped')).map((row) => row.split(/\s/)[0])).toEqual(['00:35', '00:20']);
  expect(rows.find((row) => row.includes('skipped'))).toMatch(/Forbid/);
  expect(rows.find((row) => row.startsWith('00:10'))).toMatch(/00:12:0\d, 2m1s late[^]*succeeded[^]*Forbid/);
  expect(errors).toEqual([]);
});

test('the next skipped run and the previous one are one key away, or one click', async () => {
  const { page, errors } = await open({ session: { manifest: FORBID, script: SLOW, cursor: 0 } });
  await page.locator('.outcome-line', { hasText: 'skipped' }).waitFor();
  await page.keyboard.press('k');
  await expect.poll(() => why(page)).toContain('Not starting the run scheduled for 00:20');
  await page.getByRole('button', { name: 'Next skipped' }).click();
  await expect.poll(() => why(page)).toContain('Not starting the run scheduled for 00:35');
  await page.keyboard.press('Shift+K');
  await expect.poll(() => why(page)).toContain('Not starting the run scheduled for 00:20');
  expect(errors).toEqual([]);
});

test('which hour is missing when clocks change? One click', async () => {
  const { page, errors } = await open({ session: { manifest: BERLIN } });
  await page.getByRole('button', { name: 'Runs of hello' }).click();
  await expect.poll(() => list(page).innerText()).toContain('Sun 29 Mar 03:00: the clock is set forward from 02:00 to 03:00: 02:30 does not exist, so no run is scheduled then');
  expect(await list(page).innerText()).toContain('Sun 25 Oct 02:00: the clock is set back from 03:00 to 02:00: 02:30 occurs twice, so runs are scheduled both times');
  expect(errors).toEqual([]);
});

test('a scheduled time that does not exist is a line of the story, a sign in the row and part of the outcome', async () => {
  const { page, errors } = await open({ session: { manifest: BERLIN } });
  await page.getByRole('textbox', { name: 'Go to time' }).fill('30 Mar 03:00');
  await page.keyboard.press('Enter');
  const link = page.getByRole('button', { name: /^Why a scheduled time did not exist: Sun 29 Mar 03:00/ });
  await link.waitFor();
  expect(await page.locator('.outcome-line').innerText()).toContain('1 scheduled time did not exist');
  await link.click();
  await expect.poll(() => cursor(page).getAttribute('aria-valuetext')).toContain('Sun 29 Mar 03:00');
  expect(await why(page)).toContain('02:30 does not exist, so no run is scheduled then');
  await expect.poll(() => page.locator('.story-line[aria-selected="true"]').innerText()).toContain('the clock is set forward from 02:00 to 03:00');
  const [x, row] = [(await cursor(page).boundingBox())?.x ?? 0, await page.locator('.row-place.cronJob').boundingBox()];
  await page.mouse.move(x + 7, (row?.y ?? 0) + 14);
  await expect.poll(() => page.locator('.hint-line').innerText()).toContain('02:30 does not exist');
  expect(errors).toEqual([]);
});

test('a script that is half typed is there after a reload', async () => {
  const { page } = await open({ session: { script: 'pods: succeed after 20s\n' } });
  await page.getByRole('button', { name: 'Edit as text' }).click();
  const text = page.locator('.pods-pane textarea');
  await text.fill('pods: succeed after 20s\nat 12s: susp');
  await page.waitForTimeout(1000);
  await page.reload();
  await played(page);
  await expect.poll(() => text.inputValue()).toContain('at 12s: susp');
});

test('a wrong cell of the rules table is there after a reload, and is forgotten once it is corrected', async () => {
  const { page } = await open({ session: { script: 'pods: succeed after 20s\n' } });
  const cell = page.getByRole('combobox', { name: 'What they do, rule 1' });
  await cell.fill('exti 1');
  await cell.press('Enter');
  await page.locator('.rules .problem').waitFor();
  await page.waitForTimeout(1000);
  await page.reload();
  await played(page);
  await expect.poll(() => page.locator('.pods-pane textarea').inputValue()).toBe('pods: exti 1\n');
  await page.getByRole('button', { name: 'Edit as table' }).click();
  await cell.fill('exti 2');
  await cell.press('Enter');
  await page.locator('.rules .problem').waitFor();
  await cell.fill('exit 2');
  await cell.press('Enter');
  await page.locator('.outcome-line', { hasText: 'Failed' }).waitFor();
  await expect.poll(() => page.locator('.pods-pane .problem').count()).toBe(0);
});

test('with long times, the heading of Why keeps its button in one line', async () => {
  const { page } = await open({ viewport: { width: 1280, height: 720 }, session: { manifest: BERLIN.replace('30 2 * * *', '0 0 29 2 *') } });
  await page.keyboard.press('n');
  await page.keyboard.press('n');
  await expect.poll(() => page.locator('.why .pane-head').innerText()).toContain('29 Feb 20');
  const [head, button, text] = await Promise.all(['.why .pane-head', '.why .pane-head .end', '.why .pane-head .ellipsis'].map(async (one) => (await page.locator(one).boundingBox()) ?? expect.fail(one)));
  expect(head?.height).toBeLessThanOrEqual(37);
  expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual((head?.x ?? 0) + (head?.width ?? 0));
  expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
});

test('an embed says on a phone how it ended, and its outcome leads to the reason by one tap', async () => {
  const context = await browser().newContext({ viewport: { width: 390, height: 600 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(`${address()}?embed${await fragment({ manifest: PI, script: 'pods: exit 1 after 5s\n' })}`);
  await played(page);
  await page.getByRole('button', { name: /^Why it failed/ }).tap();
  await expect.poll(() => page.locator('.why, .why-line').first().innerText()).toContain('backoffLimit');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('the editor is left by one key and Tab', async () => {
  const { page } = await open();
  await page.locator('.cm-content').click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement !== document.body && document.activeElement?.closest('.editor') === null)).toBe(true);
});

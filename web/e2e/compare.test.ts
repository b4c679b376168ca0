/** Two sessions side by side: with one difference, and the moment at which they diverge. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { READY } from '../src/compare/ready.ts';
import { played, step, usePage, watched, why, xOf } from './browser.ts';

const { open } = usePage();

async function compared(page: Page, question: string | RegExp): Promise<void> {
  await page.keyboard.press('c');
  await page.getByRole('button', { name: question }).click();
  await page.getByRole('button', { name: 'Go there' }).waitFor();
}

/** What both cursors say. */
const cursors = (page: Page, attribute: string) => page.getByRole('slider', { name: 'Step' }).evaluateAll((all, name) => all.map((one) => one.getAttribute(name)), attribute);

const times = async (page: Page) => (await cursors(page, 'aria-valuetext')).map((text) => text?.split(', ')[1]);

/** Where something is from left to right, in each lane. */
const places = (page: Page, selector: string) => page.locator(selector).evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));

test.each(READY.map((ready) => [ready.question] as const))('%s: it opens where the lanes diverge, which is drawn in both', async (question) => {
  const { page, errors } = await open();
  await compared(page, question);
  const [, at] = /They diverge at (\d+:\d\d(?:\.\d)?)/.exec(await page.locator('.comparison').innerText()) ?? [];
  await expect.poll(() => times(page)).toEqual([at, at]);
  expect(await step(page)).toBeGreaterThan(0);
  expect(await page.locator('.timeline').count()).toBe(2);
  expect(await places(page, '.divergence')).toEqual((await places(page, '.cursor')).map((x) => x + 1));
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'Go there' }).click();
  await expect.poll(() => times(page)).toEqual([at, at]);
  expect(errors).toEqual([]);
});

test('both lanes stand at the same step before they diverge', async () => {
  const { page } = await open();
  await compared(page, /When is a terminating pod replaced/);
  await page.keyboard.press('Home');
  await expect.poll(() => cursors(page, 'aria-valuenow')).toEqual(['0', '0']);
  for (const number of ['1', '2', '3']) {
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => cursors(page, 'aria-valuenow')).toEqual([number, number]);
  }
});

test('a link holds both lanes, and the page shows them again', async () => {
  const { page } = await open();
  await compared(page, /Who retries/);
  await page.getByRole('button', { name: 'B restartPolicy: Never' }).click();
  const shown = async (on: Page) => [await on.locator('.lane-title').allInnerTexts(), await on.locator('.lane-title button[aria-pressed=true]').allInnerTexts(), await times(on), await on.locator('.comparison').innerText()];
  const before = await shown(page);
  await page.keyboard.press('s');
  await page.getByText('Copied the link.').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const there = await open();
  const errors = watched(there.page);
  await there.page.goto(link);
  await played(there.page);
  await expect.poll(() => shown(there.page)).toEqual(before);
  await expect.poll(() => page.url()).toBe(link);
  await page.reload();
  await played(page);
  await expect.poll(() => shown(page)).toEqual(before);
  expect(errors).toEqual([]);
});

test('both lanes stand at the same time, and each has its reasons', async () => {
  const { page } = await open();
  await compared(page, /Who retries/);
  await expect.poll(() => why(page)).toContain('exited with code 1; restarting immediately (start 2)');
  const [first, second] = await times(page);
  expect(first).toBe(second);
  await page.getByRole('button', { name: 'B restartPolicy: Never' }).click();
  await expect.poll(() => why(page)).toContain('Failed with exit code 1');
  for (const [lane, seconds] of [[0, 27], [1, 33]] as const) {
    const marks = await page.locator('.lane-group.marks .plot').nth(lane).boundingBox();
    await page.mouse.click(await xOf(page, seconds), (marks?.y ?? 0) + 45);
    await expect.poll(() => times(page)).toEqual([`0:${seconds}`, `0:${seconds}`]);
  }
});

test('a copy in which one thing is changed', async () => {
  const { page, errors } = await open({ session: { script: 'pods: succeed after 5s\n' } });
  await page.keyboard.press('c');
  await page.getByRole('button', { name: /A copy that you can change/ }).click();
  await page.getByText('Both have the same manifest and pod behaviour.').waitFor();
  await page.getByLabel('What they do, rule 1').fill('exit 1 after 5s');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.comparison').innerText()).toContain('They diverge at 0:05');
  await page.getByRole('button', { name: 'Stop comparing' }).first().click();
  expect(await page.locator('.timeline').count()).toBe(1);
  expect(errors).toEqual([]);
});

test('a session is compared with itself and one change, and each lane has its reason', async () => {
  const { page, errors } = await open({ session: { script: 'pods: exit 1 after 5s\n' } });
  await page.keyboard.press('c');
  await page.getByRole('button', { name: /^restartPolicy: OnFailure/ }).click();
  await expect.poll(() => times(page)).toEqual(['0:05', '0:05']);
  expect(await page.locator('.comparison-lines p').allInnerTexts()).toEqual([expect.stringContaining('restartPolicy: Never'), expect.stringContaining('restartPolicy: OnFailure')]);
  expect(await page.locator('.side-reason').allInnerTexts()).toEqual(expect.arrayContaining([expect.stringContaining('Retrying pod creation at')]));
  await page.locator('.side-reason button', { hasText: 'Retrying pod creation' }).click();
  await expect.poll(() => why(page)).toContain('Retrying pod creation at');
  expect(errors).toEqual([]);
});

test('a session without rules gets one with which the change shows', async () => {
  const { page } = await open({ session: {} });
  await page.keyboard.press('c');
  await page.getByRole('dialog').getByRole('heading', { name: 'This session with one change' }).waitFor();
  await page.getByRole('button', { name: /^backoffLimit: 0/ }).click();
  await page.getByText('They diverge at').waitFor();
  await expect.poll(() => page.locator('.rules input').first().inputValue()).toBe('pods');
  expect(await page.locator('.lane-title').allInnerTexts()).toEqual([expect.stringContaining('backoffLimit: '), expect.stringContaining('backoffLimit: 0')]);
});

test.each([[390, 844], [390, 600]])('on a phone of %i × %i, each lane has two rows, and what is above the transport scrolls', async (width, height) => {
  const { page } = await open({ viewport: { width, height } });
  await compared(page, /Who retries/);
  const rows = page.locator('.rows');
  await expect.poll(() => rows.nth(1).evaluate((area) => area.clientHeight)).toBeGreaterThanOrEqual(56);
  await page.mouse.move(width / 2, 200);
  await page.mouse.wheel(0, 2000);
  const bounds = async (one: Locator) => (await one.boundingBox()) ?? { y: NaN };
  await expect.poll(async () => (await bounds(rows.nth(1))).y + 56 - (await bounds(page.locator('.transport'))).y).toBeLessThanOrEqual(0);
});

/** Twelve tasks with which people come, each done in few inputs: a click, a key, a paste, a text that is typed, a reload. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { cronJob, cursor, fragment, PI, step, usePage, why, write, xOf } from './browser.ts';
import { dump, FAILED, PODS } from './dumps.ts';
import { Hand } from './hand.ts';
import { built, shell } from './program.ts';

const { open, address, browser } = usePage();

/** A first-time visitor, with an empty window. */
const stranger = async (): Promise<Hand> => new Hand(await browser().newPage());

const time = (page: Page) => cursor(page).getAttribute('aria-valuetext');
const script = (page: Page) => page.locator('.rules tr, .actions li').allInnerTexts();

test('why did a Job fail that was pasted? One click', async () => {
  const { page } = await open({ session: { script: 'pods: exit 1 after 5s\n' } });
  await write(page, PI.replace('name: pi', 'name: pasted'));
  await page.locator('.job-line', { hasText: 'job/pasted' }).waitFor();
  const hand = new Hand(page);
  await hand.click(/^Why it failed/);
  await expect.poll(() => why(page)).toContain('backoffLimit');
  expect(hand.inputs).toBe(1);
});

test('why was the last try lost? Two inputs', async () => {
  const { page } = await open();
  const hand = new Hand(page);
  await hand.press('/');
  await hand.click('Why was my Job’s last attempt cut short?');
  await expect.poll(() => why(page)).toMatch(/The Job fails: .*backoffLimit is 3.*Deleting 1 active pod: the Job is ending/s);
  await page.locator('.outcome-line', { hasText: 'Failed' }).waitFor();
  expect(hand.inputs).toBe(2);
});

test('index 1 fails twice, and then succeeds, by three inputs', async () => {
  const { page } = await open({ session: { script: 'pods: succeed after 20s\n' } });
  const hand = new Hand(page);
  await hand.clickRow('index 1');
  await hand.open('Change what it does from the start');
  await hand.click('Fail twice');
  await expect.poll(() => page.locator('.outcome-line').allInnerTexts()).toEqual([expect.stringContaining('2/2 succeeded')]);
  await page.keyboard.press('End');
  const pods = async (row: string) => (await page.getByRole('list', { name: 'Pods at this step' }).locator('li', { hasText: row }).allTextContents()).map((pod) => /Succeeded|Failed/.exec(pod)?.[0]);
  await expect.poll(() => pods('index 1')).toEqual(['Failed', 'Failed', 'Succeeded']);
  expect([await pods('index 0'), hand.inputs]).toEqual([['Succeeded'], 3]);
});

test('a pod is deleted at exactly 0:12 by two inputs', async () => {
  const { page } = await open({ session: { script: 'pods: succeed after 20s\n' } });
  const row = await page.locator('.row-place').first().boundingBox();
  if (!row) return expect.fail('there is no row');
  const hand = new Hand(page);
  await hand.clickAt(await xOf(page, 12), row.y + row.height / 2);
  await hand.click('Delete at 0:12');
  await expect.poll(() => page.locator('.actions li').allInnerTexts()).toEqual([expect.stringMatching(/^0:12\s+delete pod pi-0-/)]);
  await expect.poll(() => time(page)).toMatch(/, 0:12$/);
  expect(hand.inputs).toBe(2);
});

test('an eviction and its DisruptionTarget are seen by two inputs', async () => {
  const { page } = await open({ session: { script: 'pods: succeed after 20s\n' } });
  const row = await page.locator('.row-place').first().boundingBox();
  if (!row) return expect.fail('there is no row');
  const hand = new Hand(page);
  await hand.clickAt(await xOf(page, 12), row.y + row.height / 2);
  await hand.click('Evict at 0:12');
  const story = async () => (await page.locator('.story-line').allInnerTexts()).join('\n');
  await expect.poll(story).toContain('evicted (DisruptionTarget: EvictionByEvictionAPI)');
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => why(page)).toContain('DisruptionTarget: EvictionByEvictionAPI');
  expect(hand.inputs).toBe(2);
});

test('two sessions are compared where they diverge, by two inputs', async () => {
  const { page } = await open();
  const hand = new Hand(page);
  await hand.press('c');
  await hand.click(/Who retries/);
  const diverged = await page.getByText(/They diverge at/).innerText();
  const [, at = ''] = /diverge at (\d+:\d+)/.exec(diverged) ?? [];
  await expect.poll(() => time(page)).toContain(at);
  await page.locator('.plots').getByText('they diverge here').first().waitFor();
  expect([hand.inputs, at]).toEqual([2, '0:05']);
});

test('the same Job stands beside it with another restartPolicy, by two inputs', async () => {
  const manifest = PI.replace('restartPolicy: Never', 'restartPolicy: OnFailure');
  const { page } = await open({ session: { manifest, script: 'pods: exit 1 after 5s\n' } });
  const hand = new Hand(page);
  await hand.press('c');
  await hand.click(/^restartPolicy: Never/);
  await page.getByText('They diverge at 0:05').waitFor();
  await expect.poll(() => page.locator('.outcome-line').allInnerTexts()).toEqual([expect.stringContaining('Failed at'), expect.stringContaining('Failed at')]);
  await page.locator('.side-reason', { hasText: 'Retrying pod creation' }).waitFor();
  expect(hand.inputs).toBe(2);
});

test('a Helm template is pasted, and what to do is read, by one input', async () => {
  const { page } = await open();
  const hand = new Hand(page);
  await hand.paste(PI.replace('name: pi', 'name: {{ include "chart.fullname" . }}'));
  await expect.poll(() => page.locator('.problems li').allInnerTexts()).toEqual([expect.stringMatching(/Line 4: this is a Helm template.*use what helm template prints/)]);
  expect(hand.inputs).toBe(1);
});

test('a finished Job is pasted, and why it failed is read, by one input', async () => {
  const { page } = await open();
  const hand = new Hand(page);
  await hand.paste(dump(FAILED, ...PODS));
  await page.getByRole('region', { name: 'What was recorded' }).getByText('3 pods failed (2 × exit 1, OOMKilled)').waitFor();
  await expect.poll(() => why(page)).toContain('3 pods failed; backoffLimit allows 2');
  expect(hand.inputs).toBe(1);
});

test('both lanes are shared and opened again by two inputs', async () => {
  const { page } = await open();
  await page.keyboard.press('c');
  await page.getByRole('button', { name: /Who retries/ }).click();
  await expect.poll(() => time(page)).toMatch(/, 0:05$/);
  const lanes = await page.locator('.lane-title').allInnerTexts();
  const hand = new Hand(page);
  await hand.press('s');
  await page.getByText('Copied the link.').waitFor();
  const before = await time(page);
  const there = await stranger();
  await there.go(await page.evaluate(() => navigator.clipboard.readText()));
  await expect.poll(() => there.page.locator('.lane-title').allInnerTexts()).toEqual(lanes);
  await expect.poll(() => time(there.page)).toBe(before);
  expect(hand.inputs + there.inputs).toBe(2);
});

test('ten actions are undone by ten keys', async () => {
  const { page } = await open({ session: { script: 'pods: succeed after 20s\n', cursor: 5 } });
  const before = await script(page);
  for (let number = 1; number <= 10; number++) {
    await page.getByRole('button', { name: 'Inject fault', exact: true }).click();
    await page.getByRole('button', { name: 'Refuse it as forbidden', exact: true }).click();
    await expect.poll(() => page.locator('.actions li').count()).toBe(number);
  }
  const hand = new Hand(page);
  for (let number = 0; number < 10; number++) await hand.press('z');
  await expect.poll(() => script(page)).toEqual(before);
  expect([hand.inputs, await step(page)]).toEqual([10, 5]);
});

test('a draft that is broken survives a reload', async () => {
  const { page } = await open();
  await write(page, 'apiVersion: batch/v1\nkind: Job\nspec: [\n');
  await page.locator('.problems li.error').first().waitFor();
  const hand = new Hand(page);
  await hand.reload();
  await expect.poll(() => page.locator('.cm-content').innerText()).toContain('spec: [');
  expect(hand.inputs).toBe(1);
});

test('the next failure among ten thousand indexes is one key away', { timeout: 120_000 }, async () => {
  const manifest = PI.replace('completions: 2', 'completions: 10000').replace('parallelism: 2', 'parallelism: 1000');
  const { page } = await open({ session: { manifest, script: 'index 7777 attempt 1: exit 3 after 2s\npods: succeed after 5s\n' } });
  await expect.poll(() => page.locator('.outcome-line').first().innerText(), { timeout: 60_000 }).toContain('10000/10000 succeeded');
  const hand = new Hand(page);
  await hand.press('x');
  await expect.poll(() => page.locator('.why').innerText()).toContain('pi-7777-00001');
  expect(hand.inputs).toBe(1);
});

built('a scenario that is exported by two inputs passes', async () => {
  const { page } = await open({ session: { script: 'index 1 attempt 1: exit 42 after 3s\npods: succeed after 5s\n', title: 'One retry' } });
  const hand = new Hand(page);
  const saved = page.waitForEvent('download');
  await hand.click('Share');
  await hand.click(/scenario file/i);
  const path = await (await saved).path();
  expect(hand.inputs).toBe(2);
  expect(shell(`cp ${path} ${path}.md && jobsmith test ${path}.md`)).toMatchObject({ status: 0 });
});

test('a month of a CronJob is two inputs away', async () => {
  const hand = await stranger();
  await hand.go(`${address()}${await fragment({ manifest: cronJob().replace('* * * * *', '0 6 * * *') })}`);
  await hand.click('Calendar of hello');
  const days = hand.page.getByRole('dialog', { name: 'Runs of hello' }).getByRole('button', { name: /^\w+ \d+ January, .*\b1 run\b.*1 succeeded/ });
  await expect.poll(() => days.count(), { timeout: 20_000 }).toBe(31);
  expect(hand.inputs).toBe(2);
});

test('a field moves to where it belongs by one click', async () => {
  const { page } = await open();
  await write(page, PI.replace('  backoffLimit: 3\n', '').replace('      restartPolicy: Never\n', '      restartPolicy: Never\n      backoffLimit: 3\n'));
  await page.locator('.problems li.error').first().waitFor();
  const hand = new Hand(page);
  await hand.click(/^Move backoffLimit/);
  await expect.poll(() => page.locator('.problems li.error').count()).toBe(0);
  await expect.poll(() => page.locator('.cm-content').innerText()).toMatch(/\n {2}backoffLimit: 3/);
  expect(hand.inputs).toBe(1);
});

test('what ends with BackoffLimitExceeded is found by one key and by typing it', async () => {
  const { page } = await open();
  const hand = new Hand(page);
  await hand.press('/');
  await page.keyboard.type('BackoffLimitExceeded');
  const first = page.getByRole('dialog').locator('.examples button').first();
  await expect.poll(() => first.locator('mark').first().innerText()).toBe('BackoffLimitExceeded');
  expect(hand.inputs).toBe(1);
  await page.keyboard.press('Enter');
  await page.locator('.outcome-line', { hasText: 'backoffLimit' }).first().waitFor();
});

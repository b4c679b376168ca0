/** The outcome of each Job, above the timeline, with a link to the step that decided it. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { cronJob, goTo, last, PI, step, usePage, why, write } from './browser.ts';

const { open } = usePage();
const failing = 'index 1: exit 42 after 2s\npods: succeed after 5s\n';

function outcome(page: Page): Promise<string> {
  return page.locator('.outcomes').first().innerText().then((text) => text.replace(/\s+/g, ' '));
}

test('a Job that failed leads to the step that decided it, from wherever one looks', async () => {
  const { page, errors } = await open({ session: { script: failing } });
  await expect.poll(() => outcome(page)).toMatch(/✗ Failed at \d:\d\d · backoffLimit \(3\) exceeded · 5 pods Why it failed: \d:\d\d →/);
  await page.getByRole('button', { name: /^Why it failed/ }).click();
  await expect.poll(() => why(page)).toContain('The Job fails: 4 pods failed; backoffLimit allows 3');
  expect(errors).toEqual([]);
});

test('a pasted Job stands at the step that decided its outcome, and so does its first edit', async () => {
  const { page, errors } = await open({ session: { script: failing, cursor: 5 } });
  await page.locator('.cm-content').waitFor();
  await write(page, PI.replace('name: pi', 'name: other'));
  await expect.poll(() => why(page)).toContain('The Job fails: 4 pods failed; backoffLimit allows 3');
  await write(page, PI.replace('name: pi', 'name: other').replace('backoffLimit: 3', 'backoffLimit: 1'));
  await expect.poll(() => why(page)).toContain('The Job fails: 2 pods failed; backoffLimit allows 1');
  expect(await page.locator('.changed').count()).toBe(0);
  await page.locator('#why-title').click();
  await page.keyboard.press('Home');
  await goTo(page, 2);
  const at = await step(page);
  await write(page, PI.replace('name: pi', 'name: other'));
  await page.getByRole('button', { name: /^Apply at/ }).waitFor();
  expect(await step(page)).toBe(at);
  expect(errors).toEqual([]);
});

test('a Job that is complete, suspended or stuck shows so', async () => {
  const { page } = await open({ session: { script: 'pods: succeed after 5s\n' } });
  await expect.poll(() => outcome(page)).toMatch(/✓ Complete at 0:06 · 2\/2 succeeded · 2 pods Why it is complete: 0:06 →/);
  await page.goto('about:blank');
  const suspended = await open({ session: { script: 'pods: succeed after 5s\nat 2s: suspend\n' } });
  await expect.poll(() => outcome(suspended.page)).toContain('Suspended since 0:02 · 2 pods Why it is suspended: 0:02 →');
  const stuck = await open({ session: { script: 'pods: never scheduled\n' } });
  await expect.poll(() => outcome(stuck.page)).toContain('Stuck since 0:00 · pods pi-0-00001 and pi-1-00001 have been unschedulable since 0:00: no node matches the pod · 2 pods Why it is stuck: 0:00 →');
});

test('an Indexed Job names the indexes that failed', async () => {
  const { page } = await open({ session: { manifest: PI.replaceAll('2', '5').replace('backoffLimit: 3', 'backoffLimitPerIndex: 0'), script: 'index 1: exit 1 after 2s\nindex 3: exit 1 after 3s\npods: succeed after 5s\n' } });
  await expect.poll(() => outcome(page)).toMatch(/✗ Failed at .* · failed indexes 1,3 · 5 pods/);
});

test('of many Jobs three have a line, and those that failed come first', async () => {
  const plain = PI.replace('  completionMode: Indexed\n', '');
  const manifest = ['a', 'b', 'c', 'd'].map((name) => plain.replace('name: pi', `name: ${name}`)).join('---\n');
  const { page } = await open({ session: { manifest, script: 'job d: exit 1 after 2s\npods: succeed after 5s\n' } });
  await expect.poll(() => outcome(page)).toMatch(/^4 outcomes: 1 failed, 3 complete ✗ job\/d Failed at .* ✓ job\/a Complete at .* ✓ job\/b Complete at .* Show all 4$/);
});

test('a CronJob shows its runs, and why one failed', async () => {
  const { page, errors } = await open({ session: { manifest: cronJob([], ['backoffLimit: 0']), script: 'job hello-29453762: exit 1 after 2s\npods: succeed after 5s\n' } });
  await expect.poll(() => outcome(page)).toMatch(/✗ 1 of 10 runs failed by 00:10:07 Why the run scheduled for 00:02 failed: 00:02:03 →/);
  await page.getByRole('button', { name: /^Why the run scheduled for 00:02 failed/ }).click();
  await expect.poll(() => why(page)).toContain('backoffLimit allows 0');
  expect(await step(page)).toBeLessThan(await last(page));
  expect(errors).toEqual([]);
});

test('two lanes have an outcome each, and the link of the other one shows its reasons', async () => {
  const { page, errors } = await open();
  await page.keyboard.press('c');
  await page.getByRole('button', { name: /How many retries/ }).click();
  await expect.poll(() => page.locator('.outcomes').allInnerTexts()).toEqual([expect.stringContaining('backoffLimit (0) exceeded'), expect.stringContaining('1/1 succeeded')]);
  await page.getByRole('button', { name: /^Why it is complete/ }).click();
  await expect.poll(() => why(page)).toContain('The Job succeeds');
  await page.getByRole('button', { name: /^Why it failed/ }).click();
  await expect.poll(() => why(page)).toContain('The Job fails');
  expect(errors).toEqual([]);
});

/** A Job of a cluster that is pasted with its pods begins with its past. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { cursor, usePage, why, write } from './browser.ts';
import { complete, cronJob, dump, FAILED, HANGING, NIGHTLY, PODS, YESTERDAY } from './dumps.ts';

const { open } = usePage();

/** Pastes a dump; returns what stands above the timeline, and the errors on the console. */
async function pasted(manifest: string): Promise<{ page: Page; above: string; errors: string[] }> {
  const { page, errors } = await open({ timezoneId: 'Europe/Berlin' });
  await write(page, manifest);
  const past = page.getByRole('region', { name: 'What was recorded' });
  await past.waitFor();
  return { page, above: await past.innerText(), errors };
}

const outcome = (page: Page): Promise<string> => page.getByRole('region', { name: /^Outcome of/ }).innerText();
const ticks = (page: Page): Promise<string[]> => page.locator('.timeline .tick').evaluateAll((all) => all.map((tick) => tick.textContent).filter((text) => text !== ''));
const pods = (page: Page): Promise<string> => page.getByRole('list', { name: 'Pods at this step' }).innerText();
const story = (page: Page): Promise<string> => page.locator('.story').innerText();
const time = (page: Page): Promise<string> => page.getByRole('textbox', { name: 'Go to time' }).inputValue();

async function goToTime(page: Page, typed: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Go to time' });
  await field.fill(typed);
  await field.press('Enter');
  await expect.poll(() => cursor(page).getAttribute('aria-valuetext')).toContain(typed);
}

test('one that failed: how, when by the clock of its CronJob, and the step that decided it', async () => {
  const { page, above, errors } = await pasted(dump(cronJob({ suspend: true }), FAILED, ...PODS));
  expect(above).toContain(`job ${NIGHTLY}: Failed at 02:07:13 (25 Nov 2026, Europe/Berlin): 3 pods failed (2 × exit 1, OOMKilled); backoffLimit 2`);
  await expect.poll(() => why(page)).toContain('The Job fails: 3 pods failed; backoffLimit allows 2');
  expect([await time(page), await outcome(page)]).toEqual(['02:07:13', expect.not.stringContaining('Already')]);
  expect(await ticks(page)).toEqual(expect.arrayContaining(['25 Nov 02:00', '02:02']));
  expect(await pods(page)).toContain('exit code 137');
  expect(errors).toEqual([]);
});

test('a Job alone: what its status has, and the command that gets its pods', async () => {
  const { page, above } = await pasted(dump(FAILED));
  expect(above).toContain('3 pods failed; backoffLimit 2');
  expect(above).toContain(`kubectl get jobs,pods -n reports -l batch.kubernetes.io/job-name=${NIGHTLY} -o yaml`);
  expect(await page.locator('.centre').innerText()).not.toMatch(/No pods were created|Already Failed|0 pods/);
});

test('one that hangs: what it is stuck on, what helps, and a line each of those that have finished', async () => {
  const { page, above, errors } = await pasted(dump(...HANGING, complete('one'), complete('two')));
  expect(above).toMatch(/At 02:00:05 \(25 Nov 2026, Europe\/Berlin\): Job nightly-29668920 is stuck: pod nightly-29668920-4x7kd cannot start container report \(CreateContainerConfigError since 02:00:01\): secret "smtp" not found/);
  expect(above).toContain('What helps: create what is missing');
  await page.getByText('2 other Jobs').click();
  await page.getByText('job one: Complete at 02:00:05 (25 Nov 2026, Europe/Berlin): 1 pod succeeded').waitFor();
  expect(await story(page)).not.toContain('job one');
  expect(await outcome(page)).not.toContain('job/one');
  expect(errors).toEqual([]);
});

test('what left no trace is estimated, and says so; what is said about the record has a mark', async () => {
  const { page } = await pasted(dump(FAILED, PODS[0], PODS[2]));
  await goToTime(page, '02:02:30');
  expect(await pods(page)).toContain(`pod ${NIGHTLY}-gone1 Running, ready, partly estimated`);
  expect(await story(page)).toMatch(/gone1 Failed after 90 s \(estimated\)/);
  await page.keyboard.press('Home');
  expect(await story(page)).toMatch(/≠\s+1 pod that the Job counted no longer exists/);
});

test('the runs of its CronJob are a table, and what was recorded has the timeline for itself', async () => {
  const { page } = await pasted(dump(cronJob(), YESTERDAY, FAILED, ...PODS));
  await page.getByText('1 other Job').click();
  expect(await page.getByRole('table').innerText()).toMatch(/24 Nov 02:00:00\s+3m late\s+41 s\s+Complete/);
  expect(await ticks(page)).toEqual(expect.arrayContaining(['25 Nov 02:00', '02:02']));
  await page.getByRole('button', { name: 'Show the whole timeline' }).click();
  await expect.poll(() => ticks(page)).toContain('25 Nov');
});

test('what is done in the past is done in another session, which goes on from there', async () => {
  const { page, errors } = await pasted(dump(FAILED, ...PODS));
  await goToTime(page, '02:03:43');
  await write(page, dump(FAILED, ...PODS).replace('"backoffLimit": 2', '"backoffLimit": 4'));
  await page.getByRole('button', { name: /Apply at 02:03:43/ }).click();
  await expect.poll(() => page.locator('.tab').count()).toBe(2);
  await expect.poll(() => page.locator('.actions').innerText()).toContain(`set job reports/${NIGHTLY} spec.backoffLimit=4`);
  await expect.poll(() => outcome(page)).toMatch(/Complete at 02:0/);
  await page.getByText('recorded until here').waitFor();
  expect(await page.locator('.actions button').first().innerText()).toBe(await time(page));
  expect(errors).toEqual([]);
});

test('a fork of the past has what there was by then', async () => {
  const { page } = await pasted(dump(FAILED, ...PODS));
  await goToTime(page, '02:03:43');
  await page.getByRole('button', { name: 'Fork' }).click();
  await expect.poll(() => page.locator('.tab').count()).toBe(2);
  await expect.poll(() => page.getByRole('region', { name: 'What was recorded' }).innerText()).toContain('is under way: pod nightly-29668920-mw2hb has been running since 02:03:43');
  expect(await pods(page)).toContain('exit code 1');
});

/** What the editor knows of fields: what it offers to write, and what it says of a field under the pointer. */
import { expect, test } from 'vitest';

import { PI, usePage, write } from './browser.ts';

/** Enter takes what is offered only when a person can have seen it. */
const SEEN = 100;

const { open } = usePage();
const script = 'pods: succeed after 20s\n';

test('fields and values are offered as they are written', async () => {
  const { page, errors } = await open({ session: { script } });
  await write(page, 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: pi}\nspec:\n  parallelism: 2\n  ');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('comp');
  const options = page.locator('.cm-tooltip-autocomplete li');
  await expect.poll(async () => (await options.allInnerTexts()).slice(0, 2)).toEqual(['completionModestring', 'completionsnumber (int32)']);
  await page.locator('.cm-completionInfo', { hasText: 'there is one successful pod for each index' }).waitFor();
  await page.waitForTimeout(SEEN);
  await page.keyboard.press('Enter');
  await page.keyboard.type('In');
  await expect.poll(() => options.allInnerTexts()).toEqual(['Indexed', 'NonIndexed']);
  await page.waitForTimeout(SEEN);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('templ');
  await expect.poll(() => options.allInnerTexts()).toEqual(['templatePodTemplateSpec']);
  await page.waitForTimeout(SEEN);
  await page.keyboard.press('Enter');
  expect(await page.locator('.cm-content').innerText()).toContain('  completionMode: Indexed\n  template:\n    ');
  expect(errors).toEqual([]);
});

test('what is written to its end is not offered: Enter ends the line', async () => {
  const { page } = await open({ session: { script } });
  await write(page, 'apiVersion: batch/v1\nkind: Job\nspec:\n  ');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('suspend: true', { delay: 30 });
  await page.waitForTimeout(200);
  await page.keyboard.press('Enter');
  await page.keyboard.type('x');
  expect(await page.locator('.cm-content').innerText()).toContain('suspend: true\n  x');
});

test('a field says what it means where the pointer rests', async () => {
  const { page, errors } = await open({ session: { manifest: PI, script } });
  await page.locator('.cm-line', { hasText: 'backoffLimit' }).first().locator('span').first().hover();
  const card = page.locator('.cm-field');
  await card.waitFor();
  expect((await card.innerText()).split('\n').filter((line) => line !== '')).toEqual([
    'spec.backoffLimit: number (int32)',
    'How many failed pods are tried again before the Job has failed with BackoffLimitExceeded. The delay before each attempt doubles, from 10 seconds to 10 minutes. Default: 6, or 2147483647 where backoffLimitPerIndex is set.',
    'At least 0.',
    'An update may change it.',
  ]);
  expect(errors).toEqual([]);
});

test('what the manifest will do stands below the editor, with advice', async () => {
  const { page, errors } = await open({ session: { script } });
  await write(page, PI.replace('restartPolicy: Never', 'restartPolicy: OnFailure').replace('  completionMode: Indexed\n', ''));
  const box = page.locator('.forecast');
  await page.getByRole('button', { name: 'Forecast' }).click();
  await box.getByText('job/pi').waitFor();
  await box.getByText('2 pods at a time').waitFor();
  const advice = box.getByRole('list', { name: 'Advice on the manifest' });
  await advice.locator('.warning', { hasText: 'logs' }).locator('.place').click();
  expect(await page.locator('.cm-activeLine').innerText()).toContain('restartPolicy: OnFailure');
  await write(page, PI.replace('kind: Job', 'kind: Jop'));
  await expect.poll(() => box.count()).toBe(0);
  expect(errors).toEqual([]);
});

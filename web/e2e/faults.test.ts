/** Faults: each has its effect, and is a mark, a line of the story, part of the link, and a band where it lasts. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { decode } from '../src/session.ts';
import { usePage, xOf } from './browser.ts';

const { open } = usePage();

/** In the back-off after a failure, whose end is the next thing that the controller does. */
const session = { script: 'index 1 attempt 1: exit 1 after 1s\npods: succeed after 5s\n' };

async function openedList(page: Page) {
  const time = page.getByRole('textbox', { name: 'Go to time' });
  await time.fill('0:03');
  await time.press('Enter');
  await expect.poll(() => time.inputValue()).toBe('0:03');
  await page.getByRole('button', { name: 'Inject fault', exact: true }).click();
  return page.getByRole('dialog', { name: 'Inject fault at 0:03' });
}

const story = async (page: Page) => (await page.locator('.story-line').allInnerTexts()).map((line) => line.replace(/\s+/g, ' ').trim()).join('\n');
const holds = (page: Page) => page.getByRole('list', { name: 'What holds at this step' }).innerText();

describe('the next write', () => {
  test.each([
    ['Refuse it with a conflict', 'conflict', 'the object has been modified', '○ Retrying at 0:07: creating a pod failed'],
    ['Refuse it as forbidden', 'forbidden', 'the request is forbidden', '○ Retrying at 0:07: creating a pod failed'],
    ['Refuse it because the namespace is terminating', 'namespace terminating', 'because it is being terminated', '○ Not creating pods: the namespace is being deleted'],
    ['Fail it with a server error', 'server error', 'the server has an internal error', '○ Retrying at 0:07: creating a pod failed'],
    ['Let it time out before it takes effect', 'timeout before', 'the server did not answer in time', '○ Neither creating nor deleting pods: the watch has yet to show 1 creation'],
    ['Let it time out after it takes effect', 'timeout after', 'the server did not answer in time', 'pod pi-1-00002 Pending: attempt 2 of index 1'],
  ])('%s', async (name, kind, answer, effect) => {
    const { page, errors } = await open({ session });
    await (await openedList(page)).getByRole('button', { name, exact: true }).click();
    await happened(page, `refuse next write with ${kind}`);
    await expect.poll(() => story(page)).toMatch(new RegExp(`^0:06 POST .*pods: .*${answer}`, 'm'));
    expect(await story(page)).toContain(`0:06 ${effect}`);
    expect(errors).toEqual([]);
  });
});

describe('the cluster fails', () => {
  test.each([
    ['Crash it (it restarts and loses its in-memory state)', 'restart controller', '', '', '0:03 ● Creating 1 pod for index 1'],
    ['Pause the controller for', 'pause controller for 30s', 'controller', 'controller paused for 30 s until 0:33', '0:33 ● Creating 1 pod for index 1'],
    ['Delay the watch by', 'delay watch by 5s', 'watch', 'watch delayed by 5 s until 0:08', '0:09 ● Creating 1 pod for index 1'],
    ['Cut the watch for', 'cut watch for 30s', 'watch', 'watch disconnected for 30 s until 0:33', '0:34 ● The Job succeeds'],
    ['Drain it (evicts all its pods)', 'evict pods', '', '', '0:03 pod pi-0-00001 Terminating'],
    ['Take it offline (it stops reporting)', 'lose node', '', '', '5:53 pod pi-0-00001 Terminating'],
    ['Remove it (its pods fail and are deleted)', 'remove node', '', '', '0:03 pod pi-0-00001 Failed after 3 s'],
    ['Jump the clock ahead by', 'advance 1h', 'clock', '', '1:00:03 pod pi-0-00001 Succeeded after 1h3s'],
  ])('%s', async (name, action, lane, band, effect) => {
    const { page, errors } = await open({ session });
    await (await openedList(page)).getByRole('button', { name, exact: true }).click();
    await happened(page, action, action === 'advance 1h' ? 3603 : 3);
    expect(await page.locator('.bands').first().innerText()).toContain(lane);
    expect(await holds(page)).toContain(band);
    await expect.poll(() => story(page)).toContain(effect);
    expect(errors).toEqual([]);
  });
});

/** Whether an action is a line of the story, a mark, and part of the link. */
async function happened(page: Page, action: string, at = 3): Promise<void> {
  await expect.poll(() => story(page)).toContain(`◆ ${action}`);
  await expect.poll(async () => (await decode(await page.evaluate(() => location.hash))).script).toContain(`at 3s: ${action}\n`);
  const marks = await page.locator('.lane-group.marks .plot').first().boundingBox();
  await page.mouse.move(await xOf(page, at), (marks?.y ?? 0) + (marks?.height ?? 0) - 9);
  await expect.poll(() => page.locator('.hint-line').innerText()).toMatch(new RegExp(`0:03 ${action}$`));
}

describe('a length of time', () => {
  test('that is invalid injects nothing, and the menu shows the valid format', async () => {
    const { page, errors } = await open({ session });
    const list = await openedList(page);
    for (const text of ['soon', '30', '']) {
      const field = list.getByLabel('Length of the pause');
      await field.fill(text);
      await field.press('Enter');
      expect(await list.getByRole('alert').innerText()).toBe(`“${text}” is not a valid duration. Enter one such as 30s, 500ms, 1h30m or 2d.`);
      expect([await field.getAttribute('aria-invalid'), await field.evaluate((one) => one === document.activeElement)]).toEqual(['true', true]);
    }
    await list.getByLabel('Length of the pause').fill('1m');
    expect(await list.getByRole('alert').count()).toBe(0);
    await list.getByRole('button', { name: 'Pause the controller for' }).click();
    await expect.poll(() => page.locator('.actions').innerText()).toContain('pause controller for 1m');
    expect(await page.locator('.actions li').count()).toBe(1);
    expect(errors).toEqual([]);
  });
});

/** Nothing is lost: undo and redo, and all that survives a reload, another example, another window and a full storage. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { step, usePage } from './browser.ts';

const { open } = usePage();
const script = 'pods: succeed after 20s\n';

/** What stands in the script. */
const lines = (page: Page) => page.locator('.rules tr, .actions li').allTextContents();

async function fault(page: Page, name: string): Promise<void> {
  const before = await page.locator('.actions li').count();
  await page.getByRole('button', { name: 'Inject fault', exact: true }).click();
  await page.getByRole('button', { name, exact: true }).click();
  await expect.poll(() => page.locator('.actions li').count()).toBe(before + 1);
}

describe('undo', () => {
  test('ten actions are undone by ten keys, and done again by ten', async () => {
    const { page, errors } = await open({ session: { script, cursor: 5 } });
    const names = ['with a conflict', 'as forbidden', 'with a server error', 'Restart it (it loses its in-memory state)', 'Drain it (evicts all its pods)'];
    const states = [await lines(page)];
    for (const name of [...names, ...names]) {
      await fault(page, name);
      states.push(await lines(page));
    }
    for (let number = 9; number >= 0; number--) {
      await page.keyboard.press('z');
      await expect.poll(() => lines(page)).toEqual(states[number]);
    }
    await page.getByText('Undid: Refuse next write with conflict').waitFor();
    await expect.poll(() => step(page)).toBe(5);
    for (let number = 1; number <= 10; number++) {
      await page.keyboard.press(number % 2 === 0 ? 'Shift+Z' : 'Control+Shift+Z');
      await expect.poll(() => lines(page)).toEqual(states[number]);
    }
    expect(errors).toEqual([]);
  });

  test('its buttons name what they undo, and keep the focus', async () => {
    const { page, errors } = await open({ session: { script, cursor: 5 } });
    await page.getByRole('button', { name: 'Nothing to undo' }).waitFor();
    await page.keyboard.press('f');
    await expect.poll(() => page.locator('.tab').count()).toBe(2);
    await page.getByRole('button', { name: /^Undo: Continue in “Session · from 0:0/ }).click();
    await expect.poll(() => page.locator('.tab').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Nothing to undo');
    await page.getByRole('button', { name: /^Redo: Continue/ }).click();
    await expect.poll(() => page.locator('.tab').count()).toBe(2);
    expect(errors).toEqual([]);
  });
});

test('choosing an example keeps the other tabs, and one that is open is not opened again', async () => {
  const { page, errors } = await open({ session: { script, title: 'Mine', cursor: 5 } });
  const choose = async () => {
    await page.keyboard.press('/');
    await page.locator('.questions button').first().click();
  };
  await choose();
  await expect.poll(() => page.locator('.tab').count()).toBe(2);
  await page.locator('.tab').getByRole('button', { name: 'Mine', exact: true }).click();
  await expect.poll(() => step(page)).toBe(5);
  await choose();
  await page.locator('.tab.current:not(:has-text("Mine"))').waitFor();
  expect(await page.locator('.tab').count()).toBe(2);
  expect(errors).toEqual([]);
});

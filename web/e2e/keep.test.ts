/** Nothing is lost: undo and redo, and all that survives a reload, another example, another window and a full storage. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { cursor, packed, PI, played, step, usePage, watched, write } from './browser.ts';

const { open, address } = usePage();
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
    const names = ['Refuse it with a conflict', 'Refuse it as forbidden', 'Fail it with a server error', 'Crash it (it restarts and loses its in-memory state)', 'Drain it (evicts all its pods)'];
    const states = [await lines(page)];
    for (const name of [...names, ...names]) {
      await fault(page, name);
      states.push(await lines(page));
    }
    for (let number = 9; number >= 0; number--) {
      await page.keyboard.press('z');
      await expect.poll(() => lines(page)).toEqual(states[number]);
    }
    await page.getByText('Undone: Refuse next write with conflict').waitFor();
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
    await page.getByRole('button', { name: /^Undo: Continue in “pi · from 0:0/ }).click();
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

const broken = 'apiVersion: batch/v1\nkind: Job\nspec: [\n';
const editor = (page: Page) => page.locator('.cm-content').innerText();

describe('after a reload', () => {
  test('tabs, a broken draft and the cursor are there again', async () => {
    const { page, errors } = await open({ session: { script, title: 'Mine', cursor: 2 } });
    await page.keyboard.press('f');
    await expect.poll(() => page.locator('.tab').count()).toBe(2);
    await page.locator('.digits').waitFor();
    for (let number = 0; number < 3; number++) await page.keyboard.press('ArrowRight');
    await expect.poll(() => step(page)).toBe(5);
    await page.locator('.cm-content').waitFor();
    await write(page, broken);
    await page.reload();
    await played(page);
    await expect.poll(() => step(page)).toBe(5);
    await expect.poll(() => editor(page)).toContain('spec: [');
    await page.locator('.problems li.error').first().waitFor();
    expect(await page.locator('.tab.current').innerText()).toContain('Mine · from');
    expect(await page.locator('.tab').count()).toBe(2);
    await page.locator('.tab').getByRole('button', { name: 'Mine', exact: true }).click();
    await expect.poll(() => step(page)).toBe(2);
    expect(errors).toEqual([]);
  });

  test('an edit that was not applied is offered again, and not played', async () => {
    const { page } = await open({ session: { script, cursor: 5 } });
    await page.locator('.cm-content').waitFor();
    await write(page, PI.replace('backoffLimit: 3', 'backoffLimit: 5'));
    await page.getByRole('button', { name: /^Apply at/ }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: /^Apply at/ }).waitFor();
    await expect.poll(() => step(page)).toBe(5);
    await page.getByRole('button', { name: 'Nothing to undo' }).waitFor();
  });
});

describe('a script that is half typed', () => {
  const half = 'pods: exit 1 after 3s\nat 12s: susp';

  /** Opens a session in which somebody has typed that much. */
  async function halfTyped() {
    const opened = await open({ session: { script } });
    await opened.page.getByRole('button', { name: 'Edit as text', exact: true }).click();
    await opened.page.getByLabel('Script').fill(half);
    await opened.page.getByRole('alert').waitFor();
    return opened;
  }

  test('is there again after a reload, with its error above it, and what is shown is dimmed and can be read', async () => {
    const { page, errors } = await halfTyped();
    await page.reload();
    await played(page);
    await expect.poll(() => page.getByLabel('Script').inputValue()).toBe(half);
    const error = page.getByRole('alert');
    expect(await error.innerText()).toMatch(/^Line 2: /);
    const [above, below] = [await error.boundingBox(), await page.getByLabel('Script').boundingBox()];
    expect((above?.y ?? NaN) + (above?.height ?? NaN)).toBeLessThanOrEqual(below?.y ?? NaN);
    await page.getByText('The outcome and timeline are those of the last valid script.').waitFor();
    expect(await page.locator(':is(.outcomes, .plots, .story, .why).stale').count()).toBe(4);
    await page.getByLabel('Script').fill('pods: exit 1 after 3s\nat 12s: suspend');
    await expect.poll(() => page.locator('.stale').count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test('is kept beside the table, and gets what is done there', async () => {
    const { page } = await halfTyped();
    await page.getByRole('button', { name: 'Edit as table', exact: true }).click();
    expect(await page.getByRole('combobox', { name: 'What they do, rule 1' }).inputValue()).toBe('succeed after 20s');
    await fault(page, 'Refuse it as forbidden');
    await page.getByRole('button', { name: 'Edit as text', exact: true }).click();
    expect(await page.getByLabel('Script').inputValue()).toMatch(/^pods: exit 1 after 3s\nat 12s: susp\nat .*: refuse .*forbidden\n$/);
    await page.getByRole('button', { name: 'Edit as table', exact: true }).click();
    await page.getByRole('button', { name: 'Discard the text' }).click();
    await expect.poll(() => page.locator('.stale').count()).toBe(0);
  });

  test('is in the link', async () => {
    const { page, context } = await halfTyped();
    await page.locator('#pods-title').click();
    await page.keyboard.press('s');
    await page.getByText('Copied the link').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await context.newPage();
    await other.goto(link);
    await expect.poll(() => other.getByLabel('Script').inputValue()).toBe(half);
  });
});

test('a link opens beside the tabs that are kept', async () => {
  const { page, context } = await open({ session: { script, title: 'Mine', cursor: 5 } });
  const link = await page.evaluate(() => location.href);
  await page.close({ runBeforeUnload: false });
  const again = await context.newPage();
  await again.goto(address());
  await again.locator('.example-button', { hasText: 'Mine' }).waitFor();
  await expect.poll(() => step(again)).toBe(5);
  await again.goto(`${address()}#${link.split('#')[1]}`);
  await again.reload();
  await again.locator('.example-button', { hasText: 'Mine' }).waitFor();
  expect(await again.locator('.tab').count()).toBe(0);
});

test('two windows at once each keep their own tabs', async () => {
  const { page, context } = await open({ session: { script, title: 'First', cursor: 5 } });
  const second = await context.newPage();
  const errors = watched(second);
  await second.goto(address());
  await played(second);
  await second.keyboard.press('f');
  await expect.poll(() => second.locator('.tab').count()).toBe(2);
  await page.keyboard.press('ArrowRight');
  for (const one of [page, second]) {
    await one.reload();
    await played(one);
  }
  expect([await page.locator('.tab').count(), await page.locator('.example-button').innerText(), await second.locator('.tab').count()]).toEqual([0, expect.stringContaining('First'), 2]);
  await expect.poll(() => step(page)).toBe(6);
  expect(errors).toEqual([]);
});

test.each([['full', 'QuotaExceededError', 'storage is full'], ['denied', 'SecurityError', 'does not let the page store anything']])('a storage that is %s is reported once, and the address still holds what is on the screen', async (_name, name, message) => {
  const { page, errors } = await open({ session: { script, title: 'Mine', cursor: 2 } });
  await page.addInitScript((error) => {
    Storage.prototype.setItem = () => {
      throw new DOMException('no', error);
    };
  }, name);
  await page.reload();
  await page.getByText(message).waitFor();
  await page.getByText(message).waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('playground.address'))).toBe(null);
  await page.getByRole('button', { name: 'Inject fault', exact: true }).click();
  await page.getByRole('button', { name: 'Refuse it as forbidden' }).click();
  await expect.poll(() => page.locator('.actions li').count()).toBe(1);
  const before = page.url();
  await expect.poll(() => page.url()).not.toBe(before);
  expect(await page.getByText(message).count()).toBe(0);
  await page.reload();
  await expect.poll(() => page.locator('.actions li').count()).toBe(1);
  expect(await cursor(page).count()).toBe(1);
  expect(errors).toEqual([]);
});

describe('a link', () => {
  const copied = async (page: Page): Promise<string> => {
    await page.locator('#why-title').click();
    await page.keyboard.press('s');
    await page.getByText('Copied the link.').waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };

  test('holds both lanes, the exact time, and a broken draft with what was played before it', async () => {
    const { page } = await open();
    await page.keyboard.press('c');
    await page.getByRole('button', { name: /Who retries/ }).click();
    await page.getByRole('button', { name: 'Go there' }).waitFor();
    const marks = await page.locator('.lane-group.marks .plot').first().boundingBox();
    await page.mouse.click((marks?.x ?? 0) + 300, (marks?.y ?? 0) + 10);
    await page.locator('.cm-content').waitFor();
    await write(page, broken);
    await page.locator('.problems li.error').first().waitFor();
    const shown = (on: Page) => on.getByRole('slider', { name: 'Step' }).evaluateAll((all) => all.map((one) => one.getAttribute('aria-valuetext')));
    const before = await shown(page);
    const link = await copied(page);
    const there = (await open()).page;
    await there.goto(link);
    await expect.poll(() => shown(there)).toEqual(before);
    await expect.poll(() => editor(there)).toContain('spec: [');
    await there.locator('.problems li.error').first().waitFor();
    expect(await there.locator('.lane-title').allInnerTexts()).toEqual(await page.locator('.lane-title').allInnerTexts());
  });

  test('that is long is copied with a warning', async () => {
    const noise = Array.from({ length: 2000 }, (_, number) => `# ${(number * 7919 * 104_729) % 1_000_003}`).join('\n');
    const { page } = await open({ session: { script, manifest: `${PI}${noise}\n` } });
    await copied(page);
    await page.getByText(/It is \d+ kB long, and some programs cut links longer than 8 kB/).waitFor();
  });

  test('that would unpack to 60 MB is refused after 2 MB, and nothing is lost', async () => {
    const { page } = await open({ session: { script, title: 'Mine', cursor: 5 } });
    const unpacked = await page.evaluate(async (to) => {
      let length = 0;
      const read = ReadableStreamDefaultReader.prototype.read;
      ReadableStreamDefaultReader.prototype.read = async function (this: ReadableStreamDefaultReader<Uint8Array>) {
        const part = (await read.call(this)) as ReadableStreamReadResult<Uint8Array>;
        length += part.value?.length ?? 0;
        return part;
      };
      location.hash = to;
      while (!document.body.textContent?.includes('more than 2 MB')) await new Promise(requestAnimationFrame);
      return length;
    }, packed(60_000_000));
    expect(unpacked).toBeGreaterThan(2_000_000);
    expect(unpacked).toBeLessThan(3_000_000);
    expect([await page.locator('.tab').count(), await step(page)]).toEqual([0, 5]);
  });

  test('of a newer version stays in the address, so that reloading can open it', async () => {
    const { page } = await open();
    await page.goto(`${address()}#2.abcd`);
    await page.getByText('made by a newer version of the playground. Reload the page').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.reload();
    await page.getByText('made by a newer version of the playground. Reload the page').waitFor();
  });
});

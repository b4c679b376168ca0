/** Everyone can use the page: with the keyboard only, with a screen reader, on a phone, in the dark. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { cronJob, goTo, last, PI, step, usePage, write } from './browser.ts';
import { complete, dump, HANGING, YESTERDAY } from './dumps.ts';
import { PICKY } from './picky.ts';

const { open } = usePage();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  nodes: { html: string }[];
}

/** What axe finds, however slight, once the manifest is marked, if it is shown: axe stumbles over what changes meanwhile. */
async function findings(page: Page): Promise<string[]> {
  if (await page.locator('.manifest').isVisible()) await page.locator('.cm-lintRange, .cm-lintPoint').first().waitFor({ state: 'attached' });
  await page.evaluate(axe);
  const found = (await page.evaluate("axe.run({ rules: { 'target-size': { enabled: true } } }).then((result) => result.violations)")) as Finding[];
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
}

const script = 'index 1 attempt 1: exit 1 after 3s\npods: succeed after 5s\n';

describe.each(['light', 'dark'] as const)('in the %s', (colorScheme) => {
  test('nothing is found', async () => {
    const { page } = await open({ colorScheme, session: { script, cursor: 6 } });
    await page.locator('.cm-content').waitFor();
    expect(await findings(page)).toEqual([]);
    for (const [key, close] of [['/', 'Escape'], ['?', 'Escape'], ['c', 'Escape']] as const) {
      await page.keyboard.press(key);
      await page.locator('dialog').waitFor();
      expect(await findings(page), key).toEqual([]);
      await page.keyboard.press(close);
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
    for (const name of ['Actions', 'Inject fault', 'Share']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.locator('.popup').waitFor();
      expect(await findings(page), name).toEqual([]);
      await page.keyboard.press('Escape');
      await page.locator('.popup').waitFor({ state: 'detached' });
    }
  });
});

test.each(['light', 'dark'] as const)('with a manifest and a script that cannot be played, nothing is found in the %s', async (colorScheme) => {
  const { page } = await open({ colorScheme, session: { script: 'index 9: exit 1\npods: succeed\n' } });
  await page.locator('.cm-content').waitFor();
  await page.getByRole('button', { name: 'Edit as text', exact: true }).click();
  await page.locator('.script-veils span').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByLabel('Script').fill('pods: dance');
  await page.locator('.why.stale').waitFor();
  expect(await findings(page)).toEqual([]);
  await write(page, 'apiVersion: batch/v1\nkind: Job\nspec: [\n');
  await page.locator('.problems').waitFor();
  expect(await findings(page)).toEqual([]);
});

test.each(['light', 'dark'] as const)('with advice, in the editor, below it and on the page of its rule, nothing is found in the %s', async (colorScheme) => {
  const { page } = await open({ colorScheme, session: { manifest: PI.replace('restartPolicy: Never', 'restartPolicy: OnFailure') } });
  await page.locator('.cm-lintRange-warning').hover();
  await page.locator('.cm-tooltip-lint').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Forecast' }).click();
  await page.locator('.forecast .problems').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.locator('.forecast').getByRole('button', { name: 'logs-lost' }).click();
  await page.getByRole('dialog').getByText('What happens').first().click();
  expect(await findings(page)).toEqual([]);
});

test.each(['light', 'dark'] as const)('with a pod failure policy in its cases, nothing is found in the %s', async (colorScheme) => {
  const { page } = await open({ colorScheme, session: { manifest: PICKY } });
  await page.getByRole('button', { name: 'Try the policy…' }).click();
  await page.locator('.idle-rules').waitFor();
  expect(await findings(page)).toEqual([]);
});

test('with two sessions beside each other, nothing is found', async () => {
  const { page } = await open({ session: { script } });
  await page.keyboard.press('c');
  await page.getByRole('dialog').locator('.examples button').first().click();
  await expect.poll(() => page.locator('.lane-box').count()).toBe(2);
  await page.locator('.divergence').first().waitFor();
  expect(await findings(page)).toEqual([]);
});

test.each(['light', 'dark'] as const)('with the past of a Job, nothing is found in the %s', async (colorScheme) => {
  const { page } = await open({ colorScheme, session: { manifest: dump(...HANGING, YESTERDAY, complete('one')), cursor: 2 } });
  await page.locator('.cm-content').waitFor();
  await page.getByText('2 other Jobs').click();
  expect(await findings(page)).toEqual([]);
});

test.each(['light', 'dark'] as const)('with a CronJob, nothing is found in the %s', async (colorScheme) => {
  const { page } = await open({ colorScheme, session: { manifest: cronJob(), script } });
  await page.locator('.cm-content').waitFor();
  for (let number = 0; number < 7; number++) {
    const before = await step(page);
    await page.keyboard.press('n');
    await expect.poll(() => step(page)).toBeGreaterThan(before);
  }
  expect(await findings(page)).toEqual([]);
  for (const [name, dialog] of [['hello', 'CronJob hello'], ['Job hello-29453766, run 00:06', 'Job hello-29453766']] as const) {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: dialog }).waitFor();
    expect(await findings(page), name).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.popup').waitFor({ state: 'detached' });
  }
  for (const name of ['Runs of hello', 'Calendar of hello']) {
    await page.getByRole('button', { name }).click();
    await page.locator('dialog td').first().waitFor();
    expect(await findings(page), name).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
});

test('the tour waits until it is asked for', async () => {
  const { page, errors } = await open();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByRole('button', { name: 'Take the tour' }).click();
  await page.getByRole('dialog', { name: 'A short tour' }).waitFor();
  expect(await findings(page)).toEqual([]);
  for (let number = 0; number < 5; number++) await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'A short tour' }).waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});

test('the keyboard is enough', async () => {
  const { page } = await open({ session: { script } });
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  expect(await step(page)).toBe(2);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowRight');
  expect(await step(page)).toBeGreaterThan(2);
  await page.keyboard.press('End');
  expect(await step(page)).toBe(await last(page));
  await page.keyboard.press('Home');
  expect(await step(page)).toBe(0);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await tabTo(page, 'index 1');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Evict');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.actions').innerText()).toContain('evict pod pi-1-');
});

/** Presses Tab until something with these words has the focus. */
async function tabTo(page: Page, words: string): Promise<void> {
  for (let number = 0; number < 80; number++) {
    const text = await page.evaluate(() => document.activeElement?.textContent ?? '');
    if (text.trim() === words || text.startsWith(`${words} at 0:`)) return;
    await page.keyboard.press(text.includes('apiVersion') ? 'Escape' : 'Tab');
    if (text.includes('apiVersion')) await page.keyboard.press('Tab');
  }
  expect.fail(`the Tab key does not lead to "${words}"`);
}

test('panes are resized and hidden with the keyboard, and stay so', async () => {
  const { page } = await open({ session: { script } });
  const width = async () => (await page.locator('.why').boundingBox())?.width;
  const line = page.getByRole('separator', { name: 'Width of the Why pane' });
  await line.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(width).toBe(376);
  await page.keyboard.press('Enter');
  await page.locator('.reasons').waitFor({ state: 'hidden' });
  await page.reload();
  await page.locator('.cm-content').waitFor();
  expect(await page.locator('.reasons').isVisible()).toBe(false);
  await line.dblclick();
  await page.locator('.reasons').waitFor();
});

test('decisions are announced to screen readers', async () => {
  const { page } = await open({ session: { script } });
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.locator('.why [role=status]').textContent()).toContain('0:00: ● Starting the Job');
  expect(await page.getByRole('list', { name: 'Pods at this step' }).textContent()).toContain('index 0: pod pi-0-');
});

test('a small screen has four tabs, and the transport always', async () => {
  const { page, errors } = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, session: { script } });
  for (const [name, pane] of [['Manifest', '.cm-content'], ['Story', '.story-lines'], ['Why', '.reasons'], ['Timeline', '.rows']] as const) {
    await page.getByRole('button', { name, exact: true }).tap();
    await page.locator(pane).waitFor();
    const box = await page.getByRole('button', { name: 'Next step' }).boundingBox();
    expect(box && box.y + box.height, name).toBeLessThan(844);
    expect(box?.height, name).toBeGreaterThanOrEqual(44);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(390);
    expect(await findings(page), name).toEqual([]);
  }
  await page.getByRole('button', { name: 'Next step' }).tap();
  expect(await step(page)).toBe(1);
  await page.getByRole('button', { name: 'Why', exact: true }).tap();
  await page.getByRole('button', { name: 'spec.parallelism' }).first().tap();
  await page.locator('.cm-shown', { hasText: 'parallelism: 2' }).waitFor();
  expect(errors).toEqual([]);
});

test('who does not like motion sees none: the cursor goes from step to step', async () => {
  const { page } = await open({ reducedMotion: 'reduce', session: { script } });
  await page.keyboard.press(' ');
  await expect.poll(() => step(page)).toBeGreaterThan(4);
  await page.keyboard.press(' ');
  const [digits, text] = [(await page.locator('.digits').innerText()).split(/\s+/).at(-1) ?? '', await page.getByRole('slider').getAttribute('aria-valuetext')];
  expect(text?.endsWith(digits)).toBe(true);
});

/** What has the focus, in words; the body has none. */
async function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const has = document.activeElement;
    return !has || has === document.body ? 'nothing' : (has.getAttribute('aria-label') ?? has.textContent?.trim() ?? has.tagName);
  });
}

test('the focus stays near what was done, and never falls to the body', async () => {
  const { page, errors } = await open({ session: { script, cursor: 6 } });
  // From the body, what closes leads to the cursor of the timeline.
  for (const key of ['/', '?', 'c']) {
    await page.keyboard.press(key);
    await page.locator('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page), { message: key }).toBe('Step');
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  }
  for (const name of ['Actions', 'Inject fault', 'Share']) {
    const button = page.getByRole('button', { name, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.locator('.popup').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.popup').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page), { message: name }).toContain(name);
  }
  // A rule that is removed leaves the focus to the one in its place.
  await page.getByRole('button', { name: 'Remove rule 1' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.rules tbody tr').count()).toBe(1);
  await expect.poll(() => focused(page)).toBe('Remove rule 1');
  await page.keyboard.press('Enter');
  await page.locator('.rules').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('Add a rule…');
  // Undo brings it back and keeps the focus.
  await page.locator('button.undo').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('.rules').waitFor();
  await expect.poll(() => focused(page)).toContain('ndo');
  // A pod that is acted on keeps the focus at its row.
  await goTo(page, 1);
  await page.getByRole('button', { name: 'index 1', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.popup').getByRole('button', { name: /^Delete at/ }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.actions').innerText()).toContain('delete pod');
  await expect.poll(() => focused(page)).toContain('index 1');
  // A fork has the focus in the transport, and a tab that closes gives it to the current one.
  await page.getByRole('button', { name: 'Fork', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.tab').count()).toBeGreaterThan(1);
  await expect.poll(() => focused(page)).toBe('Fork');
  for (let count = await page.locator('.tab').count(); count > 1; count--) {
    await page.locator('.tab.current').getByRole('button', { name: /^Close/ }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.tab').count()).toBe(count > 2 ? count - 1 : 0);
    await expect.poll(() => focused(page)).not.toBe('nothing');
  }
  // An example opens and gives the focus back to the button that led to it.
  await page.locator('.example-button').focus();
  await page.keyboard.press('Enter');
  await page.locator('dialog .questions button').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('example-button');
  expect(errors).toEqual([]);
});

test('the keys can be switched off, except Esc and those of the slider', async () => {
  const { page, errors } = await open({ session: { script, cursor: 3 } });
  await page.keyboard.press('?');
  await page.getByRole('checkbox', { name: /^Use keyboard shortcuts/ }).press(' ');
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Compare…' }).focus();
  const at = await step(page);
  for (const key of ['ArrowRight', 'Home', 'End', 'x', 'f', 'c', '/', 's', 'z', '?']) await page.keyboard.press(key);
  expect(await step(page)).toBe(at);
  expect(await page.locator('dialog, .tab, .toast').count()).toBe(0);
  await page.getByRole('slider', { name: 'Step' }).press('ArrowRight');
  expect(await step(page)).toBe(at + 1);
  // It stays so, and can be switched on again.
  await page.reload();
  await page.locator('.cm-content').waitFor();
  await page.keyboard.press('?');
  expect(await page.locator('dialog').count()).toBe(0);
  await page.getByRole('button', { name: 'Help and keyboard shortcuts' }).click();
  await page.getByRole('checkbox', { name: /^Use keyboard shortcuts/ }).click();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('c');
  await page.getByRole('dialog').waitFor();
  expect(errors).toEqual([]);
});

/** What can be pressed and is smaller than a finger. */
async function narrow(page: Page): Promise<string[]> {
  return page.locator('button, a[href], input, select, textarea, summary, [role=option], [role=slider], [role=separator]').evaluateAll((all) =>
    all.filter((one) => one.checkVisibility({ visibilityProperty: true })).flatMap((one) => {
      const { width, height } = (one.closest('label') ?? one).getBoundingClientRect();
      return Math.min(width, height) < 44 && width > 0 ? [`${one.getAttribute('aria-label') ?? one.textContent}: ${Math.round(width)} × ${Math.round(height)}`] : [];
    }),
  );
}

test.each([['a Job', { script, cursor: 6 }], ['a CronJob', { manifest: cronJob(), script, cursor: 30 }]] as const)('a finger meets all that can be pressed, with %s', async (_, session) => {
  const { page } = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, session });
  for (const name of ['Manifest', 'Story', 'Why', 'Timeline']) {
    await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name }).tap();
    expect(await narrow(page), name).toEqual([]);
    expect(await findings(page), name).toEqual([]);
  }
  for (const name of ['Actions', 'Inject fault', 'Share']) {
    await page.getByRole('button', { name, exact: true }).tap();
    await page.locator('.popup').waitFor();
    expect(await narrow(page), name).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.popup').waitFor({ state: 'detached' });
  }
  for (const key of ['/', '?', 'c']) {
    await page.keyboard.press(key);
    await page.locator('dialog').waitFor();
    expect(await narrow(page), key).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
});

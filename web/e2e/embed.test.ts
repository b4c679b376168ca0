/** The page as a part of another: it shows the session and nothing to change it, fits its frame, and keeps nothing. */
import type { Frame, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { fragment, last, played, step, usePage, watched } from './browser.ts';

const { open, address } = usePage();
const session = { script: 'index 1: exit 42 after 3s\n', cursor: 9, title: 'A "moment"' };

interface Embedded {
  page: Page;
  frame: Frame;
  errors: string[];
}

/** Another page with the embed code in it, in a frame of this size. */
async function embedded(width: number, height: number, code?: string): Promise<Embedded> {
  const { context } = await open();
  const page = await context.newPage();
  const errors = watched(page);
  await context.addInitScript(() => {
    if (!location.search.includes('embed')) return;
    for (const name of ['getItem', 'setItem'] as const) Storage.prototype[name] = () => { throw new Error(`the page called ${name}`); };
  });
  await page.setViewportSize({ width: width + 40, height: height + 40 });
  await page.setContent(code ?? `<iframe src="${address()}?embed${await fragment(session)}" width="${width}" height="${height}"></iframe>`);
  const frame = await (await page.locator('iframe').elementHandle())?.contentFrame();
  if (!frame) throw new Error('there is no frame');
  await frame.locator('.handle:not([aria-valuemax="0"])').first().waitFor({ state: 'attached' });
  return { page, frame, errors };
}

describe.each([[800, 500], [400, 500]])('in a frame of %i × %i', (width, height) => {
  test('it has outcome, timeline and reasons, and no header or editor', async () => {
    const { frame, errors } = await embedded(width, height);
    for (const shown of ['.outcome-line', '.timeline', '.rows', '.story-line', '.reasons > *', '.embed-foot a']) await frame.locator(shown).first().waitFor();
    for (const absent of ['.head', '.cm-editor', '.manifest', '.pods-pane', '.tour', '.transport']) expect(await frame.locator(absent).count()).toBe(0);
    const fits = await frame.evaluate(() => [document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight]);
    expect(fits).toEqual([true, true]);
    const tall = await frame.evaluate(() => ['.rows', '.reasons'].map((name) => document.querySelector(name)?.clientHeight ?? 0));
    expect(Math.min(...tall)).toBeGreaterThanOrEqual(56);
    expect(errors).toEqual([]);
  });
});

test('a manifest that cannot be read is shown as it is, with what is wrong with it', async () => {
  const { page } = await open();
  const draft = 'kind: [\n';
  await page.goto(`${address()}?embed${await fragment({ ...session, draft })}`);
  await page.getByText('The outcome and timeline are those of the last valid manifest.').waitFor();
  await page.getByText('invalid YAML').waitFor();
  await page.getByRole('button', { name: 'Manifest' }).click();
  expect(await page.getByRole('dialog').locator('pre').first().innerText()).toBe(draft);
});

test.each([[1440, 900], [390, 844]])('on a screen of %i × %i, no step makes the page or the embedded one longer than the screen', async (width, height) => {
  const { page } = await open({ viewport: { width, height }, session });
  for (const embed of ['', '?embed']) {
    await page.goto(`${address()}${embed}${await fragment(session)}`);
    await page.locator('.handle:not([aria-valuemax="0"])').first().waitFor({ state: 'attached' });
    for (let number = 0; number < 12; number++) {
      await page.keyboard.press('ArrowRight');
      expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
    }
  }
});

test.each([[800, 500], [400, 500]])('in a frame of %i × %i, two sessions have two rows each before the story has any lines', async (width, height) => {
  const { page: whole } = await open({ session });
  await whole.keyboard.press('c');
  await whole.getByRole('button', { name: /Who retries/ }).click();
  await whole.getByRole('button', { name: 'Go there' }).waitFor();
  await whole.keyboard.press('s');
  await whole.getByText('Copied the link.').waitFor();
  const link = await whole.evaluate(() => navigator.clipboard.readText());
  const { frame } = await embedded(width, height, `<iframe src="${link.replace('#', '?embed#')}" width="${width}" height="${height}"></iframe>`);
  await expect.poll(() => frame.locator('.rows').count()).toBe(2);
  expect(Math.min(...(await frame.locator('.rows').evaluateAll((all) => all.map((rows) => rows.clientHeight))))).toBeGreaterThanOrEqual(57);
  await frame.getByRole('button', { name: 'Story' }).click();
  await expect.poll(() => frame.locator('.story-line').first().evaluate((line) => line.clientHeight)).toBe(22);
  await frame.locator('.outcome-line').last().scrollIntoViewIfNeeded();
  expect(await frame.locator('.outcome-line').last().evaluate((line) => line.clientHeight)).toBeGreaterThanOrEqual(20);
});

test('on a phone, it has its title, all of its outcome, buttons that step, and its manifest on request', async () => {
  const { frame } = await embedded(390, 500);
  expect(await frame.getByRole('heading', { level: 1 }).innerText()).toBe('A "moment"');
  expect(await frame.locator('.outcome-text').evaluate((text) => text.scrollWidth <= text.clientWidth && text.scrollHeight <= text.clientHeight)).toBe(true);
  expect(await frame.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await frame.getByRole('button', { name: 'Go to the next step' }).click();
  await expect.poll(() => frame.getByRole('slider', { name: 'Step' }).getAttribute('aria-valuenow')).toBe('10');
  const small = await frame.locator('.embed-head button').evaluateAll((all) => all.filter((one) => one.clientHeight < 40).length);
  expect(small).toBe(0);
  await frame.getByRole('button', { name: 'Manifest' }).click();
  await frame.getByText('completionMode: Indexed').waitFor();
  await frame.getByText('index 1: exit 42 after 3s').waitFor();
});

test('the arrow keys move it, and its link leads to the same step in the playground', async () => {
  const { page, frame } = await embedded(800, 500);
  const cursor = frame.getByRole('slider', { name: 'Step' });
  await cursor.focus();
  await page.keyboard.press('End');
  await expect.poll(() => cursor.getAttribute('aria-valuenow')).toBe(await cursor.getAttribute('aria-valuemax'));
  await page.keyboard.press('ArrowLeft');
  const before = Number(await cursor.getAttribute('aria-valuemax')) - 1;
  await expect.poll(() => cursor.getAttribute('aria-valuenow')).toBe(String(before));
  const address = frame.getByRole('link', { name: 'Open in the playground' });
  const opening = page.context().waitForEvent('page');
  await expect.poll(() => address.getAttribute('href')).not.toContain('embed');
  await address.click();
  const there = await opening;
  await played(there);
  await expect.poll(async () => [await step(there), await last(there)]).toEqual([before, before + 1]);
});

test('the embed code is a frame with the session', async () => {
  const { page } = await open({ session });
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Copy embed code' }).click();
  await page.getByText('Copied the embed code. It works only on this computer, because this page is at 127.0.0.1.').waitFor();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  expect(code).toMatch(/^<iframe src="http[^"]*\?embed#1\.[^"]*" title="A &quot;moment&quot;" width="800" height="500"/);
  const { frame } = await embedded(800, 500, code.replace('loading="lazy"', ''));
  await expect.poll(() => frame.getByRole('slider', { name: 'Step' }).getAttribute('aria-valuenow')).toBe('9');
});

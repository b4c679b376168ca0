/** The first load: something true is painted before the controllers are there, and they take over without anything being lost. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { fragment, last, played, step, usePage, watched } from './browser.ts';
import { load } from './loads.ts';

const { browser, address, open } = usePage();

/** So much may be requested before something is seen, in bytes after gzip. */
const MOST = 150_000;

test('what happened is seen before the controllers are requested, within 150 kB', async () => {
  const { page, before, all } = await load(browser(), address(), 1);
  const names = [...before.keys()].map((url) => url.split('/').at(-1));
  expect(names.filter((name) => /\.wasm$|^worker|^yaml/.test(name ?? ''))).toEqual([]);
  expect([...before.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST);
  expect([...all.keys()].filter((url) => url.endsWith('.wasm'))).toHaveLength(2);
  await page.context().close();
});

/** Opens the page without the controllers, which come when `arrive` is called. */
async function waiting(): Promise<{ page: Page; errors: string[]; arrive: () => void }> {
  const context = await browser().newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
  let arrive = (): void => {};
  const arrived = new Promise<void>((done) => (arrive = done));
  await context.route('**/*.wasm', async (route) => (await arrived, route.continue()));
  const page = await context.newPage();
  const errors = watched(page);
  await page.goto(address());
  await played(page);
  return { page, errors, arrive };
}

/** Opens the page as it is before its script has loaded. */
async function unstarted(viewport: { width: number; height: number }, fragment = '', kept?: [string, string]): Promise<Page> {
  const context = await browser().newContext({ viewport, serviceWorkers: 'block' });
  await context.route(/page-[^/]*\.js$/, (route) => route.abort());
  if (kept) await context.addInitScript(([key, value]) => localStorage.setItem(key, value), kept);
  const page = await context.newPage();
  await page.goto(address() + fragment);
  return page;
}

const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

test.each(Object.entries(SIZES))('before the script has loaded, the page says what it says afterwards, at the same places: on a %s', async (_, viewport) => {
  const before = await unstarted(viewport);
  const context = await browser().newContext({ viewport });
  const after = await context.newPage();
  const errors = watched(after);
  await after.goto(address());
  await played(after);
  const looked = (page: Page) => page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('.head, .strip, .outcome-line, .job-line, .row-label, .reasons > :not(.objects), .pane-head, .pods-pane')];
    return all.filter((one) => one.checkVisibility()).map((one) => {
      const { x, y, width } = one.getBoundingClientRect();
      return [one.className, one.innerText.replace(/\s+/g, ' ').trim(), ...[x, y, width].map(Math.round)];
    });
  });
  const seen = await looked(before);
  expect(seen.length).toBeGreaterThan(5);
  expect(await before.locator('.editor-before').textContent()).toContain('kind: Job');
  expect(await before.locator('.story-line').count()).toBeGreaterThan(10);
  await expect.poll(() => looked(after)).toEqual(seen);
  expect(errors).toEqual([]);
  await before.context().close();
  await context.close();
});

test.each([
  ['a link', await fragment({ title: 'Mine' }), undefined],
  ['a frame', '?embed', undefined],
  ['a kept tab', '', ['playground.window.1', '{}'] as [string, string]],
])('what the page opens with is not shown in place of %s', async (_, end, kept) => {
  const page = await unstarted(SIZES.desktop, end, kept);
  expect(await page.locator('.prerendered').count()).toBe(1);
  expect(await page.locator('.outcome-line').isVisible()).toBe(false);
  await page.context().close();
});

test('until the controllers are there, the play can be gone through, and nothing jumps when they come', async () => {
  const { page, errors, arrive } = await waiting();
  const text = (): Promise<string[]> => page.locator('.outcome-line, .reasons, .story, .job-line').allInnerTexts();
  expect(await page.locator('.outcome-line').innerText()).toContain('Complete');
  expect(await page.getByText('Loading the controllers').count()).toBe(0);
  await page.locator('.cm-content').waitFor();
  const [before, at] = [await text(), await step(page)];
  expect(await page.locator('.reasons').innerText()).not.toBe('');
  await page.keyboard.press('Home');
  for (let count = 0; count < 4; count++) await page.keyboard.press('ArrowRight');
  expect(await step(page)).toBe(4);
  arrive();
  await page.locator('.object').first().waitFor();
  expect(await step(page)).toBe(4);
  await page.getByText('Objects', { exact: true }).click();
  for (let count = 4; count < at; count++) await page.keyboard.press('ArrowRight');
  expect(await text()).toEqual(before);
  expect(errors).toEqual([]);
  await page.context().close();
});

test('what is done before the controllers are there is done when they come', async () => {
  const { page, errors, arrive } = await waiting();
  await page.keyboard.press('End');
  const end = await step(page);
  await page.getByRole('button', { name: 'Inject fault', exact: true }).click();
  await page.getByRole('button', { name: 'Refuse it as forbidden' }).click();
  expect(await step(page)).toBe(end);
  arrive();
  await page.locator('.actions li').waitFor();
  expect(errors).toEqual([]);
  await page.context().close();
});

test('where the page itself cannot be loaded, what it opens with stays, and a message says so', async () => {
  const page = await unstarted(SIZES.desktop);
  await page.getByRole('alert').getByText('The page could not be loaded.').waitFor();
  expect(await page.locator('.outcome-line').isVisible()).toBe(true);
  await page.context().close();
});

test('where the controllers cannot be loaded, the page says so', async () => {
  const context = await browser().newContext({ serviceWorkers: 'block' });
  await context.route('**/*.wasm', (route) => route.abort());
  const page = await context.newPage();
  await page.goto(address());
  await played(page);
  await page.locator('.toast').waitFor();
  await context.close();
});

test('a link is played by the controllers', async () => {
  const { page, errors } = await open({ session: { script: 'pods: succeed after 5s\n' } });
  expect(await last(page)).toBeGreaterThan(5);
  expect(errors).toEqual([]);
});

test.each(['**/*.wasm', '**/worker-*.js'])('a session that could not be played for want of %s says so, and is played again at a click', async (missing) => {
  const context = await browser().newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
  await context.route(missing, (route) => route.abort());
  const page = await context.newPage();
  await page.goto(address() + (await fragment({ script: 'pods: succeed after 5s\n' })));
  await expect.poll(() => page.locator('.cannot').innerText()).toMatch(/^This session could not be played\.\s+The controllers stopped: .* They start again/);
  expect(await page.getByText('Loading the controllers').count()).toBe(0);
  await context.unroute(missing);
  await page.getByRole('button', { name: 'Play again' }).click();
  await expect.poll(() => page.locator('.outcome-line').innerText()).toContain('Complete');
  expect(await page.locator('.cannot').count()).toBe(0);
  await context.close();
});

/** On a low screen, such as a window of 1280 × 720 at 200 %, all of the page is still there. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { cronJob, PI, usePage, xOf } from './browser.ts';

const { open } = usePage();
const manifest = PI.replace('completions: 2', 'completions: 5').replace('backoffLimit: 3', 'backoffLimitPerIndex: 1');
const script = 'index 1: exit 42 after 3s\npods: succeed after 5s\n';
/** Many bands above the rows. */
const busy = `${script}at 1s: pause controller for 2s\nat 4s: cut watch for 2s\nat 8s: suspend\nat 9s: resume\n`;
const SIZES = [[640, 360], [720, 450]] as const;

/** How much of something is seen, in pixels of its height. */
async function seen(page: Page, selector: string): Promise<number> {
  return page.locator(selector).first().evaluate((element) => {
    let { top, bottom } = element.getBoundingClientRect();
    for (let around = element.parentElement; around; around = around.parentElement) {
      if (getComputedStyle(around).overflowY === 'visible') continue;
      const edge = around.getBoundingClientRect();
      [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return Math.max(0, Math.min(bottom, innerHeight) - top);
  });
}

/** Fully seen is what is seen in all of its height. */
async function whole(page: Page, selector: string): Promise<boolean> {
  return (await seen(page, selector)) === (await page.locator(selector).first().boundingBox())?.height;
}

/** All that the Tab key leads to, in words, and of that what something else lies over. */
async function reached(page: Page): Promise<{ all: string[]; covered: string[] }> {
  const [all, covered]: [string[], string[]] = [[], []];
  await page.locator('.example-button').focus();
  for (let number = 0; number < 80; number++) {
    const [name, free] = await page.evaluate(() => {
      const has = document.activeElement;
      if (!has || has === document.body) return ['', true] as const;
      const { left, top, width, height } = has.getBoundingClientRect();
      const over = document.elementFromPoint(left + width / 2, top + height / 2);
      return [has.getAttribute('aria-label') ?? has.textContent?.trim() ?? '', over !== null && has.contains(over)] as const;
    });
    if (name === '' || all[0] === name) break;
    all.push(name);
    if (!free) covered.push(name);
    await page.keyboard.press('Tab');
  }
  return { all, covered };
}

test.each(SIZES)('at %i × %i, the outcome, three rows and a line of Why are seen', async (width, height) => {
  const { page, errors } = await open({ viewport: { width, height }, session: { manifest, script: busy } });
  expect(await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight])).toEqual([width, height]);
  expect(await seen(page, '.outcome-line')).toBeGreaterThanOrEqual(20);
  expect(await seen(page, '.rows')).toBeGreaterThanOrEqual(3 * 28);
  expect(await whole(page, '.marks')).toBe(true);
  // No band is cut.
  expect(await seen(page, '.bands')).toBeGreaterThanOrEqual(54);
  expect((await seen(page, '.bands')) % 18).toBe(0);
  expect(await seen(page, '.why-line')).toBeGreaterThanOrEqual(24);
  expect((await page.locator('.transport').boundingBox())?.height).toBeLessThanOrEqual(48);
  expect(errors).toEqual([]);
});

test.each([['a Job', { manifest, script, cursor: 5 }], ['a CronJob', { manifest: cronJob(), script, cursor: 5 }]] as const)('with %s at 640 × 360, the Tab key leads to all that can be done, and nothing covers it', async (_, session) => {
  const { page } = await open({ viewport: { width: 640, height: 360 }, session });
  const { all, covered } = await reached(page);
  expect(covered).toEqual([]);
  for (const name of ['First step', 'Play', 'Last step', 'Go to time', 'Actions', 'Inject fault', 'More']) expect(all.join('\n')).toContain(name);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  const unfolded = await reached(page);
  expect(unfolded.covered).toEqual([]);
  for (const name of ['Speed', 'Fork', 'Compare…', 'More']) expect(unfolded.all).toContain(name);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  for (const pane of ['Manifest', 'Story', 'Why']) {
    await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: pane }).click();
    expect(await seen(page, { Manifest: '.cm-content', Story: '.story-lines', Why: '.reasons' }[pane] ?? '')).toBeGreaterThanOrEqual(100);
  }
});

test('where all marks share a lane, each is a click away', async () => {
  const { page } = await open({ viewport: { width: 640, height: 360 }, session: { manifest, script: busy } });
  const marks = await page.locator('.marks .plot').boundingBox();
  // The action, then the decision that followed from it.
  for (const reason of ['spec.suspend is true', 'Deleting 1 active pod']) {
    await page.mouse.click(await xOf(page, 8), (marks?.y ?? 0) + 9);
    await expect.poll(() => page.locator('.why-line').textContent()).toContain(reason);
  }
});

test('two sessions at 640 × 360 are one below the other, each with its rows', async () => {
  const { page } = await open({ viewport: { width: 640, height: 360 }, session: { manifest, script } });
  await page.keyboard.press('c');
  await page.getByRole('dialog').locator('.examples button').first().click();
  await expect.poll(() => page.locator('.lane-box').count()).toBe(2);
  for (const lane of [0, 1]) {
    const rows = page.locator('.lane-box').nth(lane).locator('.rows');
    await rows.scrollIntoViewIfNeeded();
    const least = Math.min(3, await rows.locator('.row-place').count()) * 28;
    expect(least).toBeGreaterThan(0);
    expect(await seen(page, `.lane-box:nth-child(${lane + 1}) .rows`)).toBeGreaterThanOrEqual(least);
  }
});

test('two sessions with many bands at 1280 × 720 have three whole bands and three whole rows each', async () => {
  const { page } = await open({ viewport: { width: 1280, height: 720 }, session: { manifest, script: busy, title: 'Busy' } });
  await page.getByRole('button', { name: 'Fork', exact: true }).click();
  await page.keyboard.press('c');
  await page.getByRole('dialog').getByRole('button', { name: 'Busy' }).first().click();
  await expect.poll(() => page.locator('.lane-box').count()).toBe(2);
  for (const lane of ['.lane-box:first-child', '.lane-box:last-child']) {
    expect(await seen(page, `${lane} .bands`)).toBe(54);
    expect(await seen(page, `${lane} .rows`)).toBeGreaterThanOrEqual(3 * 28);
    expect(await whole(page, `${lane} .marks`)).toBe(true);
  }
  // What is compared has one line, in full.
  expect((await page.locator('.comparison').boundingBox())?.height).toBeLessThanOrEqual(44);
  expect(await page.locator('.comparison p').evaluateAll((all) => all.filter((line) => line.scrollWidth > line.clientWidth).map((line) => line.textContent))).toEqual([]);
});

test.each([[390, 844], [360, 740]])('on a phone of %i × %i, no control of the transport is cut', async (width, height) => {
  const { page } = await open({ viewport: { width, height }, session: { manifest, script } });
  const cut = await page.locator('.transport').evaluate((transport) =>
    [...transport.querySelectorAll('button, select, input')].filter((one) => {
      const { left, right, width: wide } = one.getBoundingClientRect();
      return wide > 0 && (left < 8 || right > innerWidth - 8);
    }).map((one) => one.getAttribute('aria-label') ?? one.textContent),
  );
  expect(cut).toEqual([]);
});

test.each([[1440, 900], [1280, 720], [640, 360], [390, 844]])('at %i × %i, the controls of a row have one height', async (width, height) => {
  const { page } = await open({ viewport: { width, height }, session: { manifest, script } });
  for (const row of ['.head', '.transport', '.story-filters']) {
    const heights = await page.locator(row).evaluate((all) => [...all.querySelectorAll('button, select, input')].map((one) => Math.round(one.getBoundingClientRect().height)).filter((one) => one > 0));
    expect([...new Set(heights)].length, `${row}: ${heights}`).toBeLessThanOrEqual(1);
  }
});

/** Measures what the page costs: time until it can be used, which has a limit, bytes on the first load, a step, a step back, and a drag. */
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { last, PI, step, usePage } from './browser.ts';
import { dragged } from './drag.ts';

const { open, address } = usePage();
const hundred = PI.replace('completions: 2', 'completions: 100').replace('parallelism: 2', 'parallelism: 5').replace('backoffLimit: 3', 'backoffLimit: 1000');
const script = 'attempt 1: exit 1 after 3s\nattempt 2: exit 1 after 3s\npods: succeed after 5s\n';

/** How long it may take until the page can be used, in milliseconds, with the processor slowed by the factor `SLOWED`. */
const USABLE = 1200;
const SLOWED = 4;
const LOADS = 5;

/** The longest and the middle one of some times. */
function summary(times: number[]): string {
  const sorted = [...times].sort((one, other) => one - other);
  return `${(sorted[sorted.length >> 1] ?? 0).toFixed(1)} ms, at most ${(sorted.at(-1) ?? 0).toFixed(1)} ms`;
}

/** How long the page is busy with each of so many presses of a key. */
async function presses(page: Page, key: string, count: number): Promise<number[]> {
  return page.evaluate(async ([name, times]) => {
    const lengths: number[] = [];
    for (let number = 0; number < times; number++) {
      const before = performance.now();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
      lengths.push(performance.now() - before);
      if (number % 20 === 0) await new Promise((drawn) => requestAnimationFrame(drawn));
    }
    return lengths;
  }, [key, count] as const);
}

/** Opens the page as somebody does who has never been there; how long it takes until it can be used, in milliseconds. */
async function load(browser: Browser, onSize: (url: string, size: number) => void): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.on('response', async (response) => onSize(response.url(), gzipSync(await response.body().catch(() => Buffer.alloc(0))).length));
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  // A new window keeps the browser itself busy for a moment, and somebody who opens a page has opened the window before.
  await page.waitForTimeout(1000);
  const before = performance.now();
  await page.goto(address());
  await page.locator('.handle:not([aria-valuemax="0"])').waitFor({ state: 'attached' });
  const took = performance.now() - before;
  await page.locator('.cm-content').waitFor();
  await context.close();
  return took;
}

test('the first load', async () => {
  const { page } = await open();
  const browser = page.context().browser();
  if (!browser) throw new Error('the page has no browser');
  await page.close();
  const sizes = new Map<string, number>();
  const times: number[] = [];
  for (let count = 0; count < LOADS; count++) times.push(await load(browser, (url, size) => sizes.set(url, size)));
  const [middle = 0] = times.sort((one, other) => one - other).slice(LOADS >> 1);
  console.info(`usable after ${middle.toFixed(0)} ms, of ${times.map((time) => time.toFixed(0)).join(', ')} ms, with the processor slowed ${SLOWED} ×`);
  const total = (wanted: (url: string) => boolean): string => `${([...sizes].reduce((sum, [url, size]) => sum + (wanted(url) ? size : 0), 0) / 1000).toFixed(0)} kB`;
  const editor = (url: string): boolean => /yaml-/.test(url);
  console.info(`first load: ${total((url) => !editor(url))} after gzip, and ${total(editor)} for the editor`);
  expect(middle).toBeLessThanOrEqual(USABLE);
});

test('a step, and a step back', async () => {
  const { page } = await open({ session: { manifest: hundred, script } });
  await expect.poll(async () => (await last(page)) > 400, { timeout: 20_000 }).toBe(true);
  await page.waitForTimeout(1000);
  const count = Math.min(1000, await last(page));
  console.info(`${await last(page)} steps, 300 pods; a step: ${summary(await presses(page, 'ArrowRight', count))}`);
  expect(await step(page)).toBe(count);
  console.info(`a step back: ${summary(await presses(page, 'ArrowLeft', count))}`);
  expect(await step(page)).toBe(0);
});

test('a drag over ten thousand steps', { timeout: 120_000 }, async () => {
  const manifest = PI.replace('completions: 2', 'completions: 4200').replace('parallelism: 2', 'parallelism: 100');
  // Each pod ends at a time of its own.
  const ends = Array.from({ length: 4200 }, (_, index) => `index ${index}: succeed after ${5000 + ((index * 1373) % 97_000)}ms\n`);
  const { page } = await open({ session: { manifest, script: ends.join('') } });
  await expect.poll(async () => (await page.keyboard.press('End'), page.locator('.job-line').innerText()), { timeout: 60_000 }).toContain('4200/4200 succeeded');
  console.info(`${await last(page)} steps; dragging over all of them, a frame takes ${summary(await dragged(page))}`);
});

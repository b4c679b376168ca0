/** Prints what the page costs: bytes on the first load, time until it can be used, a step, a step back, a drag, and a large Job. */
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { last, PI, step, usePage } from './browser.ts';
import { dragged } from './drag.ts';

const { open, address } = usePage();
const hundred = PI.replace('completions: 2', 'completions: 100').replace('parallelism: 2', 'parallelism: 5').replace('backoffLimit: 3', 'backoffLimit: 1000');
const script = 'attempt 1: exit 1 after 3s\nattempt 2: exit 1 after 3s\npods: succeed after 5s\n';

/** The longest and the middle one of some times. */
function told(times: number[]): string {
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

test('the first load', async () => {
  const { page, context } = await open();
  const fresh = await context.newPage();
  let [all, editor] = [0, 0];
  fresh.on('response', async (response) => {
    const size = gzipSync(await response.body().catch(() => Buffer.alloc(0))).length;
    all += size;
    if (/yaml-/.test(response.url())) editor += size;
  });
  const session = await context.newCDPSession(fresh);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const before = performance.now();
  await fresh.goto(address());
  await fresh.locator('.handle:not([aria-valuemax="0"])').waitFor({ state: 'attached' });
  console.info(`usable after ${(performance.now() - before).toFixed(0)} ms, with the processor slowed 4 ×`);
  await fresh.locator('.cm-content').waitFor();
  console.info(`first load: ${((all - editor) / 1000).toFixed(0)} kB after gzip, and ${(editor / 1000).toFixed(0)} kB for the editor`);
  await page.close();
});

test('a step, and a step back', async () => {
  const { page } = await open({ session: { manifest: hundred, script } });
  await expect.poll(async () => (await last(page)) > 400, { timeout: 20_000 }).toBe(true);
  await page.waitForTimeout(1000);
  const count = Math.min(1000, await last(page));
  console.info(`${await last(page)} steps, 300 pods; a step: ${told(await presses(page, 'ArrowRight', count))}`);
  expect(await step(page)).toBe(count);
  console.info(`a step back: ${told(await presses(page, 'ArrowLeft', count))}`);
  expect(await step(page)).toBe(0);
});

test('a drag over ten thousand steps', { timeout: 120_000 }, async () => {
  const manifest = PI.replace('completions: 2', 'completions: 4200').replace('parallelism: 2', 'parallelism: 100');
  // Each pod ends at a time of its own.
  const ends = Array.from({ length: 4200 }, (_, index) => `index ${index}: succeed after ${5000 + ((index * 1373) % 97_000)}ms\n`);
  const { page } = await open({ session: { manifest, script: ends.join('') } });
  await expect.poll(async () => (await page.keyboard.press('End'), page.locator('.job-line').innerText()), { timeout: 60_000 }).toContain('4200/4200 succeeded');
  console.info(`${await last(page)} steps; dragging over all of them, a frame takes ${told(await dragged(page))}`);
});

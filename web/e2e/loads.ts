/** Loads the page as a first-time visitor and measures when its parts are visible. */
import { gzipSync } from 'node:zlib';
import type { Browser, Page, Response } from 'playwright-core';

import { write } from './browser.ts';

/** The times are milliseconds since the address was entered. */
export interface Load {
  page: Page;
  /** When the outcome, the story, the reasons and the manifest were painted. */
  seen: number;
  /** When the timeline was painted, too, by a page that is alive. */
  drawn: number;
  /** When the controllers have answered, too, and everything can be done. */
  usable: number;
  /** What was requested until something was seen, in bytes after gzip. */
  before: Map<string, number>;
  /** What was requested in all. */
  all: Map<string, number>;
}

interface Times {
  seen?: number;
  drawn?: number;
  usable?: number;
}

declare const times: Times;

/** Takes the times, in the page. */
function observe(): void {
  const taken: Times = {};
  Object.assign(globalThis, { times: taken });
  const parts = ['.outcome-line', '.story-line', '.reasons li', '.editor-before:not(:empty), .cm-line'];
  const take = (name: 'seen' | 'drawn', needed: string[]): void => {
    const look = (): void => {
      if (needed.some((part) => !document.querySelector(part))) requestAnimationFrame(look);
      else setTimeout(() => (taken[name] = performance.now()));
    };
    requestAnimationFrame(look);
  };
  take('seen', parts);
  take('drawn', [...parts, '#root > .page .handle:not([aria-valuemax="0"])']);
  const Original = Worker;
  globalThis.Worker = class extends Original {
    constructor(address: string | URL, options?: WorkerOptions) {
      super(address, options);
      this.addEventListener('message', () => (taken.usable ??= performance.now()));
    }
  };
}

/** A slow network, as Chromium emulates it: 1.6 Mbit/s, 150 ms until an answer begins. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };

/** Loads the page over a slow network and pastes the manifest of a Job as soon as there is an editor; the times are milliseconds since the address was entered. */
export async function loadSlowly(browser: Browser, address: string, name: string, manifest: string): Promise<{ seen: number; pasted: number; answered: number }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, serviceWorkers: 'block' });
  await context.addInitScript(observe);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW);
  await page.waitForTimeout(1000);
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator('.cm-content').waitFor();
  await write(page, manifest);
  const pasted = await page.evaluate(() => performance.now());
  const answer = await page.waitForFunction((line) => document.querySelector('.outcome-line') && document.querySelector('.job-line')?.textContent?.includes(line) && performance.now(), `job/${name} at`, { timeout: 60_000 });
  const seen = await page.evaluate(() => times.seen);
  const answered = await answer.jsonValue();
  await context.close();
  return { seen: seen ?? Infinity, pasted, answered: answered || Infinity };
}

/** Loads the page with the processor slowed by a factor, in a profile of its own, until the editor is there, too. */
export async function load(browser: Browser, address: string, slowed: number): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addInitScript(observe);
  const page = await context.newPage();
  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowed });
  // A new window keeps the browser itself busy for a moment, and a person who opens a page already has a window open.
  await page.waitForTimeout(1000);
  await page.goto(address);
  await page.waitForFunction(() => times.seen !== undefined && times.drawn !== undefined && times.usable !== undefined);
  await page.locator('.cm-content').waitFor();
  const { seen = 0, drawn = 0, usable = 0 } = await page.evaluate(() => times);
  const began = await page.evaluate(() => performance.timeOrigin);
  const sizes = async (wanted: Response[]): Promise<Map<string, number>> => new Map(await Promise.all(wanted.map(async (one) => [one.url(), gzipSync(await one.body()).length] as const)));
  const early = responses.filter((response) => response.request().timing().startTime < began + seen);
  return { page, seen, drawn, usable: Math.max(drawn, usable), before: await sizes(early), all: await sizes(responses) };
}

/** The page in Firefox: it opens, plays what is pasted, goes back, and says of a link what it says in Chromium. */
import { existsSync } from 'node:fs';

import { type Browser, launch, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { fragment, PI, usePage } from './browser.ts';

const FIREFOX = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr';
const { open, address } = usePage();

/** What the page says, by the part that says it. */
const PARTS = { outcome: '.outcomes', timeline: '.timeline', story: '.story-lines', why: '.reasons' };

// It is skipped where Firefox is not installed, but never in CI.
describe.skipIf(process.env['CI'] !== 'true' && !existsSync(FIREFOX))('in Firefox', () => {
  let firefox: Browser;
  beforeAll(async () => {
    firefox = await launch({ browser: 'firefox', executablePath: FIREFOX, defaultViewport: { width: 1440, height: 900 } });
  });
  afterAll(() => firefox.close());

  /** Opens the page in an empty window, with the errors on its console. */
  async function visit(hash = ''): Promise<{ page: Page; errors: string[] }> {
    const page = await (await firefox.createBrowserContext()).newPage();
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.evaluateOnNewDocument(() => localStorage.setItem('playground.toured', 'true'));
    await page.goto(`${address()}${hash}`);
    await page.waitForSelector('.handle:not([aria-valuemax="0"])');
    return { page, errors };
  }

  test('the page opens, with outcome, timeline, story and why', async () => {
    const { page, errors } = await visit();
    await expect.poll(() => said(page, PARTS.outcome)).toMatch(/Complete|Failed/);
    await expect.poll(() => painted(page)).toBeGreaterThan(1);
    await expect.poll(() => said(page, PARTS.story)).toContain('Creat');
    expect(await said(page, PARTS.why)).not.toBe('');
    expect(errors).toEqual([]);
  });

  test('what is pasted is played, and a step back is exact', async () => {
    const { page, errors } = await visit();
    await page.waitForSelector('.cm-content');
    await paste(page, PI.replace('name: pi', 'name: pasted'));
    await expect.poll(() => said(page, '.job-line')).toContain('job/pasted');
    await stepBack(page);
    expect(errors).toEqual([]);
  });

  test('fields are offered and explained, and what will happen is said', async () => {
    const { page, errors } = await visit();
    await askOfFields(page);
    expect(errors).toEqual([]);
  });

  test('advice is marked, explained by the page of its rule, and fixed in place', async () => {
    const { page, errors } = await visit();
    await takeAdvice(page);
    expect(errors).toEqual([]);
  });

  test('a link says the same as in Chromium', async () => {
    const session = { script: 'index 1 attempt 1: exit 42 after 3s\npods: succeed after 5s\n', title: 'One retry', cursor: 8 };
    const [{ page, errors }, other] = [await visit(await fragment(session)), (await open({ session })).page];
    for (const part of Object.values(PARTS)) {
      const expected = await other.locator(part).first().textContent();
      expect(expected).not.toBe('');
      await expect.poll(() => said(page, part)).toBe(expected);
    }
    expect(errors).toEqual([]);
  });
});

/** Takes a few steps, and goes back over them: each is as it was. */
async function stepBack(page: Page): Promise<void> {
  await page.click('#why-title');
  await page.keyboard.press('Home');
  const before = [];
  for (let step = 0; step < 4; step++) {
    before.push(await moment(page));
    await page.keyboard.press('ArrowRight');
  }
  expect(new Set(before).size).toBe(4);
  for (const known of before.toReversed()) {
    await page.keyboard.press('ArrowLeft');
    expect(await moment(page)).toBe(known);
  }
}

/** Asks for what a field may be called, what it means, and what the manifest will do. */
async function askOfFields(page: Page): Promise<void> {
  await page.waitForSelector('.cm-content');
  await paste(page, 'apiVersion: batch/v1\nkind: Job\nspec:\n  ');
  await control(page, 'End');
  await page.keyboard.type('activeD');
  await page.waitForSelector('.cm-tooltip-autocomplete li');
  expect(await said(page, '.cm-tooltip-autocomplete li')).toContain('activeDeadlineSeconds');
  await paste(page, PI);
  await page.hover('.cm-line ::-p-text(backoffLimit)');
  await page.waitForSelector('.cm-field');
  expect(await said(page, '.cm-field')).toContain('How many failed pods are tried again');
  await page.click('button ::-p-text(Forecast)');
  await expect.poll(() => said(page, '.forecast')).toContain('up to 4 attempts');
}

/** Reads the page of the rule behind a piece of advice, and takes the advice. */
async function takeAdvice(page: Page): Promise<void> {
  await page.waitForSelector('.cm-content');
  await paste(page, PI.replace('restartPolicy: Never', 'restartPolicy: OnFailure'));
  await page.waitForSelector('.cm-lintRange-warning');
  await page.hover('.cm-lintRange-warning');
  await page.locator('.cm-tooltip-lint button ::-p-text(logs-lost)').click();
  await expect.poll(() => said(page, 'dialog')).toContain('it deletes the pod that is still active');
  await page.keyboard.press('Escape');
  await page.hover('h1');
  await page.hover('.cm-lintRange-warning');
  await page.locator('.cm-tooltip-lint button ::-p-text(Change to Never)').click();
  await expect.poll(() => said(page, '.cm-content')).toContain('restartPolicy: Never');
  await expect.poll(async () => (await page.$$('.cm-lintRange-warning')).length).toBe(0);
}

/** What a part of the page says. */
async function said(page: Page, part: string): Promise<string> {
  return page.$eval(part, (element) => element.textContent ?? '');
}

/** How many colours the first row of the timeline is painted with. */
async function painted(page: Page): Promise<number> {
  return page.$eval('.rows canvas', (canvas) => {
    const { width, height } = canvas;
    const pixels = new Uint32Array(canvas.getContext('2d')?.getImageData(0, 0, width, height).data.buffer ?? new ArrayBuffer(0));
    return new Set(pixels).size;
  });
}

/** Where the cursor is, and why. */
async function moment(page: Page): Promise<string> {
  const at = await page.$eval('[role=slider][aria-label=Step]', (handle) => handle.getAttribute('aria-valuetext'));
  return `${at}: ${await said(page, PARTS.why)}`;
}

/** Pastes another manifest, as if it had been copied elsewhere. */
async function paste(page: Page, manifest: string): Promise<void> {
  const elsewhere = await page.browserContext().newPage();
  await elsewhere.setContent('<textarea autofocus></textarea>');
  await elsewhere.$eval('textarea', (field, text) => (field.value = text), manifest);
  for (const key of ['a', 'c'] as const) await control(elsewhere, key);
  await elsewhere.close();
  await page.bringToFront();
  await page.click('.cm-content');
  for (const key of ['a', 'v'] as const) await control(page, key);
}

async function control(page: Page, key: 'a' | 'c' | 'v' | 'End'): Promise<void> {
  await page.keyboard.down('Control');
  await page.keyboard.press(key);
  await page.keyboard.up('Control');
}

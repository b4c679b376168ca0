/** A real browser on the built page, and the few things that most tests do with it. */
import { deflateRawSync } from 'node:zlib';

import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

import { encode, type Session } from '../src/session.ts';
import { serve, type Served } from './server.ts';

export interface Opened {
  page: Page;
  context: BrowserContext;
  /** The errors on the console. */
  errors: string[];
}

export interface Options extends BrowserContextOptions {
  session?: Partial<Session>;
}

/** Opens the page in a fresh profile each time. */
export function usePage(): { open: (options?: Options) => Promise<Opened>; address: () => string; browser: () => Browser } {
  let browser: Browser;
  let served: Served;
  beforeAll(async () => {
    served = await serve();
    browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser.close();
    served.server.close();
  });
  return {
    address: () => served.address,
    browser: () => browser,
    open: async ({ session, ...options } = {}) => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const page = await context.newPage();
      const errors = watched(page);
      await page.goto(session ? served.address + (await fragment(session)) : served.address);
      await played(page);
      return { page, context, errors };
    },
  };
}

/** The errors on the console of a page, from here on. */
export function watched(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  return errors;
}

/** A session as the end of a link. */
export async function fragment(session: Partial<Session>): Promise<string> {
  return `#${await encode({ version: 1, manifest: PI, script: '', cursor: 0, ...session })}`;
}

/** The end of a link with so many bytes packed into it. */
export function packed(bytes: number): string {
  return `#1.${deflateRawSync(Buffer.alloc(bytes, 'x')).toString('base64url')}`;
}

/** A small Job with two indexes. */
export const PI = `apiVersion: batch/v1
kind: Job
metadata:
  name: pi
spec:
  completionMode: Indexed
  completions: 2
  parallelism: 2
  backoffLimit: 3
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: busybox
`;

/** A CronJob each minute, with more lines of its spec and of its Jobs'. */
export function cronJob(spec: string[] = [], job: string[] = []): string {
  const lines = [
    'apiVersion: batch/v1', 'kind: CronJob', 'metadata:', '  name: hello', 'spec:', '  schedule: "* * * * *"', ...spec.map((line) => `  ${line}`), '  jobTemplate:', '    spec:',
    ...job.map((line) => `      ${line}`), '      template:', '        spec:', '          restartPolicy: Never', '          containers:', '          - name: main', '            image: busybox',
  ];
  return lines.map((line) => `${line}\n`).join('');
}

export function cursor(page: Page): Locator {
  return page.getByRole('slider', { name: 'Step' }).first();
}

/** The current step, from 0. */
export async function step(page: Page): Promise<number> {
  return Number(await cursor(page).getAttribute('aria-valuenow'));
}

/** The last step. */
export async function last(page: Page): Promise<number> {
  return Number(await cursor(page).getAttribute('aria-valuemax'));
}

/** Waits until a session was played, or refused. */
export async function played(page: Page): Promise<void> {
  await page.locator('.handle:not([aria-valuemax="0"], [inert] *), .problems').first().waitFor({ state: 'attached' });
}

/** The reasons that are shown. */
export async function why(page: Page): Promise<string> {
  await page.locator('.objects:not([aria-busy="true"])').first().waitFor({ state: 'attached' });
  return page.locator('.reasons').innerText();
}

/** Pastes another manifest. */
export async function write(page: Page, manifest: string): Promise<void> {
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    document.querySelector('.cm-content')?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, manifest);
}

/** Where a time is on the timeline, in pixels from the left edge of the page. */
export async function xOf(page: Page, seconds: number): Promise<number> {
  const ticks = await page.locator('.timeline').first().locator('.tick').evaluateAll((all) =>
    all.map((tick) => {
      const [minutes = 0, rest = 0] = (tick.textContent ?? '').split(':').map(Number);
      return { at: minutes * 60 + rest, x: tick.getBoundingClientRect().left };
    }),
  );
  const [first, second] = ticks;
  if (!first || !second) throw new Error('the timeline has no axis');
  return first.x + ((seconds - first.at) / (second.at - first.at)) * (second.x - first.x);
}

/** Looks at the last step up to a time. */
export async function goTo(page: Page, seconds: number): Promise<void> {
  await page.keyboard.press('Home');
  for (let number = 0; number < 500; number++) {
    const text = (await cursor(page).getAttribute('aria-valuetext')) ?? '';
    const [, minutes = '0', rest = '0'] = /(\d+):([\d.]+)$/.exec(text) ?? [];
    if (Number(minutes) * 60 + Number(rest) >= seconds || (await step(page)) >= (await last(page))) return;
    await page.keyboard.press('ArrowRight');
  }
}

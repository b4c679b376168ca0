/** Another version of the page: it is offered, and loading it loses nothing. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

import { fragment, played, step, usePage, watched } from './browser.ts';
import { BUILT, serve } from './server.ts';

const { browser } = usePage();
const folder = mkdtempSync(join(tmpdir(), 'playground-'));
let server: Server | undefined;

afterEach(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Puts another version in place of the one that is served. */
function build(version: string): void {
  const change = (name: string, from: RegExp, to: string): void => writeFileSync(join(folder, name), readFileSync(join(folder, name), 'utf8').replace(from, to));
  change('index.html', /<title>.*<\/title>/, `<title>${version}</title>`);
  change('service-worker.js', /'playground-\w+'/, `'playground-${version}'`);
}

test('a new version is offered in every window, and loading it keeps the tabs, the drafts and the cursor', async () => {
  cpSync(BUILT, folder, { recursive: true });
  build('first');
  const served = await serve(folder);
  ({ server } = served);
  const context = await browser().newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  const errors = watched(page);
  await page.goto(served.address + (await fragment({ script: 'pods: succeed after 5s\n', title: 'Mine', cursor: 2 })));
  await played(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const offer = page.getByRole('button', { name: 'Reload to get the new version' });
  expect(await offer.count()).toBe(0);

  build('second');
  await page.reload();
  await played(page);
  expect(await page.title()).toBe('first');
  await offer.waitFor();
  expect(await page.locator('.head [role="status"]').innerText()).toContain('A new version is available');
  const other = await context.newPage();
  await other.goto(served.address);
  await played(other);
  await other.getByText('A new version is available').waitFor();
  await page.bringToFront();
  await page.keyboard.press('f');
  await expect.poll(() => page.locator('.tab').count()).toBe(2);
  await played(page);
  await expect.poll(() => step(page)).toBe(2);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => step(page)).toBe(3);

  await offer.click();
  await page.waitForFunction(() => document.title === 'second');
  await played(page);
  expect(await page.locator('.tab').count()).toBe(2);
  await expect.poll(() => step(page)).toBe(3);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  expect(await offer.count()).toBe(0);
  expect(await other.title()).toBe('first');
  await other.getByRole('button', { name: 'Reload to get the new version' }).click();
  await other.waitForFunction(() => document.title === 'second');
  expect(errors).toEqual([]);
  await context.close();
});

test('the page is kept once, however often something is played', async () => {
  const served = await serve(BUILT);
  ({ server } = served);
  const context = await browser().newContext();
  await context.addInitScript(() => {
    const register = ServiceWorkerContainer.prototype.register;
    ServiceWorkerContainer.prototype.register = function (...given) {
      document.documentElement.dataset['kept'] = `${Number(document.documentElement.dataset['kept'] ?? 0) + 1}`;
      return register.apply(this, given);
    };
  });
  const page = await context.newPage();
  await page.goto(served.address + (await fragment({ script: 'pods: succeed after 5s\n', title: 'Mine', cursor: 2 })));
  await played(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  for (const tabs of [2, 3]) {
    await page.keyboard.press('f');
    await expect.poll(() => page.locator('.tab').count()).toBe(tabs);
    await played(page);
  }
  expect(await page.evaluate(() => document.documentElement.dataset['kept'])).toBe('1');
  await context.close();
});

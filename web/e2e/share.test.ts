/** A session goes elsewhere and comes back: links, texts, files, and a page without a network. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { decode } from '../src/session.ts';
import { PI, played, step, usePage, watched, why, write } from './browser.ts';

const { open, address } = usePage();
const session = { script: 'index 1: exit 42 after 3s\npods: succeed after 5s\n', cursor: 9, title: 'A moment' };

test('a link shows the same moment in a fresh profile', async () => {
  const here = await open({ session });
  await expect.poll(() => step(here.page)).toBe(9);
  await here.page.keyboard.press('s');
  await here.page.getByText('Copied the link.').waitFor();
  const link = await here.page.evaluate(() => navigator.clipboard.readText());
  const there = await open();
  const page = await there.context.newPage();
  const errors = watched(page);
  await page.goto(link);
  await played(page);
  await expect.poll(() => step(page)).toBe(9);
  expect(await why(page)).toBe(await why(here.page));
  expect(errors).toEqual([]);
});

test('a link that opens on this computer only says so, and no Secret is in what goes elsewhere', async () => {
  const { page } = await open({ session });
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  password: hunter2\n';
  await write(page, `${secret}---\n${PI}`);
  await page.locator('.problems .warning', { hasText: 'Secret' }).waitFor();
  await page.locator('#why-title').click();
  await page.keyboard.press('s');
  await page.getByText(/^Copied the link\. It opens only on this computer, while this page is at 127\.0\.0\.1:\d+\./).waitFor();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const link = await copied();
  expect((await decode(new URL(link).hash)).draft).toBe(`# A Secret was left out here.\n---\n${PI}`);
  await expect.poll(async () => JSON.stringify(await decode(await page.evaluate(() => location.hash)))).toContain('A Secret was left out');
  for (const name of ['Copy Markdown', 'Copy CLI command']) {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name }).click();
    await expect.poll(copied).toContain('kind: Job');
    expect(await copied(), name).not.toContain('hunter2');
  }
  expect(await page.locator('.cm-content').innerText()).toContain('hunter2');
});

test('a damaged link is reported', async () => {
  const { page } = await open();
  await page.evaluate(() => (location.hash = '#1.AAAA'));
  await page.getByText('This link is damaged').waitFor();
});

test('the address has the moment that is looked at, however long it takes to be packed', async () => {
  const { page } = await open({ session });
  await expect.poll(() => step(page)).toBe(9);
  await page.evaluate(() => {
    const Packing = CompressionStream;
    const late = () => new TransformStream<Uint8Array, Uint8Array>({ flush: () => new Promise((done) => setTimeout(done, 1500)) });
    const slow = (format: CompressionFormat) => {
      const { readable, writable } = new Packing(format);
      return { writable, readable: readable.pipeThrough(late()) };
    };
    Object.assign(globalThis, { CompressionStream: function (format: CompressionFormat) { return slow(format); } });
  });
  for (const next of [10, 11]) {
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => step(page)).toBe(next);
    await page.waitForTimeout(800);
  }
  await expect.poll(async () => (await decode(await page.evaluate(() => location.hash))).cursor).toBe(11);
});

describe('the session is copied', () => {
  test.each([
    ['Copy Markdown', ['## A moment', '```yaml', 'index 1: exit 42 after 3s', 'Failed with exit code 42', '[Open it in the playground](http']],
    ['Copy issue report', ['### What happens', '### What I expected', 'component sha256']],
  ])('%s', async (name, parts) => {
    const { page } = await open({ session });
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(parts[0]);
    const text = await page.evaluate(() => navigator.clipboard.readText());
    for (const part of parts) expect(text).toContain(part);
  });

  test('the reasons of a step', async () => {
    const { page } = await open({ session: { ...session, cursor: 1 } });
    await page.getByRole('button', { name: 'Copy as text' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('● Creating 2 pods');
  });
});

test.each([['Save .jobsmith file', '.jobsmith'], ['Save scenario file', '.md']])('%s, and open it again', async (name, ending) => {
  const { page } = await open({ session });
  await page.getByRole('button', { name: 'Share' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe(`pi${ending}`);
  const content = readFileSync(await download.path(), 'utf8');
  const fresh = await open();
  await fresh.page.getByRole('button', { name: 'Share' }).click();
  const choosing = fresh.page.waitForEvent('filechooser');
  await fresh.page.getByRole('button', { name: 'Open a file…' }).click();
  await (await choosing).setFiles({ name: download.suggestedFilename(), mimeType: 'text/plain', buffer: Buffer.from(content) });
  await fresh.page.locator('.example-button', { hasText: 'A moment' }).waitFor();
  await expect.poll(() => fresh.page.locator('.rules input').first().inputValue()).toBe('index 1');
});

test('after its first load, the page works without a network', async () => {
  const { page, context, errors } = await open();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await context.setOffline(true);
  await page.goto(address());
  await page.reload();
  await played(page);
  await page.locator('.cm-content').waitFor();
  await page.keyboard.press('/');
  await page.getByRole('button', { name: 'Why was my Job’s last attempt cut short?' }).waitFor();
  expect(errors).toEqual([]);
});

/** A recording of a controller: opened, scrubbed with the controller's reasons, and gone on from in a session. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { last, played, step, usePage, why } from './browser.ts';

const { open, address } = usePage();
const RECORDING = readFileSync(new URL('./recording.jsonl', import.meta.url), 'utf8');

async function opened(text: string): Promise<{ page: Page; errors: string[] }> {
  const { page, errors } = await open();
  await page.getByRole('button', { name: 'Share' }).click();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a file…' }).click();
  await (await choosing).setFiles({ name: 'today.jsonl', mimeType: 'application/json', buffer: Buffer.from(text) });
  await page.locator('.recording').waitFor();
  await page.locator('.reasons').waitFor();
  return { page, errors };
}

test('a recording is scrubbed with the reasons, and nothing can be done in it', async () => {
  const { page, errors } = await opened(RECORDING);
  await played(page);
  await page.locator('.recording').getByText('It was recorded with a different component').waitFor();
  await page.keyboard.press('End');
  await expect.poll(() => step(page)).toBeGreaterThan(10);
  expect(await page.locator('.job-head').innerText()).toContain('job/pi');
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowRight');
  expect(await why(page)).toContain('Creating 2 pods');
  expect(await page.getByRole('button', { name: 'Actions', exact: true }).count()).toBe(0);
  await page.keyboard.press('s');
  await page.getByText('A recording does not fit in a link').waitFor();
  expect(errors).toEqual([]);
});

test('a session goes on from a moment of a recording', async () => {
  const { page } = await opened(RECORDING);
  await played(page);
  await page.keyboard.press('Home');
  for (let number = 0; number < 3; number++) await page.keyboard.press('Shift+ArrowRight');
  await page.locator('.recording').getByRole('button', { name: 'What if…' }).click();
  await page.locator('.rules, .pods-pane').first().waitFor();
  await page.getByText('Every pod succeeds after 5 s. Commands are not run.').waitFor();
  await page.keyboard.press('Home');
  await expect.poll(() => why(page)).toContain('as they were on another cluster');
  await page.keyboard.press('End');
  await expect.poll(() => page.locator('.job-head').innerText()).toContain('4/4');
});

test('a recording that is too large to be there after a reload says so', async () => {
  const small = await opened(RECORDING);
  expect(await small.page.locator('.recording').innerText()).not.toContain('too large');
  const blank = '\n'.repeat(1_100_000 - RECORDING.length);
  const { page, errors } = await opened(RECORDING + blank);
  await page.locator('.recording').getByText('At 1.1 MB, this recording is too large to be kept in the browser. Open the file again').waitFor();
  expect(errors).toEqual([]);
});

test('a torn recording is gone through to its end, and a wrong one is reported', async () => {
  const torn = await opened(RECORDING.slice(0, -10));
  await played(torn.page);
  await torn.page.keyboard.press('End');
  await expect.poll(() => why(torn.page)).toContain('the recording ends');
  const header = RECORDING.slice(0, RECORDING.indexOf('\n') + 1);
  const wrong = await opened(`${header}{}\n`);
  await expect.poll(() => why(wrong.page)).toContain('line 2 is not part of a recording');
  const { page } = await open({ serviceWorkers: 'block' });
  await page.route('**/damaged.jsonl', (route) => route.fulfill({ body: '{"recording":{}}\n' }));
  await page.evaluate(() => (location.hash = '#open=damaged.jsonl'));
  await page.getByText('This session cannot be played').waitFor();
});

test('a link that comes while the address is written is opened', async () => {
  const { page } = await open({ serviceWorkers: 'block' });
  await page.route('**/of-today.jsonl', (route) => route.fulfill({ body: RECORDING }));
  await expect.poll(() => page.evaluate(() => location.hash.length)).toBeGreaterThan(1);
  await page.evaluate(() => {
    const written = location.hash;
    location.hash = '#open=of-today.jsonl';
    history.replaceState(null, '', written);
  });
  await page.locator('.example-button', { hasText: 'of-today.jsonl' }).waitFor();
});

test('a file beside the page is opened by its name', async () => {
  const { page } = await open({ serviceWorkers: 'block' });
  await page.route('**/of-today.jsonl', (route) => route.fulfill({ body: RECORDING }));
  await page.goto(`${address()}#open=of-today.jsonl`);
  await page.locator('.example-button', { hasText: 'of-today.jsonl' }).waitFor();
  await played(page);
  expect(await last(page)).toBeGreaterThan(10);
  await page.goto(`${address()}#open=gone.jsonl`);
  await page.getByText('gone.jsonl is no longer served with this page').waitFor();
});

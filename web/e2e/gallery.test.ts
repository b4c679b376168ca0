/** Every example of the gallery is played to its end, and nothing goes wrong. */
import { expect, test } from 'vitest';

import { loadGallery } from '../src/gallery.ts';
import { QUESTIONS } from '../src/model/questions.ts';
import { fragment, usePage, why } from './browser.ts';

const { open } = usePage();

test('every example is played to its end', { timeout: 300_000 }, async () => {
  const { page, errors } = await open();
  for (const { title, manifest, script } of await loadGallery()) {
    const hash = await fragment({ manifest, script, title, cursor: 1_000_000 });
    await page.evaluate((to) => (location.hash = to), hash);
    await page.locator('.example-button', { hasText: title }).waitFor().catch(() => expect.fail(title));
    const ended = page.waitForFunction(() => {
      const handle = document.querySelector('.handle');
      const [now, most] = [handle?.getAttribute('aria-valuenow'), handle?.getAttribute('aria-valuemax')];
      return (most !== '0' && now === most) || document.querySelector('.problems li.error') !== null;
    });
    await ended.catch(() => expect.fail(`${title} does not come to its end`));
    expect(errors, title).toEqual([]);
  }
});

test('an example is chosen by its question and opens at the step that decided its outcome', async () => {
  const { page, errors } = await open();
  await page.keyboard.press('/');
  await page.getByRole('button', { name: QUESTIONS[0]?.question ?? '' }).click();
  await expect.poll(() => why(page)).toContain('The Job fails');
  expect(await page.getByRole('button', { name: /^Why it failed/ }).innerText()).toContain(await page.getByLabel('Go to time').inputValue());
  expect(await page.locator('.strip').innerText()).toContain('The first three starts run to their end');
  await page.getByRole('button', { name: /Close this description/ }).click();
  expect(await page.locator('.strip').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a Job of one’s own is begun with', async () => {
  const { page, errors } = await open();
  await page.keyboard.press('/');
  await page.getByRole('button', { name: 'Start with your own Job' }).click();
  await expect.poll(() => page.locator('.job-line').innerText()).toContain('job/my-job');
  expect(errors).toEqual([]);
});

test('examples are found by any of their words', async () => {
  const { page } = await open();
  await page.keyboard.press('/');
  await page.getByRole('searchbox', { name: 'Search the examples' }).fill('maxFailedIndexes more than');
  await page.getByRole('button', { name: /when more than maxFailedIndexes have failed/ }).click();
  await page.locator('.example-button', { hasText: 'maxFailedIndexes' }).waitFor();
});

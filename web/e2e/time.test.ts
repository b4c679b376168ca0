/** Time: step, back, to the next decision, to the ends, run, and drag. */
import { expect, test } from 'vitest';

import { cursor, last, PI, step, usePage, why, xOf } from './browser.ts';

const { open } = usePage();
const script = 'index 1 attempt 1: exit 1 after 3s\npods: succeed after 5s\n';

test('a step back shows exactly what was shown before', async () => {
  const { page } = await open({ session: { script } });
  const seen: string[] = [];
  for (let number = 0; number <= (await last(page)); number++) {
    seen.push(await why(page));
    await page.getByRole('button', { name: 'Next step' }).click({ force: true });
  }
  for (const text of seen.reverse()) {
    expect(await why(page)).toBe(text);
    await page.getByRole('button', { name: 'Previous step' }).click({ force: true });
  }
});

test('the next decision is one that is not routine', async () => {
  const { page } = await open({ session: { script } });
  await page.getByRole('button', { name: 'Next decision', exact: true }).click();
  await page.locator('.reasons').getByText('Creating 2 pods').waitFor();
  await page.getByRole('button', { name: 'Next decision', exact: true }).click();
  expect(await why(page)).toContain('as failed with exit code 1');
});

test('time runs to the end at a speed', async () => {
  const { page } = await open({ session: { script } });
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('300');
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByRole('button', { name: 'Play' }).waitFor();
  expect(await step(page)).toBe(await last(page));
});

test('the cursor is dragged', async () => {
  const { page } = await open({ session: { script } });
  const place = await page.locator('.lane-group.marks .plot').boundingBox();
  if (!place) return expect.fail('there is no timeline');
  const y = place.y + place.height / 2;
  await page.mouse.move(place.x + 4, y);
  await page.mouse.down();
  await page.mouse.move(place.x + place.width / 2, y, { steps: 8 });
  await expect.poll(() => step(page)).toBeGreaterThan(3);
  await page.mouse.move(place.x + place.width - 2, y, { steps: 8 });
  await page.mouse.up();
  await expect.poll(() => step(page)).toBe(await last(page));
});

test('the wheel zooms, and a button shows all again', async () => {
  const { page } = await open({ session: { script } });
  const before = await page.locator('.ticks').innerText();
  await page.locator('.axis .plot').hover();
  await page.mouse.wheel(0, -600);
  await page.mouse.wheel(0, -600);
  await expect.poll(() => page.locator('.ticks').innerText()).not.toBe(before);
  await page.getByRole('button', { name: 'Show the whole timeline' }).click();
  await expect.poll(() => page.locator('.ticks').innerText()).toBe(before);
});

test('a mark leads to its own step, not to the last of its moment', async () => {
  const { page } = await open({ session: { script } });
  await page.getByRole('button', { name: 'Next decision', exact: true }).click();
  const [decided, moment] = [await step(page), await cursor(page).getAttribute('aria-valuetext')];
  await page.keyboard.press('ArrowRight');
  expect((await cursor(page).getAttribute('aria-valuetext'))?.split(', ')[1]).toBe(moment?.split(', ')[1]);
  await page.keyboard.press('End');
  const marks = await page.locator('.lane-group.marks .plot').boundingBox();
  await page.mouse.click(await xOf(page, 0), (marks?.y ?? 0) + 9);
  await expect.poll(() => step(page)).toBe(decided);
  expect(await why(page)).toContain('Creating 2 pods');
});

test('the view that was zoomed in goes along with the cursor', async () => {
  const { page } = await open({ session: { script } });
  for (let number = 0; number < 4; number++) await page.getByRole('button', { name: 'Zoom in' }).click();
  for (const key of ['End', 'Home', 'Shift+ArrowRight', 'Shift+ArrowRight']) {
    await page.keyboard.press(key);
    await expect.poll(() => page.locator('.cursor:not(.outside)').count(), { message: key }).toBe(1);
  }
});

test('between two steps, all texts say the same of what is left of a wait', async () => {
  const { page } = await open({ session: { script: 'index 1: exit 1 after 3s\npods: succeed after 60s\n' } });
  const writes = await page.locator('.lane-group.marks .plot').boundingBox();
  await page.mouse.click(await xOf(page, 8), (writes?.y ?? 0) + 27);
  await expect.poll(() => page.locator('.digits').innerText()).toContain('0:08');
  const left = async (selector: string) => /, in ([\d.]+ s):/.exec(await page.locator(selector).innerText())?.[1];
  expect(await left('p.waits')).toMatch(/ s$/);
  expect(await left('p.waits')).toBe(await left('.next'));
});

test('a link names the step', async () => {
  const { page } = await open({ session: { script, cursor: 7 } });
  await expect.poll(() => step(page)).toBe(7);
  expect(await cursor(page).getAttribute('aria-valuetext')).toMatch(/^step 8 of \d+, 0:/);
});

test('the delays are shown as a curve', async () => {
  const { page } = await open({ session: { script: 'index 1: exit 1 after 3s\npods: succeed after 5s\n', cursor: 1_000_000 } });
  for (let number = 0; number < 60 && (await page.getByRole('button', { name: 'How the delays grow' }).count()) === 0; number++) await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: 'How the delays grow' }).first().click();
  expect(await page.locator('.curve').getAttribute('aria-label')).toMatch(/^1 failure: 10 s; 2 failures: 20 s/);
});

test('of many indexes, the first curves are shown, and how many more there are', async () => {
  const manifest = PI.replace('completions: 2', 'completions: 8').replace('parallelism: 2', 'parallelism: 8').replace('backoffLimit: 3', 'backoffLimitPerIndex: 1');
  const { page, errors } = await open({ session: { manifest, script: Array.from({ length: 8 }, (_, index) => `index ${index}: exit 1 after ${20 * index + 1}s\n`).join(''), cursor: 1_000_000 } });
  const grow = page.getByRole('button', { name: 'How the delays grow' });
  for (let number = 0; number < 120 && (await grow.count()) === 0; number++) await page.keyboard.press('ArrowLeft');
  await grow.first().click();
  const dialog = page.getByRole('dialog', { name: 'Retries' });
  expect(await dialog.locator('figcaption').allInnerTexts()).toEqual([0, 1, 2, 3, 4, 5].map((index) => `Delay before the next pod of index ${index}`));
  expect(await dialog.locator('p').innerText()).toBe('and 2 more');
  expect(errors).toEqual([]);
});

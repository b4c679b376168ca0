/** What is printed is a report of the session: all of it, and nothing to press. */
import { expect, test } from 'vitest';

import { cronJob, usePage } from './browser.ts';

const { open } = usePage();

const script = 'index 1 attempt 1: exit 42 after 3s\npods: succeed after 5s\n';

test('a session is printed as a report with its whole story', async () => {
  const { page, errors } = await open({ colorScheme: 'dark', session: { title: 'A session to print', script } });
  expect(await page.locator('.report').count()).toBe(0);
  const drawn = await page.locator('.story-line').count();
  await page.emulateMedia({ media: 'print' });
  const report = page.locator('.report');
  await report.waitFor();
  const text = await report.innerText();
  for (const words of ['A session to print', 'Outcome', 'Job pi: Complete', 'completionMode: Indexed', 'index 1 attempt 1: exit 42', 'Starting the Job']) expect(text).toContain(words);
  expect(await report.locator('li').count()).toBeGreaterThan(drawn);
  expect(await report.locator('figure > svg').boundingBox().then((box) => box?.width)).toBeGreaterThan(600);
  // On A4, 178 mm are between the margins.
  await page.setViewportSize({ width: Math.floor((178 / 25.4) * 96), height: 900 });
  const points = await report.locator('figure > svg').evaluate((svg: SVGSVGElement) => [...svg.querySelectorAll('text')].map((text) => Number(text.getAttribute('font-size')) * (svg.getScreenCTM()?.a ?? 0) * 0.75));
  expect(Math.min(...points)).toBeGreaterThan(6.95);
  expect(await page.locator('button, input, select, [role=slider]').evaluateAll((all) => all.filter((one) => one.checkVisibility()).length)).toBe(0);
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(23, 33, 43)');
  await page.emulateMedia({ media: 'screen' });
  await report.waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});

test('printing draws the report by itself, with all pages of a long story', async () => {
  const { page } = await open({ session: { manifest: cronJob(), script } });
  const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(paper.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(1);
  await page.locator('.report').waitFor({ state: 'detached' });
});

test('two sessions beside each other are both printed', async () => {
  const { page } = await open({ session: { script } });
  await page.keyboard.press('c');
  await page.getByRole('dialog').locator('.examples button').first().click();
  await expect.poll(() => page.locator('.lane-box').count()).toBe(2);
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => page.locator('.report h1').allInnerTexts()).toEqual([expect.stringMatching(/^A: /), expect.stringMatching(/^B: /)]);
});

/** Two sessions side by side: with one difference, and the first step at which they part. */
import { expect, test } from 'vitest';

import { READY } from '../src/compare/ready.ts';
import { step, usePage, why } from './browser.ts';

const { open } = usePage();

test.each(READY.map((ready) => [ready.question] as const))('%s', async (question) => {
  const { page, errors } = await open();
  await page.keyboard.press('c');
  await page.getByRole('button', { name: question }).click();
  await expect.poll(() => page.locator('.parting-box').innerText()).toMatch(/They diverge at \d+:\d\d/);
  await page.getByRole('button', { name: 'Go there' }).click();
  expect(await step(page)).toBeGreaterThan(0);
  expect(await page.locator('.timeline').count()).toBe(2);
  expect(errors).toEqual([]);
});

test('both lanes stand at the same time, and each has its reasons', async () => {
  const { page } = await open();
  await page.keyboard.press('c');
  await page.getByRole('button', { name: /Who retries/ }).click();
  await page.getByRole('button', { name: 'Go there' }).click();
  await expect.poll(() => why(page)).toContain('exited with code 1; restarting immediately (start 2)');
  const times = await page.getByRole('slider').evaluateAll((all) => all.map((one) => one.getAttribute('aria-valuetext')?.split(', ')[1]));
  expect(times[0]).toBe(times[1]);
  await page.getByRole('button', { name: 'B restartPolicy: Never' }).click();
  await expect.poll(() => why(page)).toContain('Failed with exit code 1');
});

test('a copy in which one thing is changed', async () => {
  const { page, errors } = await open({ session: { script: 'pods: succeed after 5s\n' } });
  await page.keyboard.press('c');
  await page.getByRole('button', { name: /Copy this session/ }).click();
  await page.getByText('Both sessions are identical so far.').waitFor();
  await page.getByLabel('What they do, rule 1').fill('exit 1 after 5s');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.parting-box').innerText()).toContain('They diverge at 0:05');
  await page.getByRole('button', { name: 'Stop comparing' }).first().click();
  expect(await page.locator('.timeline').count()).toBe(1);
  expect(errors).toEqual([]);
});

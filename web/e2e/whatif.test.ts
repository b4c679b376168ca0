/** What if: going to a time, acting at one, editing what runs, and rules for what pods do. */
import { describe, expect, test } from 'vitest';

import { cronJob, cursor, step, usePage } from './browser.ts';

const { open } = usePage();
const script = 'pods: succeed after 20s\n';

describe('a time is typed', () => {
  test('and looked at exactly, also between two steps, by keyboard', async () => {
    const { page, errors } = await open({ session: { script } });
    const field = page.getByRole('textbox', { name: 'Go to time' });
    await field.fill('0:12.5');
    await field.press('Enter');
    await expect.poll(() => cursor(page).getAttribute('aria-valuetext')).toMatch(/, 0:12\.5$/);
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.type('7s');
    await page.keyboard.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('0:07');
    expect(errors).toEqual([]);
  });

  test('and the answer to a wrong one is what is valid', async () => {
    const { page } = await open({ session: { script } });
    const field = page.getByRole('textbox', { name: 'Go to time' });
    const before = await step(page);
    await field.fill('noon');
    await field.press('Enter');
    await page.getByText('“noon” is not a time. Write a time such as 0:12, 0:12.5, 1:30:00, 12s or 1h30m.').waitFor();
    expect([await field.getAttribute('aria-invalid'), await step(page)]).toEqual(['true', before]);
    await field.press('Escape');
    expect([await field.getAttribute('aria-invalid'), await field.inputValue()]).toEqual(['false', '0:00']);
  });

  test('after the end leads to the end', async () => {
    const { page } = await open({ session: { script } });
    const field = page.getByRole('textbox', { name: 'Go to time' });
    await field.fill('1h');
    await field.press('Enter');
    await page.getByText(/^Nothing happens after 0:2\d/).waitFor();
  });

  test('and played up to, where a CronJob is played no further yet', async () => {
    const { page } = await open({ session: { manifest: cronJob() } });
    const field = page.getByRole('textbox', { name: 'Go to time' });
    await field.fill('25:30');
    await field.press('Enter');
    await expect.poll(() => cursor(page).getAttribute('aria-valuetext')).toMatch(/, 25:30$/);
    await page.locator('.cursor:not(.outside)').waitFor({ state: 'attached' });
  });
});

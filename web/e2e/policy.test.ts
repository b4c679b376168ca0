/** A pod failure policy in its cases: filled by simulating, with what never matches, and a click that puts a case into the session. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { PI, played, usePage, why } from './browser.ts';
import { Hand } from './hand.ts';
import { PICKY } from './picky.ts';

const { open } = usePage();

const rows = async (page: Page) => (await page.getByRole('dialog').locator('tbody tr').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').replace(/ Try it$/, ''));
const text = (page: Page) => page.locator('.story-line').allInnerTexts().then((lines) => lines.join('\n'));

test('each case is simulated, with the rule that matches and the outcome', async () => {
  const { page, errors } = await open({ session: { manifest: PICKY, script: 'pods: succeed after 20s\n' } });
  await page.getByRole('button', { name: 'Try the policy…' }).click();
  await page.getByText('8 cases simulated.').waitFor();
  const shown = await rows(page);
  expect(shown).toContain('Exit code 42 rule 0 (FailJob), before rules 2 and 3 ✗ Failed at 0:06 · rule 0 of podFailurePolicy matched · 2 pods');
  expect(shown).toContain('Preemption by the scheduler rule 1 (Ignore) ✓ Complete at 0:12 · 2/2 succeeded · 3 pods');
  await page.getByRole('button', { name: 'Try it: Exit code 42' }).click();
  await expect.poll(() => why(page)).toContain('matches rule 0 of podFailurePolicy (FailJob)');
  // Another case comes in its place.
  await page.getByRole('button', { name: 'Try the policy…' }).click();
  await page.getByRole('button', { name: 'Try it: Deletion of the pod' }).click();
  await expect.poll(() => page.locator('.rules tr input').evaluateAll((cells) => cells.map((cell) => (cell as HTMLInputElement).value))).toEqual(['index 0 attempt 1', 'runs forever', 'pods', 'succeed after 20s']);
  await expect.poll(() => text(page)).toContain('delete index 0 attempt 1');
  expect(errors).toEqual([]);
});

test('without a policy, none is offered', async () => {
  const { page } = await open({ session: { manifest: PI } });
  await page.getByRole('button', { name: 'Add a rule…' }).waitFor();
  expect(await page.getByRole('button', { name: 'Try the policy…' }).count()).toBe(0);
});

test('a rule that never matches is found by one click', async () => {
  const { page } = await open({ session: { manifest: PICKY } });
  const hand = new Hand(page);
  await hand.click('Try the policy…');
  await page.getByText('Rule 3 (FailJob) matches in none of these cases: rule 0 comes first.').waitFor();
  expect(hand.inputs).toBe(1);
});

test('a policy is tried by a preemption, by two inputs', async () => {
  const { page } = await open({ session: { manifest: PICKY } });
  const hand = new Hand(page);
  await hand.click('Try the policy…');
  await hand.click('Try it: Preemption by the scheduler');
  await expect.poll(() => why(page)).toContain('its condition DisruptionTarget (PreemptionByScheduler) matches rule 1 of podFailurePolicy (Ignore)');
  await expect.poll(() => text(page)).toContain('preempted (DisruptionTarget: PreemptionByScheduler)');
  expect(hand.inputs).toBe(2);
});

test('on a phone, each case is a block of its own', async () => {
  const { page } = await open({ viewport: { width: 390, height: 844 }, session: { manifest: PICKY } });
  await played(page);
  await page.getByRole('button', { name: 'Manifest', exact: true }).click();
  await page.getByRole('button', { name: 'Try the policy…' }).click();
  await page.getByText('8 cases simulated.').waitFor();
  expect(await page.getByRole('dialog').evaluate((dialog) => dialog.scrollWidth <= dialog.clientWidth)).toBe(true);
});

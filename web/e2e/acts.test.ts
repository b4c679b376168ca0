/** What a person does to a session: actions, rules, forks. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { goTo, step, usePage, why, xOf } from './browser.ts';

const { open } = usePage();
const script = 'pods: succeed after 20s\n';

async function actions(page: Page): Promise<string> {
  return page.locator('.actions').innerText();
}

/** From the step of an action, goes on until a text appears, which is in one of the next steps. */
async function seen(page: Page, words: string): Promise<void> {
  await expect.poll(() => why(page)).toContain('You did this, not the controllers');
  for (let number = 0; number < 5 && !(await why(page)).includes(words); number++) await page.keyboard.press('ArrowRight');
  expect(await why(page)).toContain(words);
}

/** How far the Job is in the end. */
async function atTheEnd(page: Page): Promise<string> {
  await page.keyboard.press('End');
  return page.locator('.job-line').innerText();
}

/** Opens the menu of the pod of an index at the current step. */
async function podMenu(page: Page, index: number): Promise<void> {
  await page.locator('.row-label', { hasText: `index ${index}` }).click();
}

describe('a pod', () => {
  test.each([
    ['exits with a code', async (page: Page) => {
      await page.getByLabel('Exit code of main').fill('42');
      await page.getByRole('button', { name: /^Exit main at 0:\S+ with$/ }).click();
    }, /exit 42 in pod pi-1-\d+ container main/, 'failed with exit code 42'],
    ['is deleted', (page: Page) => page.getByRole('button', { name: /^Delete at 0:/ }).click(), /delete pod pi-1-/, 'Terminating'],
    ['is preempted', (page: Page) => page.getByRole('button', { name: /^Preempt at 0:/ }).click(), /preempt pod pi-1-/, 'pi-1-00001 Terminating: preempted (DisruptionTarget: PreemptionByScheduler)'],
    ['is evicted', (page: Page) => page.getByRole('button', { name: /^Evict at 0:/ }).click(), /evict pod pi-1-/, 'pi-1-00001 Terminating'],
    ['loses its node', (page: Page) => page.getByRole('button', { name: /^Take its node offline at 0:/ }).click(), /lose node/, ''],
  ] as const)('%s', async (_name, act, action, happens) => {
    const { page, errors } = await open({ session: { script } });
    await goTo(page, 2);
    await podMenu(page, 1);
    await act(page);
    await expect.poll(() => actions(page)).toMatch(action);
    await seen(page, happens);
    expect(errors).toEqual([]);
  });

  test('is made ready', async () => {
    const { page, errors } = await open({ session: { script: 'pods: never ready, succeed after 20s\n' } });
    // Nothing happens between the start of the pods and their end.
    for (let number = 0; number < 2; number++) await page.keyboard.press('ArrowRight');
    await podMenu(page, 1);
    await page.getByRole('button', { name: /^Make ready at 0:/ }).click();
    await expect.poll(() => actions(page)).toMatch(/make pod pi-1-\d+ ready/);
    await seen(page, 'pi-1-00001 Ready');
    expect(errors).toEqual([]);
  });

  test('is deleted at exactly the time at which its bar was clicked', async () => {
    const { page } = await open({ session: { script } });
    const rows = await page.locator('.rows .plot').boundingBox();
    await page.mouse.click(await xOf(page, 12), (rows?.y ?? 0) + 14);
    await page.getByRole('dialog', { name: /Pod pi-0-/ }).getByRole('heading', { name: /Running at 0:12$/ }).waitFor();
    await page.getByRole('button', { name: /^Delete at 0:/ }).click();
    await expect.poll(() => actions(page)).toMatch(/^0:12\s+delete pod pi-0-/);
    await page.getByRole('button', { name: 'Edit as text', exact: true }).click();
    expect(await page.getByLabel('Script').inputValue()).toContain('at 12s: delete pod pi-0-');
  });

  test('is clicked on in the timeline', async () => {
    const { page } = await open({ session: { script } });
    const rows = await page.locator('.rows .plot').boundingBox();
    if (!rows) return expect.fail('there are no rows');
    await page.mouse.click(rows.x + rows.width / 3, rows.y + 14);
    await page.getByRole('dialog', { name: /Pod pi-0-/ }).getByRole('button', { name: /^Evict at 0:/ }).click();
    await expect.poll(() => actions(page)).toMatch(/evict pod pi-0-/);
  });
});

describe('a Job', () => {
  test.each([
    ['Suspend it', /suspend job pi/],
    ['Delete it (background)', /delete job pi background/],
    ['Delete it after its pods (foreground)', /delete job pi foreground/],
    ['Delete it but keep its pods (orphan)', /delete job pi orphan/],
    ['Scale to', /scale job pi to 3/],
  ])('%s', async (name, action) => {
    const { page, errors } = await open({ session: { script } });
    await goTo(page, 2);
    await page.locator('.transport').getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('dialog', { name: 'Actions at 0:02' }).getByRole('button', { name, exact: true }).click();
    await expect.poll(() => actions(page)).toMatch(action);
    expect(await page.locator('.problem').count()).toBe(0);
    expect(errors).toEqual([]);
  });
});

describe('the past', () => {
  test('is forked by an action, and the old future stays', async () => {
    const { page } = await open({ session: { script } });
    await page.keyboard.press('End');
    await goTo(page, 2);
    await podMenu(page, 0);
    await page.getByRole('button', { name: /^Evict at 0:/ }).click();
    await expect.poll(() => page.locator('.tab').count()).toBe(2);
    await expect.poll(() => actions(page)).toContain('evict');
    await seen(page, 'pi-0-00001 Terminating');
    await page.locator('.tab button').first().click();
    expect(await page.locator('.actions').count()).toBe(0);
  });

  test('is forked by hand, at the same step', async () => {
    const { page } = await open({ session: { script, cursor: 5 } });
    await page.keyboard.press('f');
    await expect.poll(() => page.locator('.tab').count()).toBe(2);
    await expect.poll(() => step(page)).toBe(5);
  });
});

describe('rules', () => {
  test('that cannot be added say why in view, without a line, and the form can be left', async () => {
    const { page } = await open({ session: { script } });
    await page.getByRole('button', { name: 'Add a rule…' }).click();
    await page.locator('.rule-form input[list]').fill('nonsense');
    await page.getByRole('button', { name: 'Add rule' }).click();
    const problem = page.locator('.pods-inside > .problem');
    await problem.waitFor();
    expect(await problem.innerText()).not.toMatch(/Line \d|`/);
    await expect.poll(async () => ((await problem.boundingBox())?.y ?? Infinity) < 900).toBe(true);
    await page.locator('.rule-form input[list]').press('Escape');
    await page.getByRole('button', { name: 'Add a rule…' }).waitFor();
    expect(await problem.count()).toBe(0);
  });

  test('are added, raised, changed and taken away', async () => {
    const { page } = await open({ session: { script } });
    await page.getByRole('button', { name: 'Add a rule…' }).click();
    await page.locator('.rule-form input[list]').fill('index 1');
    await page.getByLabel('Exit code', { exact: true }).fill('7');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await expect.poll(() => page.locator('.rules tbody tr').count()).toBe(2);
    await expect.poll(() => atTheEnd(page)).toContain('Failed (BackoffLimitExceeded)');
    await page.getByRole('button', { name: 'Move rule 2 up' }).click();
    await expect.poll(() => page.locator('.rules input').first().inputValue()).toBe('pods');
    await page.getByRole('button', { name: 'Remove rule 2' }).click();
    await expect.poll(() => page.locator('.rules tbody tr').count()).toBe(1);
    await expect.poll(() => atTheEnd(page)).toContain('Complete');
  });

  test('that cannot be read show what to write instead', async () => {
    const { page } = await open({ session: { script } });
    await page.getByRole('button', { name: 'Edit as text', exact: true }).click();
    await page.getByLabel('Script').fill('pods: dance after 5s\n');
    await page.getByLabel('Script').blur();
    expect(await page.getByRole('alert').innerText()).toMatch(/^Line 1: .*– write one of/s);
  });

  test('are played as they are typed as text, and what is typed next stays', async () => {
    const { page, errors } = await open({ session: { script } });
    await page.getByRole('button', { name: 'Edit as text', exact: true }).click();
    const field = page.getByLabel('Script');
    const outcome = page.locator('.outcome-line');
    await field.fill('pods: exit 1 after 5s');
    await expect.poll(() => outcome.innerText()).toContain('Failed');
    await field.press('End');
    await field.pressSequentially('\nat 2s: suspend', { delay: 40 });
    await expect.poll(() => outcome.innerText()).toContain('Suspended since 0:02');
    expect([await field.inputValue(), await field.evaluate((one) => one === document.activeElement)]).toEqual(['pods: exit 1 after 5s\nat 2s: suspend', true]);
    await field.fill('pods: succeed after 5s\n');
    await field.press('Control+Enter');
    await expect.poll(() => outcome.innerText()).toContain('Complete');
    await page.locator('#pods-title').click();
    await page.getByRole('button', { name: /^Undo/ }).click();
    await expect.poll(() => field.inputValue()).toBe('pods: exit 1 after 5s\nat 2s: suspend');
    expect(errors).toEqual([]);
  });
});

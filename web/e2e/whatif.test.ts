/** What if: going to a time, acting at one, editing what runs, and rules for what pods do. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { cronJob, cursor, goTo, PI, step, usePage, write, xOf } from './browser.ts';

const { open } = usePage();
const script = 'pods: succeed after 20s\n';

describe('a time is typed', () => {
  test('and looked at exactly, also between two steps, by keyboard', async () => {
    const { page, errors } = await open({ session: { script } });
    const field = page.getByRole('textbox', { name: 'Go to time' });
    await field.fill('0:12.5');
    await field.press('Enter');
    await expect.poll(() => cursor(page).getAttribute('aria-valuetext')).toMatch(/, 0:12\.5$/);
    await expect.poll(() => cursor(page).evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => cursor(page).getAttribute('aria-valuetext')).not.toMatch(/, 0:12/);
    await field.click();
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
    await page.getByText('“noon” is not a time. Enter a time such as 0:12, 0:12.5, 1:30:00, 12s or 1h30m.').waitFor();
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
    await expect.poll(() => cursor(page).getAttribute('aria-valuetext')).toMatch(/, 00:25:30$/);
    await page.locator('.cursor:not(.outside)').waitFor({ state: 'attached' });
  });
});

/** What stands in the editor. */
const text = (page: Page): Promise<string> => page.locator('.cm-content').innerText();

describe('an edit of what runs', () => {
  test('stays in the editor once it is applied, and is what the object is', async () => {
    const { page, errors } = await open({ session: { script } });
    await goTo(page, 2);
    await write(page, PI.replace('backoffLimit: 3', 'backoffLimit: 5 # more'));
    await page.getByRole('button', { name: /Apply at/ }).click();
    await expect.poll(() => page.locator('.actions').innerText()).toContain('set job pi spec.backoffLimit=5');
    await expect.poll(() => page.locator('.changed').count()).toBe(0);
    expect(await text(page)).toContain('backoffLimit: 5 # more');
    expect(await page.evaluate(() => document.activeElement?.closest('.cm-editor') !== null)).toBe(true);
    await page.getByRole('button', { name: 'Remove: set job pi' }).click();
    await expect.poll(() => text(page)).toContain('backoffLimit: 3\n');
    expect(errors).toEqual([]);
  });

  test.each([['once it is applied', false], ['once it is applied in the past', true]])('comes back to the editor when it is undone %s', async (_name, past) => {
    const { page, errors } = await open({ session: { script } });
    if (past) await page.keyboard.press('End');
    await goTo(page, 2);
    const before = await cursor(page).getAttribute('aria-valuetext');
    const typed = PI.replace('backoffLimit: 3', 'backoffLimit: 5 # more');
    await write(page, typed);
    await page.getByRole('button', { name: 'Apply at 0:02' }).click();
    await expect.poll(() => page.locator('.actions').innerText()).toContain('set job pi spec.backoffLimit=5');
    await page.getByRole('button', { name: /^Undo: Set job pi/ }).click();
    await expect.poll(() => page.locator('.actions').count()).toBe(0);
    await page.getByRole('button', { name: 'Apply at 0:02' }).waitFor();
    expect(await text(page)).toContain('backoffLimit: 5 # more');
    expect(await cursor(page).getAttribute('aria-valuetext')).toBe(before);
    await page.getByRole('button', { name: 'Apply at 0:02' }).click();
    await expect.poll(() => page.locator('.actions').innerText()).toContain('set job pi spec.backoffLimit=5');
    expect(errors).toEqual([]);
  });

  test('of two fields that can only change together is one action', async () => {
    const { page } = await open({ session: { script } });
    await goTo(page, 2);
    await write(page, PI.replace('completions: 2', 'completions: 3'));
    await page.getByRole('button', { name: /Apply at/ }).click();
    await expect.poll(() => page.locator('.changed [role=alert]').innerText()).toBe('spec.completions can only be modified in tandem with spec.parallelism: set completions and parallelism to the same number.');
    await write(page, PI.replace('completions: 2', 'completions: 3').replace('parallelism: 2', 'parallelism: 3'));
    await page.getByRole('button', { name: /Apply at/ }).click();
    await expect.poll(() => page.locator('.row-label').count()).toBe(3);
  });

  test('in the past is another future with its own manifest', async () => {
    const { page } = await open({ session: { script } });
    await page.keyboard.press('End');
    await goTo(page, 2);
    await write(page, PI.replace('parallelism: 2', 'parallelism: 1'));
    await page.getByRole('button', { name: /Apply at/ }).click();
    await expect.poll(() => page.locator('.tab').count()).toBe(2);
    await expect.poll(() => text(page)).toContain('parallelism: 1');
    await page.locator('.tab button').first().click();
    await expect.poll(() => text(page)).toContain('parallelism: 2');
    expect(await page.locator('.changed').count()).toBe(0);
  });

  test('of a schedule that cannot be read is no action', async () => {
    const { page } = await open({ session: { manifest: cronJob(), cursor: 5 } });
    await page.locator('.transport').getByRole('button', { name: 'Actions' }).click();
    await page.getByLabel('Schedule').fill('daily');
    await page.getByRole('button', { name: 'Set its schedule to' }).click();
    await page.locator('.toast', { hasText: /^spec\.schedule expected exactly 5 fields/ }).waitFor();
    expect(await page.locator('.actions').count()).toBe(0);
  });
});

describe('a click on a running bar', () => {
  test('and one more delete the pod at exactly the time that was clicked', async () => {
    const { page, errors } = await open({ session: { script } });
    const rows = await page.locator('.rows .plot').boundingBox();
    await page.mouse.click(await xOf(page, 12), (rows?.y ?? 0) + 14);
    const menu = page.getByRole('dialog', { name: /Pod pi-0-/ });
    expect(await menu.locator('h3').innerText()).toMatch(/^pi-0-\d+ Running at 0:12$/);
    await menu.getByRole('button', { name: 'Delete at 0:12' }).click();
    await expect.poll(() => page.locator('.actions').innerText()).toMatch(/^0:12\s+delete pod pi-0-/);
    expect(errors).toEqual([]);
  });

  test('does the same by keyboard: the time is typed, and the row has the menu', async () => {
    const { page } = await open({ session: { script } });
    const field = page.getByRole('textbox', { name: 'Go to time' });
    await field.fill('0:12');
    await field.press('Enter');
    const row = page.locator('.row-label', { hasText: 'index 0' });
    await row.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Delete at 0:12' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.actions').innerText()).toMatch(/^0:12\s+delete pod pi-0-/);
    expect(await row.evaluate((one) => one === document.activeElement)).toBe(true);
  });
});

test('a last attempt that was cut short is an example: two clicks', async () => {
  const { page } = await open({ session: { script } });
  await page.locator('.example-button').click();
  await page.getByRole('button', { name: /Why was my Job’s last attempt cut short/ }).click();
  await expect.poll(() => page.locator('.outcome-line').first().innerText()).toContain('Failed');
});

describe('a rule', () => {
  test('has an index fail twice, in three clicks', async () => {
    const { page, errors } = await open({ session: { script } });
    await page.locator('.row-label', { hasText: 'index 1' }).click();
    await page.getByText('Change what it does from the start').click();
    await page.getByRole('button', { name: 'Fail twice' }).click();
    await expect.poll(() => page.getByLabel('What they do, rule 1').inputValue()).toBe('exit 1 after 5s twice');
    await expect.poll(() => page.locator('.story').innerText()).toContain('attempt 3 of index 1');
    expect(errors).toEqual([]);
  });

  test('is written for a range of attempts, with what the manifest has as proposals', async () => {
    const { page } = await open({ session: { script, manifest: PI.replace('backoffLimit: 3', 'backoffLimit: 3\n  podFailurePolicy:\n    rules:\n    - action: Ignore\n      onExitCodes: {operator: In, values: [42]}') } });
    await page.getByRole('button', { name: 'Add a rule…' }).click();
    const which = page.locator('.rule-form input[list]');
    expect(await which.evaluate((one) => one === document.activeElement)).toBe(true);
    await which.fill('index 0 attempts 1-2');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await expect.poll(() => page.getByLabel('Which pods, rule 1').inputValue()).toBe('index 0 attempts 1-2');
    expect(await page.locator('.add-rule').evaluate((one) => one === document.activeElement)).toBe(true);
    const proposed = async (list: string) => page.locator(`#${list} option`).evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
    expect(await proposed('which-proposals')).toEqual(expect.arrayContaining(['pods', 'index 1', 'container main', 'attempts 1-2']));
    expect(await proposed('what-proposals')).toContain('exit 42 after 5s');
  });

  test('that cannot be read marks its cell, and keeps what was typed', async () => {
    const { page } = await open({ session: { script: 'index 1: exit 1 twice\npods: succeed\n' } });
    const [which, what] = [page.getByLabel('Which pods, rule 1'), page.getByLabel('What they do, rule 1')];
    await which.fill('index one');
    await which.press('Enter');
    await expect.poll(() => which.getAttribute('aria-invalid')).toBe('true');
    expect(await what.getAttribute('aria-invalid')).toBe('false');
    expect(await page.locator('.rules [role=alert]').innerText()).toBe('Invalid number "one": write a number, 0 or higher, a range, or several of them, as in "indexes 1-2,5".');
    await which.fill('index 0');
    await what.fill('exit 1 often');
    await what.press('Enter');
    await expect.poll(() => what.getAttribute('aria-invalid')).toBe('true');
    await what.fill('exit 1 once');
    await what.press('Enter');
    await expect.poll(() => page.locator('.rules [role=alert]').count()).toBe(0);
    await expect.poll(async () => [await which.inputValue(), await what.inputValue()]).toEqual(['index 0', 'exit 1 after 5s once']);
    expect(await what.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  test('that names several Jobs stays in the table, beside why it is not played', async () => {
    const job = (namespace: string): string => PI.replace('name: pi', `name: pi\n  namespace: ${namespace}`);
    const { page } = await open({ session: { manifest: `${job('dev')}---\n${job('prod')}`, script: '' } });
    await page.getByRole('button', { name: 'Edit as text' }).click();
    await page.keyboard.type('job pi: exit 1');
    await page.keyboard.press('Control+Enter');
    await page.getByText('job pi could be in the namespaces dev and prod').waitFor();
    await page.getByRole('button', { name: 'Edit as table' }).click();
    expect(await page.getByRole('combobox', { name: 'Which pods, rule 1' }).inputValue()).toBe('job pi');
  });

  test('that matches nothing is dimmed and says so', async () => {
    const { page } = await open({ session: { script: 'index 9: exit 1\npods: succeed\n' } });
    await expect.poll(() => page.locator('.rules .unmatched').count()).toBe(1);
    expect(await page.locator('.rules .note').innerText()).toMatch(/^No pod matched "index 9: exit 1 after 5s"; pods are named pi-0-\d+, pi-1-\d+\.$/);
    await page.getByRole('button', { name: 'Edit as text', exact: true }).click();
    await expect.poll(() => page.locator('.script-veils span').count()).toBe(1);
    expect(await page.locator('.script-notes').innerText()).toMatch(/^Line 1: No pod matched/i);
  });
});

test('what is pasted beside a Job and cannot be played is passed over, and named', async () => {
  const { page, errors } = await open({ session: { script } });
  await write(page, `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  rate: fast\n---\n${PI.replace('name: pi', 'name: other')}---\n${cronJob()}`);
  await page.locator('.problems .warning', { hasText: 'Skipped: ConfigMap settings' }).waitFor();
  await expect.poll(() => page.locator('.job-lines').innerText()).toContain('job/other');
  await expect.poll(() => page.locator('.job-lines').innerText()).toContain('cronjob/hello');
  expect(errors).toEqual([]);
});

test('z and Ctrl+Z in a field change only its text, and undo no action', async () => {
  const { page, errors } = await open({ session: { script, cursor: 5 } });
  await page.getByRole('button', { name: 'Inject fault', exact: true }).click();
  await page.getByRole('button', { name: 'Refuse it as forbidden', exact: true }).click();
  await expect.poll(() => page.locator('.actions li').count()).toBe(1);
  await page.getByRole('button', { name: 'Edit as text', exact: true }).click();
  const field = page.getByLabel('Script');
  await field.focus();
  await page.keyboard.press('Control+End');
  const whole = await field.inputValue();
  await page.keyboard.type('# z');
  expect(await field.inputValue()).toBe(`${whole}# z`);
  for (let number = 0; number < 3 && (await field.inputValue()) !== whole; number++) await page.keyboard.press('Control+z');
  expect(await field.inputValue()).toBe(whole);
  await page.locator('.cm-content').click();
  await page.keyboard.type('z');
  await page.keyboard.press('Control+z');
  await page.getByRole('textbox', { name: 'Go to time' }).focus();
  await page.keyboard.type('z');
  await page.keyboard.press('Control+z');
  await page.getByRole('button', { name: 'Edit as table', exact: true }).click();
  expect(await page.locator('.actions li').count()).toBe(1);
  expect(errors).toEqual([]);
});

/** The editor: find and replace, history of each tab, playing at once, pasted text of any sort, and the list of problems. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { goTo, PI, usePage, why, write } from './browser.ts';

const { open } = usePage();
const script = 'pods: succeed after 20s\n';

/** The text in the editor; all of a short manifest is drawn. */
async function text(page: Page): Promise<string> {
  return (await page.locator('.cm-line').allInnerTexts()).map((line) => line.trimEnd()).join('\n');
}

async function putCursorBefore(page: Page, line: string): Promise<void> {
  await page.locator('.cm-line', { hasText: line }).click();
  await page.keyboard.press('Home');
}

test('what is searched for is found and replaced', async () => {
  const { page, errors } = await open({ session: { script } });
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('completions');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.cm-searchMatch-selected').count()).toBe(1);
  await page.locator('.cm-search [name=search]').fill('busybox');
  await page.locator('.cm-search input[name=replace]').fill('alpine');
  await page.getByRole('button', { name: 'Replace all' }).click();
  await expect.poll(() => text(page)).toContain('image: alpine');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.cm-search').count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.closest('.cm-editor') !== null)).toBe(true);
  expect(errors).toEqual([]);
});

test('Ctrl+Enter plays at once in the middle of a play', async () => {
  const { page } = await open({ session: { script } });
  await goTo(page, 2);
  await putCursorBefore(page, 'completions: 2');
  await page.keyboard.press('Shift+End');
  await page.keyboard.type('completions: 3');
  await page.getByRole('button', { name: 'Start over' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => page.locator('.row-label').count()).toBe(3);
  expect(await page.getByRole('button', { name: 'Start over' }).count()).toBe(0);
  expect(await text(page)).toBe(PI.replace('completions: 2', 'completions: 3'));
});

test('each tab has its own history, and keeps it', async () => {
  const { page, errors } = await open({ session: { script, title: 'First' } });
  await putCursorBefore(page, 'parallelism: 2');
  await page.keyboard.type('suspend: false');
  await page.keyboard.press('Enter');
  await expect.poll(() => text(page)).toContain('suspend: false');
  await page.locator('#why-title').click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Fork' }).click();
  await expect.poll(() => page.locator('.tabs .tab').count()).toBe(2);
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  expect(await text(page)).toContain('parallelism: 2');
  await page.locator('.tabs .tab button.ellipsis').first().click();
  await expect.poll(() => page.locator('.tabs .current').innerText()).toContain('First');
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(() => text(page)).toBe(PI);
  expect(errors).toEqual([]);
});

describe('what is pasted', () => {
  test('with the line ends of Windows and a byte order mark is played', async () => {
    const { page } = await open({ session: { script } });
    await write(page, `\uFEFF${PI.replace('name: pi', 'name: windows').replaceAll('\n', '\r\n')}`);
    await expect.poll(() => page.locator('.job-line').innerText()).toContain('job/windows');
    expect(await page.locator('.problems').count()).toBe(0);
  });

  test('as JSON is played', async () => {
    const { page } = await open({ session: { script } });
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };
    await write(page, JSON.stringify({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'json' }, spec: { parallelism: 2, completions: 2, template } }, null, 2));
    await expect.poll(() => page.locator('.job-line').innerText()).toContain('job/json');
    expect(await page.locator('.problems').count()).toBe(0);
  });
});

test('a problem leads to its place', async () => {
  const { page } = await open({ session: { script } });
  await write(page, PI.replace('backoffLimit: 3', 'backofLimit: 3'));
  await page.locator('.problems').getByRole('button', { name: /Line 9/ }).click();
  expect(await page.locator('.cm-activeLine').innerText()).toContain('backofLimit');
  expect(await page.evaluate(() => document.activeElement?.classList.contains('cm-content'))).toBe(true);
  expect(await page.locator('.cm-lintRange-error').innerText()).toBe('backofLimit');
  expect(await why(page)).not.toBe('');
});

describe('a repair', () => {
  const misplaced = PI.replace('  backoffLimit: 3\n', '').replace('    spec:\n', '    spec:\n      # Three tries.\n      backoffLimit: 3 # or four\n');
  const repaired = PI.replace('  backoffLimit: 3\n', '  # Three tries.\n  backoffLimit: 3 # or four\n');

  test('moves a field where it belongs with one click, and undo takes it back', async () => {
    const { page, errors } = await open({ session: { script } });
    await write(page, misplaced);
    await page.getByRole('button', { name: 'Move backoffLimit to spec' }).click();
    await expect.poll(() => text(page)).toBe(repaired);
    await expect.poll(() => page.locator('.problems').count()).toBe(0);
    expect(await page.locator('.cm-activeLine').innerText()).toContain('backoffLimit: 3');
    expect(await page.evaluate(() => document.activeElement?.classList.contains('cm-content'))).toBe(true);
    await page.keyboard.press('Control+z');
    await expect.poll(() => text(page)).toBe(misplaced);
    expect(errors).toEqual([]);
  });

  test('is made with Ctrl+. on the line, or from the hint over it', async () => {
    const { page, errors } = await open({ session: { script } });
    await write(page, PI.replace('completions: 2', 'completions: "2"').replace('backoffLimit', 'backofLimit'));
    await page.locator('.cm-lintRange-error').nth(1).waitFor();
    await page.locator('.cm-line', { hasText: 'completions' }).click();
    await page.keyboard.press('Control+.');
    await expect.poll(() => text(page)).toContain('completions: 2\n');
    await expect.poll(() => page.locator('.problems li').count()).toBe(1);
    await page.locator('.cm-lintRange-error').hover();
    await page.locator('.cm-tooltip').getByRole('button', { name: 'Change to backoffLimit' }).click();
    await expect.poll(() => text(page)).toBe(PI);
    await expect.poll(() => page.locator('.problems').count()).toBe(0);
    expect(errors).toEqual([]);
  });
});

test('a Job without a name is refused', async () => {
  const { page } = await open({ session: { script } });
  await write(page, PI.replace('  name: pi\n', '  labels: {}\n'));
  await expect.poll(() => page.locator('.problems').innerText()).toContain('name or generateName is required');
});

const RULES = `  podFailurePolicy:
    rules:
    - action: FailJob
      onExitCodes: {operator: In, values: [9]}
    - action: Ignore
      onExitCodes: {operator: In, values: [42]}
`;

test('a decision leads to the rule on which it rests, and lights up with it', async () => {
  const manifest = PI.replace('  template:\n', `${RULES}  template:\n`);
  const { page, errors } = await open({ session: { manifest, script: 'index 0 attempt 1: exit 42 after 5s\npods: succeed after 20s\n' } });
  await goTo(page, 5);
  const decision = page.locator('.decision', { hasText: 'matches rule 1' });
  for (let number = 0; number < 20 && (await decision.count()) === 0; number++) await page.keyboard.press('ArrowRight');
  await decision.hover();
  await expect.poll(() => page.locator('.cm-lit').allInnerTexts()).toEqual(['    - action: Ignore']);
  await decision.getByRole('button', { name: 'spec.podFailurePolicy.rules[1]' }).click();
  expect(await page.locator('.cm-shown').innerText()).toContain('action: Ignore');
  await page.locator('.cm-line', { hasText: 'values: [42]' }).hover();
  await expect.poll(() => decision.evaluate((element) => element.classList.contains('lit'))).toBe(true);
  await page.locator('.cm-line', { hasText: 'values: [9]' }).hover();
  await expect.poll(() => decision.evaluate((element) => element.classList.contains('lit'))).toBe(false);
  expect(await page.locator('.cm-lit').count()).toBe(0);
  expect(errors).toEqual([]);
});

describe('a manifest that is pasted', () => {
  const pasted = async (page: Page, where: string, text = PI.replace('completions: 2', 'completions: 4')): Promise<void> => {
    await page.evaluate(([selector, manifest]) => {
      const data = new DataTransfer();
      data.setData('text/plain', manifest ?? '');
      document.querySelector(selector ?? '')?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }, [where, text]);
  };

  test('replaces the one before where the cursor is in a line', async () => {
    const { page } = await open({ session: { script } });
    await page.locator('.cm-line', { hasText: 'kind: Job' }).click();
    await pasted(page, '.cm-content');
    await expect.poll(async () => (await text(page)).trimEnd()).toBe(PI.replace('completions: 2', 'completions: 4').trimEnd());
  });

  test('is added below as a further document at the end of a line', async () => {
    const { page } = await open({ session: { script } });
    const further = `---\n${PI.replace('name: pi', 'name: rho')}`;
    await page.locator('.cm-line', { hasText: 'image: busybox' }).click();
    await page.keyboard.press('End');
    await pasted(page, '.cm-content', further);
    await expect.poll(async () => (await text(page)).trimEnd()).toBe(`${PI}${further}`.trimEnd());
    await expect.poll(() => page.locator('.job-line').count()).toBe(2);
  });

  test('is meant for the editor where no text can be', async () => {
    const { page } = await open({ session: { script } });
    await page.locator('.cm-content').waitFor();
    await pasted(page, 'body');
    await expect.poll(async () => (await text(page)).trimEnd()).toBe(PI.replace('completions: 2', 'completions: 4').trimEnd());
  });
});

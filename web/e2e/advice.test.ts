/** Advice in the editor: it is marked quietly, fixed in place, and explained by the page of its rule. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { PI, usePage, write } from './browser.ts';

const { open } = usePage();
const script = 'pods: succeed after 20s\n';
const LOSING = PI.replace('restartPolicy: Never', 'restartPolicy: OnFailure').replace('  completionMode: Indexed\n', '');
const warnings = (page: Page) => page.locator('.cm-lintRange-warning');

/** The text in the editor; all of a short manifest is drawn. */
async function text(page: Page): Promise<string> {
  return (await page.locator('.cm-line').allInnerTexts()).map((line) => line.trimEnd()).join('\n');
}

describe('advice', () => {
  test('is marked at its place, and fixed from the hint over it', async () => {
    const { page, errors } = await open({ session: { script } });
    await write(page, LOSING);
    await expect.poll(() => warnings(page).allInnerTexts()).toEqual(['OnFailure']);
    expect(await page.locator('.cm-lint-marker-warning').count()).toBe(1);
    expect(await page.locator('.problems').count()).toBe(0);
    await warnings(page).hover();
    const hint = page.locator('.cm-tooltip', { hasText: 'its pod is deleted' });
    await hint.getByText('use Never').waitFor();
    await hint.getByRole('button', { name: 'Change to Never' }).click();
    await expect.poll(() => text(page)).toBe(LOSING.replace('OnFailure', 'Never'));
    await expect.poll(() => warnings(page).count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test('moves with the text while it is written, and is fixed with Ctrl+. on its line', async () => {
    const { page, errors } = await open({ session: { script } });
    await write(page, LOSING);
    await warnings(page).waitFor();
    await page.locator('.cm-line', { hasText: 'parallelism' }).click();
    await page.keyboard.press('Home');
    await page.keyboard.type('x: 1\n');
    await page.locator('.cm-lintRange-error', { hasText: 'x' }).waitFor();
    expect(await warnings(page).allInnerTexts()).toEqual(['OnFailure']);
    await page.locator('.cm-line', { hasText: 'OnFailure' }).click();
    await expect.poll(async () => {
      await page.keyboard.press('Control+.');
      return text(page);
    }).toContain('restartPolicy: Never');
    expect(errors).toEqual([]);
  });

  test('that is only worth knowing is marked in the text alone', async () => {
    const { page, errors } = await open({ session: { manifest: PI, script } });
    await page.locator('.cm-lintRange-info').first().waitFor();
    expect(await page.locator('.cm-lintRange-warning, .cm-lintRange-error, .cm-lint-marker').count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test('that fails says so: for a moment, and where the forecast would be', async () => {
    const { page, context } = await open({ session: { script } });
    await context.addInitScript(() => {
      const Original = Worker;
      globalThis.Worker = class extends Original {
        override postMessage(call: { id: number; name: string }): void {
          if (call.name === 'forecast') this.dispatchEvent(new MessageEvent('message', { data: { id: call.id, failed: 'It is raining.' } }));
          else super.postMessage(call);
        }
      };
    });
    await page.reload();
    await page.locator('.toast', { hasText: 'The manifest could not be checked for advice. It is raining.' }).waitFor();
    await page.getByRole('button', { name: 'Forecast' }).click();
    await page.locator('.forecast [role=alert]', { hasText: 'The forecast failed. It is raining.' }).waitFor();
  });
});

describe('the page of a rule', () => {
  test('is requested when it is first read, from the hint over advice, and its examples are played', async () => {
    const { page, errors } = await open({ session: { script } });
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await write(page, LOSING);
    await warnings(page).hover();
    const pages = () => requested.filter((url) => url.includes('rules'));
    expect(pages()).toEqual([]);
    await page.locator('.cm-tooltip').getByRole('button', { name: 'logs-lost' }).click();
    const dialog = page.getByRole('dialog', { name: 'logs-lost' });
    await dialog.getByText('it deletes the pod that is still active').waitFor();
    expect(pages()).toHaveLength(1);
    const bad = dialog.locator('section', { hasText: 'Bad: the pod is deleted' });
    await bad.getByText('What happens').click();
    await bad.getByText('The Job fails: its containers restarted 2 times; backoffLimit is 2').waitFor();
    await dialog.getByText('# jobsmith: ignore[logs-lost]').waitFor();
    await bad.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    await expect.poll(() => page.locator('.job-line').innerText()).toContain('job/work');
    await expect.poll(() => page.locator('.outcome-line').innerText()).toContain('Failed');
    expect(await page.locator('.tabs .tab').count()).toBe(2);
    expect(errors).toEqual([]);
  });

  test('is shown for what is refused and for advice in lists, and Escape leads back', async () => {
    const { page, errors } = await open({ session: { script } });
    await write(page, LOSING.replace('backoffLimit', 'backofLimit'));
    await page.locator('.problems').getByRole('button', { name: 'unknown-field' }).click();
    const dialog = page.getByRole('dialog', { name: 'unknown-field' });
    await dialog.getByText('An object has no field of this name').waitFor();
    expect(await dialog.getByText('# jobsmith: ignore').count()).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('unknown-field');
    await page.getByRole('button', { name: 'Change to backoffLimit' }).click();
    await page.getByRole('button', { name: 'Forecast' }).click();
    await page.getByRole('list', { name: 'Advice on the manifest' }).getByRole('button', { name: 'logs-lost' }).click();
    await page.getByRole('dialog', { name: 'logs-lost' }).getByText('it deletes the pod that is still active').waitFor();
    expect(errors).toEqual([]);
  });

  test('that cannot be loaded says so', async () => {
    const { page, context } = await open({ session: { script }, serviceWorkers: 'block' });
    await context.route('**/*rules*', (route) => route.abort());
    await write(page, LOSING.replace('backoffLimit', 'backofLimit'));
    await page.locator('.problems').getByRole('button', { name: 'unknown-field' }).click();
    await page.locator('.toast', { hasText: 'This part of the page could not be loaded.' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

/** The first screen: what the page is, an example as people write manifests, and nothing that needs to be explained. */
import { expect, test } from 'vitest';

import { PI, usePage, write } from './browser.ts';

const { open } = usePage();

test.each([[1440, 900], [390, 844]])('at %i × %i, it says what the page is, that a Job can be pasted, and nothing in jargon', async (width, height) => {
  const { page, errors } = await open({ viewport: { width, height } });
  await page.getByText('See what Kubernetes does with your Job, step by step: paste it over this example.').waitFor();
  const text = await page.locator('.page').innerText();
  for (const jargon of ['component', 'resourceVersion', 'uncountedTerminatedPods', 'tracking finalizer']) expect(text).not.toContain(jargon);
  expect(text).not.toMatch(/\b[JCT]-\d+/);
  expect(await page.locator('.strip').evaluate((strip) => strip.clientHeight)).toBeLessThanOrEqual(width > 900 ? 80 : 120);
  expect(errors).toEqual([]);
});

test('its example has a line for each field', async () => {
  const { page } = await open();
  await page.locator('.cm-content').waitFor();
  const manifest = await page.locator('.cm-content').innerText();
  expect(manifest).toContain('metadata:\n  name: ');
  expect(manifest).not.toMatch(/[{[]/);
});

test('the outcome and the step that is opened have the same count, and commands that are not run are named beside it', async () => {
  const { page } = await open({ session: { script: '' } });
  await write(page, `${PI.replace(/  completionMode[\s\S]*backoffLimit/, '  backoffLimit').replace('name: pi', 'name: one')}        command: [sh, -c, exit 1]\n`);
  await expect.poll(() => page.locator('.job-line').innerText()).toMatch(/^job\/one .*1\/1 succeeded \(1 being counted\)/);
  expect(await page.locator('.outcome-line').innerText()).toContain('1/1 succeeded');
  await page.getByText('Commands are not run: every pod is assumed to succeed after 5 s.').waitFor();
  await page.getByRole('button', { name: 'Add a rule…' }).click();
  await page.getByRole('button', { name: 'Add rule', exact: true }).click();
  await expect.poll(() => page.locator('.assumed').count()).toBe(0);
});

test('what the controllers follow and count is there on request', async () => {
  const { page } = await open({ session: { script: 'pods: succeed after 5s\n', cursor: 1 } });
  await page.locator('summary', { hasText: 'Rule codes' }).click();
  await page.locator('.rules-followed', { hasText: /J-\d+/ }).waitFor();
  await page.keyboard.press('?');
  await page.locator('summary', { hasText: 'Versions' }).click();
  await page.getByText(/SHA-256 [0-9a-f]{64}/).waitFor();
});

/** The annotations of jobsmith: what is wrong with one, which line a decision rests on, what each attempt has, and the same Job without it. */
import { expect, test } from 'vitest';

import { usePage, write } from './browser.ts';

const { open } = usePage();

const HUNGRY = `apiVersion: batch/v1
kind: Job
metadata:
  name: hungry
  annotations:
    jobsmith.dev/on-failure: |
      exit 42: fail the Job
      reason OOMKilled: retry, memory x2 up to 16Gi
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: busybox
        resources:
          limits:
            memory: 1Gi
`;
const script = 'attempts 1-2: OOMKilled after 5s\npods: succeed after 5s\n';

test('a decision leads to the line of the annotation, and the line to its decisions', async () => {
  const { page, errors } = await open({ session: { manifest: HUNGRY, script, cursor: 1_000_000 } });
  const line = page.getByRole('button', { name: 'metadata.annotations[jobsmith.dev/on-failure]:2' });
  for (let steps = 0; steps < 60 && (await line.count()) === 0; steps++) await page.keyboard.press('ArrowLeft');
  await line.first().click();
  await expect.poll(() => page.locator('.cm-shown').innerText()).toContain('reason OOMKilled: retry');
  await page.locator('.cm-line', { hasText: 'reason OOMKilled' }).hover();
  await expect.poll(() => page.locator('.decision.lit').count()).toBeGreaterThan(0);
  await page.locator('.cm-line', { hasText: 'exit 42' }).hover();
  await expect.poll(() => page.locator('.decision.lit').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('the memory of each attempt is shown as a curve, beside the delays', async () => {
  const { page, errors } = await open({ session: { manifest: HUNGRY, script, cursor: 1_000_000 } });
  const grows = page.getByRole('button', { name: 'How it grows by attempt' });
  for (let steps = 0; steps < 60 && (await grows.count()) === 0; steps++) await page.keyboard.press('ArrowLeft');
  expect(await page.locator('.reasons').innerText()).toContain('Container main of the next pod has 4Gi of memory instead of 1Gi');
  await grows.first().click();
  const curves = page.getByRole('dialog', { name: 'Retries' }).locator('.curve');
  expect(await curves.evaluateAll((all) => all.map((curve) => curve.getAttribute('aria-label')))).toEqual([
    '1 failure: 10 s; 2 failures: 20 s',
    'attempt 1: 1Gi; attempt 2: 2Gi; attempt 3: 4Gi',
  ]);
  expect(errors).toEqual([]);
});

test('the words that are wrong are underlined, and the hint over them says what to write instead', async () => {
  const { page } = await open({ session: { script } });
  await write(page, HUNGRY.replace('memory x2', 'memory 2x'));
  const wrong = page.locator('.cm-lintRange-warning');
  await expect.poll(() => wrong.allInnerTexts()).toEqual(['2x']);
  await wrong.hover();
  const hint = page.locator('.cm-tooltip', { hasText: 'create no pods until it is corrected' });
  await hint.waitFor();
  expect(await hint.innerText()).toContain('x2');
});

test('the key of an annotation explains itself', async () => {
  const { page } = await open({ session: { manifest: HUNGRY, script } });
  await page.locator('.cm-line', { hasText: 'jobsmith.dev/on-failure' }).hover({ position: { x: 90, y: 8 } });
  await expect.poll(() => page.locator('.cm-field').innerText()).toContain('What happens after a pod fails');
});

test('a Job is compared with itself without the annotation', async () => {
  const { page, errors } = await open({ session: { manifest: HUNGRY, script } });
  await page.keyboard.press('c');
  await page.getByRole('button', { name: /^Without jobsmith.dev\/on-failure/ }).click();
  await page.getByText('They diverge at').waitFor();
  expect(await page.locator('.comparison-lines p').allInnerTexts()).toEqual(expect.arrayContaining([expect.stringContaining('reason OOMKilled: retry')]));
  expect(errors).toEqual([]);
});

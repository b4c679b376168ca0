/** The manifest: edits before and during a play, allowed and refused, and what is wrong with it. */
import { describe, expect, test } from 'vitest';

import { QUESTIONS } from '../src/model/questions.ts';
import { goTo, PI, usePage, why, write } from './browser.ts';

const { open } = usePage();
const script = 'pods: succeed after 20s\n';

test('at the start, another manifest is played at once', async () => {
  const { page, errors } = await open({ session: { script } });
  await write(page, PI.replace('name: pi', 'name: other'));
  await expect.poll(() => page.locator('.job-line').innerText()).toContain('job/other');
  expect(errors).toEqual([]);
});

/** What `kubectl get jobs,pods -o yaml` prints of a Job with a failed pod and a running one. */
const LIVE = `apiVersion: v1
kind: List
items:
- apiVersion: batch/v1
  kind: Job
  metadata: {name: pi, namespace: batch, uid: job-1, creationTimestamp: '2026-05-04T09:00:00Z'}
  spec:
    backoffLimit: 1
    completions: 1
    parallelism: 1
    completionMode: NonIndexed
    suspend: false
    selector: {matchLabels: {batch.kubernetes.io/controller-uid: job-1}}
    template:
      metadata: {labels: {batch.kubernetes.io/controller-uid: job-1}}
      spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
  status: {active: 1, failed: 1, ready: 1, startTime: '2026-05-04T09:00:00Z'}
`;
const LIVE_POD = `- apiVersion: v1
  kind: Pod
  metadata:
    name: pi-x7k2p
    namespace: batch
    uid: pod-1
    creationTimestamp: '2026-05-04T09:00:20Z'
    finalizers: [batch.kubernetes.io/job-tracking]
    labels: {batch.kubernetes.io/controller-uid: job-1}
    ownerReferences: [{apiVersion: batch/v1, kind: Job, name: pi, uid: job-1, controller: true}]
  spec: {nodeName: worker-3, restartPolicy: Never, containers: [{name: main, image: busybox}]}
  status:
    phase: Running
    startTime: '2026-05-04T09:00:20Z'
    conditions: [{type: Ready, status: 'True'}]
    containerStatuses: [{name: main, ready: true, restartCount: 0, state: {running: {startedAt: '2026-05-04T09:00:21Z'}}}]
`;

test('after a paste, the editor shows the Job, and an error names its field in the list and at its line', async () => {
  const { page } = await open({ session: { script } });
  const others = Array.from({ length: 60 }, (_, number) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: other-${number}\n---\n`).join('');
  await write(page, `${others}${PI.replace('- name: main\n        image', '- image')}${'# end\n'.repeat(80)}`);
  await expect.poll(() => page.locator('.cm-activeLine').innerText()).toBe('apiVersion: batch/v1');
  expect(await page.locator('.cm-content').innerText()).toContain('kind: Job');
  await page.locator('.problems .error', { hasText: 'containers[0].name: Required value' }).waitFor();
  await page.locator('.cm-lintRange-error').first().hover();
  await page.locator('.cm-tooltip', { hasText: 'containers[0].name: Required value' }).waitFor();
});

test.each([
  ['Remove the Markdown around the manifest', `Here it is:\n\n\`\`\`yaml\n${PI}\`\`\`\n`],
  ['Remove the lines that are no part of the manifest', `$ kubectl get job pi -o yaml\nWarning: this is deprecated\n${PI}`],
  ['Replace the non-breaking spaces', PI.replaceAll('\n  ', '\n\u00a0\u00a0')],
])('%s: a paste becomes a manifest by one click', async (fix, pasted) => {
  const { page, errors } = await open({ session: { script } });
  await write(page, pasted.replace('name: pi', 'name: other'));
  await page.getByRole('button', { name: fix, exact: true }).click();
  await expect.poll(() => page.locator('.job-line').innerText()).toContain('job/other');
  expect(await page.locator('.problems li.error').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('what the API server refuses of names has fixes', async () => {
  const { page } = await open({ session: { script } });
  await write(page, PI.replace('name: pi', 'name: My_Job').replace('      - name: main\n        image', '      - image'));
  for (const fix of ['Change to my-job', 'Add name: main']) {
    await page.getByRole('button', { name: fix, exact: true }).click();
    await page.getByRole('button', { name: fix, exact: true }).waitFor({ state: 'detached' });
  }
  await expect.poll(() => page.locator('.job-line').innerText()).toContain('job/my-job');
});

test('what a cluster has goes on from there', async () => {
  const { page, errors } = await open({ session: { script: 'pods: exit 4 after 20s\n', cursor: 5 } });
  await write(page, LIVE + LIVE_POD);
  await expect.poll(() => why(page)).toContain('Counting pod pi-x7k2p as failed');
  await page.keyboard.press('Escape');
  await page.locator('#why-title').click();
  await page.keyboard.press('Home');
  await expect.poll(() => why(page)).toContain('as they were on another cluster');
  expect(await page.locator('.job-line').innerText()).toContain('1 failed');
  await page.keyboard.press('End');
  await expect.poll(() => page.locator('.job-line').innerText()).toContain('2 failed');
  expect(await page.locator('.problems').count()).toBe(0);
  await write(page, LIVE);
  await page.keyboard.press('Escape');
  await page.locator('#why-title').click();
  await page.keyboard.press('Home');
  await expect.poll(() => page.locator('.story-line').allInnerTexts().then((lines) => lines.join('\n'))).toContain('1 active pod of job pi is missing from these objects');
  expect(errors).toEqual([]);
});

test('another Job is played in place of the one before, and shows its outcome', async () => {
  const { page } = await open({ session: { script, title: 'Before', cursor: 8 } });
  await write(page, PI.replace('name: pi', 'name: other'));
  await expect.poll(() => page.locator('.job-line').innerText()).toContain('job/other');
  expect(await page.locator('.example-button').innerText()).toContain('choose one');
  await expect.poll(() => why(page)).toContain('The Job succeeds');
});

test('a manifest pasted over an example comes without the pod behaviour of the example', async () => {
  const { page, errors } = await open();
  const rules = () => page.locator('.rules input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  await page.keyboard.press('/');
  await page.getByRole('button', { name: QUESTIONS[0]?.question ?? '' }).click();
  await expect.poll(() => why(page)).toContain('The Job fails');
  const before = await rules();
  await page.getByRole('button', { name: 'Add a rule…' }).click();
  await page.getByRole('button', { name: 'Add rule' }).click();
  await expect.poll(async () => (await rules()).length).toBe(before.length + 2);
  const added = (await rules()).slice(0, 2);
  await write(page, PI.replace('name: pi', 'name: other'));
  await expect.poll(() => page.locator('.job-line').innerText()).toContain('job/other');
  expect(await rules()).toEqual(added);
  expect(await page.locator('.toast').innerText()).toContain('Removed the pod behaviour of the example');
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect.poll(rules).toEqual([...added, ...before]);
  expect(errors).toEqual([]);
});

test('Ctrl+Z after a paste brings back the manifest with its pod behaviour, and Ctrl+Y the other one', async () => {
  const { page, errors } = await open();
  const rules = () => page.locator('.rules input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  await page.keyboard.press('/');
  await page.getByRole('button', { name: QUESTIONS[0]?.question ?? '' }).click();
  await expect.poll(() => why(page)).toContain('The Job fails');
  const before = await rules();
  await write(page, PI.replace('name: pi', 'name: other'));
  await expect.poll(() => page.locator('.job-line').innerText()).toContain('job/other');
  expect(await rules()).toEqual([]);
  await page.keyboard.press('Control+z');
  await expect.poll(rules).toEqual(before);
  await expect.poll(() => why(page)).toContain('The Job fails');
  await page.keyboard.press('Control+y');
  await expect.poll(() => page.locator('.job-line').innerText()).toContain('job/other');
  expect(await rules()).toEqual([]);
  expect(errors).toEqual([]);
});

describe('during a play, an edit', () => {
  test('that is allowed is applied at that moment', async () => {
    const { page } = await open({ session: { script } });
    await goTo(page, 2);
    await write(page, PI.replace('backoffLimit: 3', 'backoffLimit: 5'));
    await page.getByRole('button', { name: /Apply at 0:0/ }).click();
    await expect.poll(() => page.locator('.actions').innerText()).toContain('set job pi spec.backoffLimit=5');
    await expect.poll(() => why(page)).toContain('spec.backoffLimit is 5');
  });

  test('that the API server refuses is no action, and says why in one sentence', async () => {
    const { page } = await open({ session: { script } });
    await goTo(page, 2);
    await write(page, PI.replace('image: busybox', 'image: other'));
    await page.getByRole('button', { name: /Apply at 0:0/ }).click();
    await expect.poll(() => page.locator('.changed [role=alert]').innerText()).toBe('spec.template is immutable here: start over with this manifest, or create another Job.');
    expect([await page.locator('.actions').count(), await page.locator('.tab').count()]).toEqual([0, 0]);
    expect(await page.locator('.cm-content').innerText()).toContain('image: other');
  });

  test('can start all over', async () => {
    const { page } = await open({ session: { script } });
    await goTo(page, 2);
    await write(page, PI.replaceAll('2', '4'));
    await page.getByRole('button', { name: 'Start over' }).click();
    await expect.poll(() => page.locator('.row-label').count()).toBe(4);
  });
});

describe('what is wrong', () => {
  test('in YAML is shown at its place', async () => {
    const { page, errors } = await open({ session: { script } });
    await write(page, 'apiVersion: batch/v1\nkind: Job\nspec: [\n');
    await expect.poll(() => page.locator('.problems').innerText()).toMatch(/Line \d+:/);
    await expect.poll(() => page.locator('.cm-lint-marker-error').count()).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  });

  test('in a field is shown with a remedy', async () => {
    const { page } = await open({ session: { script } });
    await write(page, PI.replace('backoffLimit: 3', 'backofLimit: 3'));
    await expect.poll(() => page.locator('.problems').innerText()).toMatch(/Line 9:.*backofLimit[^]*backoffLimit/);
  });
});

test('a field of a reason leads to its line, and a line to its reasons', async () => {
  const { page } = await open({ session: { script, cursor: 1 } });
  await page.getByRole('button', { name: 'spec.parallelism' }).first().click();
  expect(await page.locator('.cm-shown').innerText()).toContain('parallelism: 2');
  await page.locator('.cm-line', { hasText: 'parallelism' }).hover();
  await expect.poll(() => page.locator('.decision.lit').count()).toBeGreaterThan(0);
});

test('objects are shown as YAML', async () => {
  const { page } = await open({ session: { script, cursor: 6 } });
  await page.locator('.object > summary', { hasText: 'job/pi' }).click();
  await expect.poll(() => page.locator('.object[open] .yaml').innerText()).toContain('kind: Job');
});

test('objects are listed where there is room, unless a person has folded them', async () => {
  const session = { script, cursor: 6 };
  const low = await open({ viewport: { width: 1280, height: 720 }, session });
  const objects = low.page.locator('.objects');
  // The editor comes after what could open them.
  await low.page.locator('.cm-content').waitFor();
  expect(await objects.getAttribute('open')).toBe(null);
  const { page } = await open({ session });
  await page.locator('.object > summary', { hasText: 'pod/pi-0-' }).waitFor();
  await page.locator('.objects > summary').click();
  await page.reload();
  await page.locator('.cm-content').waitFor();
  expect(await page.locator('.objects').getAttribute('open')).toBe(null);
  expect(await page.locator('.object').count()).toBe(0);
});

test('the manifest has the height of its lines, and Pod behaviour the rest', async () => {
  const { page } = await open({ viewport: { width: 1280, height: 900 } });
  const heights = async () => [(await page.locator('.manifest').boundingBox())?.height ?? 0, (await page.locator('.pods-pane').boundingBox())?.height ?? 0] as const;
  await page.locator('.cm-content').waitFor();
  await write(page, PI);
  const lines = PI.split('\n').length * 20;
  await expect.poll(async () => (await heights())[0]).toBeGreaterThanOrEqual(lines);
  expect((await heights())[0]).toBeLessThan(lines + 60);
  const splitter = page.getByRole('separator', { name: 'Height of the Pod behaviour pane' });
  const [, pods] = await heights();
  await expect.poll(async () => Number(await splitter.getAttribute('aria-valuenow'))).toBe(pods);
  await splitter.press('ArrowDown');
  expect((await heights())[1]).toBe(pods - 16);
  const other = await open({ viewport: { width: 1280, height: 900 }, session: { manifest: `${PI}${'# line\n'.repeat(100)}` } });
  await other.page.locator('.cm-content').waitFor();
  expect((await other.page.locator('.pods-pane').boundingBox())?.height).toBeGreaterThanOrEqual(280);
});

/** What is exported is of use without the page: pictures, and what the command line plays. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { cronJob, PI, usePage } from './browser.ts';
import { built, shell } from './program.ts';

const { open } = usePage();
const session = { script: "# it's index 1\nindex 1: exit 42 after 3s\npods: succeed after 5s\n", cursor: 9, title: 'Why <did> it fail?' };

/** Chooses from the share menu what is saved as a file; its text or bytes. */
async function saved(page: Page, name: string): Promise<{ name: string; path: string; content: Buffer }> {
  await page.getByRole('button', { name: 'Share' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name }).click();
  const download = await saving;
  const path = await download.path();
  return { name: download.suggestedFilename(), path, content: readFileSync(path) };
}

/** Chooses from the share menu what is copied. */
async function copied(page: Page, name: string, beginning: string): Promise<string> {
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name }).click();
  const read = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).toContain(beginning);
  return read();
}

describe('a picture of the timeline', () => {
  test('is SVG that shows the outcome, with light colours in dark mode too', async () => {
    const { page, errors } = await open({ session, colorScheme: 'dark' });
    const { name, content } = await saved(page, 'Save SVG');
    expect(name).toBe('pi.svg');
    const found = await page.evaluate((svg) => {
      const read = new DOMParser().parseFromString(svg, 'image/svg+xml');
      return { broken: read.querySelector('parsererror') !== null, texts: [...read.querySelectorAll('text')].map((text) => text.textContent), page: read.querySelector('rect')?.getAttribute('fill') };
    }, content.toString());
    expect(found).toMatchObject({ broken: false, page: 'rgb(255, 255, 255)' });
    expect(found.texts).toEqual(expect.arrayContaining(['Why <did> it fail?', expect.stringMatching(/^Job pi: Failed at /), 'index 1', '✗ 42', 'Succeeded']));
    expect(errors).toEqual([]);
  });

  test('is PNG, sharp on any screen', async () => {
    const { page, errors } = await open({ session });
    const { name, content } = await saved(page, 'Save PNG');
    expect([name, content.subarray(1, 4).toString(), content.readUInt32BE(16)]).toEqual(['pi.png', 'PNG', 1920]);
    expect(errors).toEqual([]);
  });
});

test('two lanes are in one picture, and in one file that opens them side by side', async () => {
  const beside = { lane: 'right' as const, session: { version: 1 as const, manifest: PI, script: 'pods: succeed after 9s\n', cursor: 3, title: 'all succeed' } };
  const { page, errors } = await open({ session: { ...session, beside } });
  await page.getByText(/^They diverge at/).waitFor();
  const svg = (await saved(page, 'Save SVG')).content.toString();
  for (const title of ['A: Why', 'B: all succeed']) expect(svg).toContain(title);
  const { content } = await saved(page, 'Save .jobsmith file');
  const other = await open();
  await other.page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'two.jobsmith'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, content.toString());
  await other.page.getByText(/^They diverge at/).waitFor();
  expect(await other.page.locator('.lane-title').allTextContents()).toEqual(['A Why <did> it fail?', 'B all succeed']);
  expect([errors, other.errors]).toEqual([[], []]);
});

describe('the CLI command', () => {
  built('runs in a shell and prints what the page shows', async () => {
    const { page } = await open({ session });
    const { status, output } = shell(await copied(page, 'Copy CLI command', 'jobsmith simulate'));
    const text = await copied(page, 'Copy Markdown', '## Why');
    const [, trace = 'nothing'] = /What happens:\n\n```\n([\s\S]*?)\n```/.exec(text) ?? [];
    expect([status, output]).toEqual([1, expect.stringContaining(trace)]);
  });

  built('plays a CronJob as far as the page', async () => {
    const { page } = await open({ session: { manifest: cronJob(), title: 'hello' } });
    const { status, output } = shell(await copied(page, 'Copy CLI command', '--for'));
    expect([status, output]).toEqual([0, expect.stringContaining('10 scheduled, 10 started: 10 succeeded')]);
  });
});

describe('the .jobsmith file', () => {
  built('plays the same with the CLI', async () => {
    const { page } = await open({ session });
    const { path } = await saved(page, 'Save .jobsmith file');
    const command = await copied(page, 'Copy CLI command', 'jobsmith simulate');
    const [file, typed] = [shell(`cp ${path} ${path}.jobsmith && jobsmith simulate ${path}.jobsmith`), shell(command)];
    expect(file.output).toContain('Failed with exit code 42');
    expect(file).toEqual(typed);
  });

  built('plays CronJobs as far as the page, and all that happens by then', async () => {
    const { page } = await open({ session: { manifest: cronJob().replace('* * * * *', '0 */2 * * *'), script: 'at 90m: set cronjob hello spec.suspend=false\n', title: 'hello' } });
    const { path } = await saved(page, 'Save .jobsmith file');
    const { status, output } = shell(`cp ${path} ${path}.jobsmith && jobsmith simulate ${path}.jobsmith`);
    expect([status, output]).toEqual([0, expect.stringContaining('10 scheduled, 10 started: 10 succeeded')]);
  });

  test.each([['later.yaml', 'the objects'], ['saved.jobsmith', 'a session']])('%s opens when it is dropped', async (name) => {
    const { page } = await open();
    const text = name.endsWith('.yaml') ? PI.replace('name: pi', 'name: dropped') : JSON.stringify({ version: 1, manifest: PI, script: '', cursor: 0, title: 'dropped' });
    await page.evaluate(([file = '', content = '']) => {
      const data = new DataTransfer();
      data.items.add(new File([content], file));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, [name, text]);
    await page.getByText(`Opened ${name}.`).waitFor();
  });
});

describe('the scenario file', () => {
  const faults = 'pods: exit 1 after 5s\nat 12s: cut watch for 5s\nat 20s: refuse next write with conflict\n';
  built.each([
    ['a Job', session],
    ['a Job with faults', { ...session, script: faults }],
    ['a CronJob', { manifest: cronJob(), script: 'pods: succeed after 10s\n', title: 'hello' }],
  ])('of %s passes jobsmith test as it is', async (_, played) => {
    const { page, errors } = await open({ session: played });
    const { path, content } = await saved(page, 'Save scenario file');
    expect(content.toString()).toMatch(/```trace exact\n +0:00 /);
    expect(shell(`cp ${path} ${path}.md && jobsmith test ${path}.md`)).toMatchObject({ status: 0 });
    expect(errors).toEqual([]);
  });

  test('says what it cannot hold', async () => {
    const pods = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a, uid: 6d1c8f9e-0000-4000-8000-000000000001}\nspec: {containers: [{name: m, image: b}]}\n';
    const { page } = await open({ session: { manifest: `${pods}---\n${cronJob()}`, title: 'found' } });
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Save scenario file' }).click();
    await page.getByText('Cannot save this session as a scenario file').waitFor();
  });
});

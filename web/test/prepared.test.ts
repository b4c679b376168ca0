/** What the page opens with, before the controllers are there: what they play, and nothing of it is asked again. */
import first from 'virtual:first';
import opened from 'virtual:opened';
import { describe, expect, test } from 'vitest';

import type { Oracle } from '../src/client.ts';
import { prepared } from '../src/state/prepared.ts';
import { createTab, type Tab } from '../src/state/tab.ts';
import { module } from './steps.ts';

/** The controllers, with all that they are asked. */
function controllers(): Oracle & { calls: string[] } {
  const calls: string[] = [];
  return { calls, call: (name, input) => (calls.push(name), module.call(name, input)) };
}

const session = { version: 1 as const, manifest: first.manifest, script: first.script, cursor: 0 };

function openTab(oracle: Oracle): Tab {
  const tab = createTab(oracle, { session, seek: { to: 'outcome' } });
  tab.wake();
  return tab;
}

describe('the first example', () => {
  test('is shown as the controllers play it, at its outcome', async () => {
    const shown = openTab(prepared({ ...first, opened }, () => new Promise(() => {}), controllers));
    const real = openTab(controllers());
    await expect.poll(() => real.complete()).toBe(true);
    expect(shown.complete()).toBe(true);
    expect(shown.story().steps).toEqual(real.story().steps);
    expect([shown.parts(), shown.cursor(), shown.story().start]).toEqual([real.parts(), real.cursor(), real.story().start]);
  });

  test('starts the worker when it is painted, which has the same play for what is asked later', async () => {
    const worker = controllers();
    let paint = (): void => {};
    const oracle = prepared({ ...first, opened }, () => new Promise((done) => (paint = done)), () => worker);
    const tab = openTab(oracle);
    const asked = oracle.call('objects', { play: tab.play(), step: 3 });
    await expect.poll(() => tab.complete()).toBe(true);
    expect(worker.calls).toEqual([]);
    tab.goTo(3);
    paint();
    expect((await asked).map(({ kind }) => kind)).toContain('Job');
    expect(worker.calls).toEqual(['open', 'objects']);
    expect(tab.cursor()).toBe(3);
  });
});

test('any other session is played by the controllers at once', async () => {
  const worker = controllers();
  const oracle = prepared({ ...first, opened }, () => new Promise(() => {}), () => worker);
  const answer = await oracle.call('open', { play: 1, size: 500, runs: 0, until: 0, manifest: first.manifest, script: '' });
  expect(answer).not.toEqual(opened);
  expect(worker.calls).toHaveLength(1);
});

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
    const shown = openTab(prepared({ ...first, opened }, controllers));
    const real = openTab(controllers());
    await expect.poll(() => real.complete()).toBe(true);
    expect(shown.complete()).toBe(true);
    expect(shown.story().steps).toEqual(real.story().steps);
    expect([shown.parts(), shown.cursor(), shown.story().start]).toEqual([real.parts(), real.cursor(), real.story().start]);
  });

  test('is played by the worker, too, for what is asked about it later', async () => {
    const worker = controllers();
    const oracle = prepared({ ...first, opened }, () => worker);
    const tab = openTab(oracle);
    await expect.poll(() => tab.complete()).toBe(true);
    tab.goTo(3);
    expect((await oracle.call('objects', { play: tab.play(), step: 3 })).map(({ kind }) => kind)).toContain('Job');
    expect(worker.calls).toEqual(['open', 'objects']);
    expect(tab.cursor()).toBe(3);
  });
});

test('any other session is played by the controllers at once', async () => {
  const worker = controllers();
  const oracle = prepared({ ...first, opened }, () => worker);
  const answer = await oracle.call('open', { play: 1, size: 500, runs: 0, until: 0, manifest: first.manifest, script: '' });
  expect(answer).not.toEqual(opened);
  expect(worker.calls).toHaveLength(1);
});

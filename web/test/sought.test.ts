/** Where one looks while a session is still being played: steps go on from what is sought, not from what happens to be there. */
import { expect, test } from 'vitest';

import type { Oracle } from '../src/client.ts';
import type { PodView, Question, Step } from '../src/protocol.ts';
import { fork, rewrite, toNextFailure, toPreviousFailure } from '../src/state/acts.ts';
import type { Seek } from '../src/state/sought.ts';
import { createWorkspace } from '../src/state/workspace.ts';
import { held } from './clockwork.ts';
import { pod, progress, step } from './steps.ts';

const session = { version: 1 as const, manifest: 'kind: Job\n', script: '', cursor: 0 };

/** A session that is played no further than its first piece until `go` is called. */
async function begun(seek: Seek) {
  const { oracle, ...others } = held();
  const workspace = createWorkspace(oracle);
  const tab = workspace.open({ session, seek });
  await expect.poll(() => tab.story().steps.length).toBe(1);
  return { workspace, tab, ...others };
}

test.each<[Seek, number]>([
  [{ to: 'step', step: 5 }, 6], [{ to: 'time', at: 5500 }, 6], [{ to: 'action', at: 5000 }, 6], [{ to: 'outcome' }, 8],
])('a step on from %o', async (seek, expected) => {
  const { tab, go } = await begun(seek);
  tab.goFrom((step) => step + 1);
  tab.goFrom((step) => step + 1);
  tab.goFrom((step) => step - 1);
  go();
  await expect.poll(() => [tab.complete(), tab.cursor()]).toEqual([true, expected]);
  expect(tab.at()).toBe(expected * 1000);
});

test('a step or a time that is not played yet is looked at once it is', async () => {
  const { tab, go } = await begun({ to: 'step', step: 0 });
  tab.goTo(4);
  go();
  await expect.poll(() => tab.cursor()).toBe(4);
  const other = await begun({ to: 'step', step: 0 });
  other.tab.goToTime(4321);
  other.go();
  await expect.poll(() => [other.tab.cursor(), other.tab.at()]).toEqual([4, 4321]);
});

test('a fork of a fork, before either is played', async () => {
  const { workspace, tab, go, hold } = await begun({ to: 'step', step: 5 });
  go();
  await expect.poll(() => tab.cursor()).toBe(5);
  hold();
  const again = fork(workspace, fork(workspace, tab));
  again.goFrom((step) => step + 1);
  go();
  await expect.poll(() => [again.complete(), again.cursor(), again.title()]).toEqual([true, 6, 'Session · from 0:05 · from 0:05']);
});

test('after a change, steps go on from the time that was looked at', async () => {
  const { tab, go, hold } = await begun({ to: 'step', step: 4 });
  go();
  await expect.poll(() => tab.complete()).toBe(true);
  hold();
  rewrite(tab, 'at 1s: suspend\n');
  tab.goFrom((step) => step - 1);
  go();
  await expect.poll(() => [tab.story().steps.length, tab.at()]).toEqual([11, 3000]);
});

test('what cannot be played is gone through as it was before', async () => {
  const { tab, clockwork, go } = await begun({ to: 'step', step: 4 });
  go();
  await expect.poll(() => tab.complete()).toBe(true);
  tab.setManifest('bad');
  await tab.replay({ to: 'time', at: 2000 });
  tab.goFrom((step) => step + 1);
  expect(tab.cursor()).toBe(5);
  const asked = clockwork.asked.length;
  await tab.more();
  expect(clockwork.asked.slice(asked)).toEqual([]);
});

test('what is wanted beyond the end while another script begins to play is played of that one', async () => {
  const { tab, go } = await begun({ to: 'step', step: 0 });
  rewrite(tab, 'at 1s: suspend\n');
  void tab.more();
  go();
  await expect.poll(() => tab.complete()).toBe(true);
  expect(tab.story().steps.map(({ at }) => at)).toEqual([0, 1000, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000]);
});

test('the next failure is looked at once it is played', async () => {
  let go = () => {};
  const gate = new Promise<void>((open) => (go = open));
  const piece = (ended: boolean, ...steps: Step[]): string => JSON.stringify(progress(steps, { ended }));
  const pi = (phase: PodView['phase']) => ({ pods: [pod('pi-0', { phase })] });
  const slow: Oracle = {
    call: async (name: Question) => {
      if (name === 'run') await gate;
      return (name === 'open' ? { parts: { rules: [], actions: [] }, progress: piece(false, step(0, pi('Running'))) } : name === 'run' ? piece(true, step(1000), step(2000, pi('Failed'))) : null) as never;
    },
  };
  const tab = createWorkspace(slow).open({ session, seek: { to: 'step', step: 0 } });
  await expect.poll(() => tab.story().steps.length).toBe(1);
  void toNextFailure(tab);
  go();
  await expect.poll(() => tab.cursor()).toBe(2);
  tab.goTo(0);
  toPreviousFailure(tab);
  expect(tab.cursor()).toBe(2);
});

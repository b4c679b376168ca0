/** Runs that are simulated beside their session: what is still on its way when the calendar is closed starts nothing. */
import { createRoot } from 'solid-js';
import { expect, test } from 'vitest';

import type { Oracle } from '../src/client.ts';
import type { CronJob } from '../src/model/runs.ts';
import { useAhead } from '../src/runs/useAhead.ts';
import { createTab } from '../src/state/tab.ts';
import { Clockwork } from './clockwork.ts';

const settled = () => new Promise((done) => setTimeout(done, 5));

/** The runs of a CronJob, whose worker opens them when `go` is called. */
function opened() {
  const asked: string[] = [];
  let go = () => {};
  const gate = new Promise<void>((open) => (go = open));
  const oracle: Oracle = {
    call: async (name) => {
      asked.push(name);
      await gate;
      return JSON.stringify({ until: 0, runs: [] }) as never;
    },
  };
  const tab = createTab(new Clockwork(), { session: { version: 1, manifest: '', script: '', cursor: 0 }, seek: { to: 'outcome' } });
  return createRoot((close) => ({ asked, close, go: () => go(), ahead: useAhead(oracle, tab, { key: 'default/hello', namespace: 'default', name: 'hello' } as CronJob) }));
}

test('runs are simulated once they are opened', async () => {
  const { asked, go, ahead } = opened();
  void ahead.simulate(1000, 20);
  go();
  await settled();
  expect(asked.slice(0, 3)).toEqual(['openAhead', 'runAhead', 'runAhead']);
});

test('after the calendar is closed, what it waited for starts nothing', async () => {
  const { asked, go, close, ahead } = opened();
  close();
  void ahead.simulate(1000, 1000);
  go();
  await settled();
  expect(asked).toEqual(['openAhead', 'closeAhead']);
});

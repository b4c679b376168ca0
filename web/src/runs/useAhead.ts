/** What the runs of a CronJob come to, simulated beside its session in short pieces: the session and its timeline stay where they are. */
import { createSignal, onCleanup } from 'solid-js';

import type { Oracle } from '../client.ts';
import { key } from '../model/names.ts';
import type { CronJob } from '../model/runs.ts';
import type { RunAhead, RunsAhead, ScheduledTimes } from '../protocol.ts';
import type { Tab } from '../state/tab.ts';

/** So many runs are simulated at a time: few enough that the worker soon answers something else. */
const PIECE = 40;

let aheads = 0;

/** What is known of the runs. */
export interface Known {
  /** Until when all runs are simulated, in milliseconds since the beginning. */
  until: number;
  /** The runs by their scheduled times. */
  runs: Map<number, RunAhead>;
}

export function useAhead(oracle: Oracle, tab: Tab, cronJob: CronJob) {
  const [known, setKnown] = createSignal<Known>({ until: 0, runs: new Map() });
  const [busy, setBusy] = createSignal(!tab.recording);
  const ahead = ++aheads;
  /** The last request to simulate. */
  let latest = 0;
  let closed = false;
  // What was recorded is known, and goes no further.
  const opened = tab.recording ? null : begin();

  async function begin(): Promise<void> {
    await oracle.call('openAhead', { ahead, manifest: tab.manifest(), script: tab.script() });
    if (!closed) take(await oracle.call('runAhead', { ahead, runs: 0, until: 0 }));
  }
  function take(text: string): void {
    const { until, runs } = JSON.parse(text) as RunsAhead;
    const all = known().runs;
    for (const run of runs) if (key(run) === cronJob.key) all.set(run.scheduledAt, run);
    setKnown({ until: until ?? Infinity, runs: all });
  }

  /** Simulates until a time, in milliseconds since the beginning, but takes no longer than so many milliseconds. */
  async function simulate(until: number, most: number): Promise<void> {
    const mine = ++latest;
    const wanted = (): boolean => !closed && mine === latest;
    await opened;
    if (!wanted()) return;
    setBusy(opened !== null);
    const stop = performance.now() + most;
    while (opened && wanted() && known().until < until && performance.now() < stop) {
      const text = await oracle.call('runAhead', { ahead, runs: PIECE, until });
      if (!closed) take(text);
    }
    if (wanted()) setBusy(false);
  }
  onCleanup(() => {
    closed = true;
    void opened?.then(() => oracle.call('closeAhead', { ahead }));
  });
  return {
    known, busy, simulate,
    /** What the schedule says of the time from one moment until another, in milliseconds since the beginning. */
    scheduled: async (from: number, until: number): Promise<ScheduledTimes> => {
      if (!opened) return { times: [], changes: [] };
      await opened;
      return JSON.parse(await oracle.call('scheduled', { ahead, namespace: cronJob.namespace, name: cronJob.name, from, until })) as ScheduledTimes;
    },
  };
}

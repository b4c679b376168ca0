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
  /** The last request to simulate; 0 once this is closed. */
  let latest = 1;
  // What was recorded is known, and goes no further.
  const opened = tab.recording ? null : begin();

  async function begin(): Promise<void> {
    await oracle.call('openAhead', { ahead, manifest: tab.manifest(), script: tab.script() });
    take(await oracle.call('runAhead', { ahead, runs: 0, until: 0 }));
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
    await opened;
    setBusy(opened !== null && mine === latest);
    const stop = performance.now() + most;
    while (opened && mine === latest && known().until < until && performance.now() < stop) {
      const text = await oracle.call('runAhead', { ahead, runs: PIECE, until });
      if (latest > 0) take(text);
    }
    if (mine === latest) setBusy(false);
  }
  onCleanup(() => {
    latest = 0;
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

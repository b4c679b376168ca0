/** The month that a calendar shows: its dates with their scheduled times, and with what came of those that are simulated. */
import { createEffect, createMemo, createSignal, on } from 'solid-js';

import type { Oracle } from '../client.ts';
import { type KnownRun, month, monthOf, runDays } from '../model/calendar.ts';
import { type CronJob, cronJobAt, nextRunAt } from '../model/runs.ts';
import { beginning, dateOf, UTC } from '../model/zone.ts';
import type { ScheduledTimes } from '../protocol.ts';
import type { Tab } from '../state/tab.ts';
import { useAhead } from './useAhead.ts';

export type Month = ReturnType<typeof useMonth>;

/** Runs are simulated by themselves for so many milliseconds: those of a month, unless they are many. */
const MOST = 3000;

export function useMonth(oracle: Oracle, tab: Tab, cronJob: CronJob) {
  const view = () => cronJobAt(cronJob, tab.cursor()) ?? cronJob.views.at(-1)?.view;
  const zone = createMemo(() => tab.story().zone(view()?.zone ?? UTC.name));
  const { start } = tab.story();
  const [later, setLater] = createSignal(monthOf(zone(), start, start + tab.at()));
  const span = createMemo(() => month(zone(), start, later()));
  const today = createMemo(() => dateOf(zone(), start + tab.at()));
  const [chosen, setChosen] = createSignal(today());
  const [scheduled, setScheduled] = createSignal<ScheduledTimes>({ times: [], changes: [] });
  const ahead = useAhead(oracle, tab, cronJob);
  const runs = createMemo(() => (tab.version(), merged(scheduled().times, ahead.known().runs.values(), cronJob.runs)));
  const days = createMemo(() => runDays(runs(), scheduled().changes, zone(), span(), start));
  /** When the month ends. */
  const until = () => days().at(-1)?.until ?? start;

  createEffect(on(span, async ([first, end]) => {
    const times = await ahead.scheduled(...([first, end].map((date) => Math.max(1, beginning(zone(), date) - start)) as [number, number]));
    if (span()[0] === first) setScheduled(times);
    await ahead.simulate(until() - start, MOST);
  }));

  /** Looks at another date, in its month. */
  function choose(date: number): void {
    const to = Math.max(dateOf(zone(), start), date);
    if (to >= span()[1]) setLater(later() + 1);
    else if (to < span()[0]) setLater(later() - 1);
    setChosen(to);
  }
  /** Looks at a later month, or at an earlier one. */
  function turn(months: number): void {
    if (later() + months < 0) return;
    setLater(later() + months);
    setChosen(span()[0]);
  }
  return {
    start, view, zone, span, days, until, today, chosen, choose, turn,
    busy: ahead.busy,
    first: () => later() === 0,
    /** Simulates all runs of the month. */
    goOn: () => void ahead.simulate(until() - start, Infinity),
    /** Until when all runs are simulated. */
    known: createMemo(() => start + Math.max(ahead.known().until, playedUntil(tab))),
  };
}

/** The runs in the order of their times: as they are simulated beside the session or in it, else only scheduled. */
function merged(times: readonly number[], ahead: Iterable<KnownRun>, played: readonly { scheduledAt: number; outcome: KnownRun['outcome']; late: number | null }[]): KnownRun[] {
  const runs = new Map<number, KnownRun>(times.map((scheduledAt) => [scheduledAt, { scheduledAt, outcome: null, late: false }]));
  for (const { scheduledAt, outcome, late } of played) runs.set(scheduledAt, { scheduledAt, outcome, late: late !== null });
  for (const run of ahead) runs.set(run.scheduledAt, run);
  return [...runs.values()].sort((one, other) => one.scheduledAt - other.scheduledAt);
}

/** Until when all runs are known in the session, since the beginning: of a play that waits for its next run, until that. */
function playedUntil(tab: Tab): number {
  tab.version();
  const story = tab.story();
  if (story.ended) return Infinity;
  const next = story.paused ? story.runs.cronJobs.map((cronJob) => nextRunAt(cronJob, Infinity) ?? story.lastAt) : [];
  return Math.max(story.lastAt, next.length > 0 ? Math.min(...next) : 0);
}

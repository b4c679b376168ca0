/** The month that a calendar shows: its dates with their runs, played to the end of the month. */
import { createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js';

import { month, monthOf, runDays } from '../model/calendar.ts';
import { type CronJob, cronJobAt, nextRunAt } from '../model/runs.ts';
import { dateOf, UTC } from '../model/zone.ts';
import type { Tab } from '../state/tab.ts';

export type Month = ReturnType<typeof useMonth>;

export function useMonth(tab: Tab, cronJob: CronJob) {
  const view = () => cronJobAt(cronJob, tab.cursor()) ?? cronJob.views.at(-1)?.view;
  const zone = createMemo(() => tab.story().zone(view()?.zone ?? UTC.name));
  const { start } = tab.story();
  const [later, setLater] = createSignal(monthOf(zone(), start, start + tab.at()));
  const span = createMemo(() => month(zone(), start, later()));
  const today = createMemo(() => dateOf(zone(), start + tab.at()));
  const [chosen, setChosen] = createSignal(today());
  const days = createMemo(() => (tab.version(), runDays(cronJob, zone(), span(), start)));
  /** When the month ends. */
  const until = () => days().at(-1)?.until ?? start;

  createEffect(on(span, () => void tab.playUntil(until() - start, false)));
  onCleanup(() => tab.halt());

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
    first: () => later() === 0,
    /** Until when all runs are known. */
    known: createMemo(() => start + playedUntil(tab)),
  };
}

/** Until when all runs are known, since the beginning: of a play that waits for its next run, until that. */
function playedUntil(tab: Tab): number {
  tab.version();
  const story = tab.story();
  if (story.ended) return Infinity;
  const next = story.paused ? story.runs.cronJobs.map((cronJob) => nextRunAt(cronJob, Infinity) ?? story.lastAt) : [];
  return Math.max(story.lastAt, next.length > 0 ? Math.min(...next) : 0);
}

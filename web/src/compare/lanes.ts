/** The lanes of the timeline: the current session, and the one beside it, which follows in time. */
import { createEffect, createMemo, untrack } from 'solid-js';

import { aligned } from '../model/aligned.ts';
import { divergence, type Side } from '../model/divergence.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

/** A tab and the one beside it, in the order of their tabs, so that they do not change places. */
export function ordered(workspace: Workspace, tab: Tab): [Tab] | [Tab, Tab] {
  const other = workspace.other();
  if (!other || other === tab) return [tab];
  return workspace.tabs().indexOf(other) < workspace.tabs().indexOf(tab) ? [other, tab] : [tab, other];
}

export function useLanes(workspace: Workspace, current: () => Tab) {
  const lanes = createMemo(() => ordered(workspace, current()), undefined, { equals: (before, now) => before.length === now.length && before.every((tab, place) => tab === now[place]) });
  const lastAt = createMemo(() => Math.max(...lanes().map((tab) => (tab.version(), tab.story().lastAt))));
  /** Where the lanes diverge; null until both were played. */
  const diverged = createMemo(() => {
    const [left, right] = lanes();
    return right && [left, right].every((tab) => tab.complete() && tab.failure() === null) ? divergence(left.story(), right.story()) : null;
  });
  /** The side of a tab where the lanes diverge. */
  const sideOf = (tab: Tab): Side | undefined => (tab === lanes()[0] ? diverged()?.left : diverged()?.right);
  const atDivergence = () => current().at() === diverged()?.at && current().cursor() === sideOf(current())?.step;

  function goToDivergence(): void {
    const side = sideOf(current());
    if (side) current().goTo(side.step, diverged()?.at);
  }
  createEffect(() => {
    const [tab, other] = [current(), workspace.other()];
    if (!other || other === tab) return;
    other.version();
    const step = aligned(tab.story(), tab.cursor(), tab.at(), other.story());
    other.goTo(atDivergence() ? (sideOf(other)?.step ?? step) : step, tab.at());
  });
  // If the user has looked elsewhere by then, the cursor stays where it is.
  createEffect(() => {
    const [tab, side] = [current(), diverged()];
    if (!tab.seeksDivergence() || !lanes().every((lane) => lane.complete())) return;
    untrack(() => (side ? tab.arrive(sideOf(tab)?.step ?? 0, side.at) : tab.arrive(tab.cursor())));
  });
  return { lanes, lastAt, diverged, goToDivergence };
}

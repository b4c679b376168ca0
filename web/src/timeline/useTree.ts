/** The lines of a timeline as they are folded at the moment. */
import { createMemo, createSignal } from 'solid-js';

import type { Tab } from '../state/tab.ts';
import { alike, lines, type Unfolded } from './tree.ts';

export function useTree(tab: () => Tab) {
  const [unfolded, setUnfolded] = createSignal<Unfolded>(new Set());
  const all = createMemo(() => (tab().version(), tab().story().bars.rows()), undefined, { equals: false });
  // Only what CronJobs show depends on the current step.
  const step = () => (tab().story().runs.cronJobs.length > 0 ? tab().cursor() : 0);
  const tree = createMemo(() => (all(), { of: tab().version(), lines: lines(tab().story(), step(), unfolded()) }), undefined, {
    equals: (before, after) => before.of === after.of && alike(before.lines, after.lines),
  });
  return {
    lines: () => tree().lines,
    /** Unfolds what is folded, or folds it again. */
    fold: (key: string): void => {
      setUnfolded((keys) => new Set(keys.has(key) ? [...keys].filter((one) => one !== key) : [...keys, key]));
    },
  };
}

/** The lanes of the timeline: the session that is looked at, and the one beside it, which follows in time. */
import { createEffect, createMemo } from 'solid-js';

import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

export function useLanes(workspace: Workspace, current: () => Tab) {
  /** In the order of their tabs, so that they do not change places. */
  const lanes = createMemo<[Tab] | [Tab, Tab]>(() => {
    const [tab, other] = [current(), workspace.other()];
    if (!other || other === tab) return [tab];
    return workspace.tabs().indexOf(other) < workspace.tabs().indexOf(tab) ? [other, tab] : [tab, other];
  });
  const lastAt = createMemo(() => Math.max(...lanes().map((tab) => (tab.version(), tab.story().lastAt))));
  createEffect(() => {
    const other = workspace.other();
    if (!other || other === current()) return;
    const at = current().at();
    other.version();
    other.goToTime(at);
  });
  return { lanes, lastAt };
}

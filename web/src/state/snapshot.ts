/** The workspace at a moment: its tabs with their sessions, and which of them are shown. Nothing in it changes later. */
import { batch } from 'solid-js';

import type { Opening, Tab } from './tab.ts';
import type { Workspace } from './workspace.ts';

export interface Snapshot {
  tabs: { tab: Tab; opening: Opening }[];
  current: Tab | null;
  other: Tab | null;
}

export function take(workspace: Workspace): Snapshot {
  return { tabs: workspace.tabs().map((tab) => ({ tab, opening: tab.opening() })), current: workspace.current(), other: workspace.other() };
}

/** Makes the workspace what it was. */
export function restore(workspace: Workspace, { tabs, current, other }: Snapshot): void {
  batch(() => {
    for (const { tab, opening } of tabs) tab.restore(opening);
    workspace.arrange(tabs.map(({ tab }) => tab), current, other);
  });
}

/** Whether the same tabs have the same sessions, regardless of cursors and drafts. */
export function same(one: Snapshot, other: Snapshot): boolean {
  return one.tabs.length === other.tabs.length && one.tabs.every(({ tab, opening: { session } }, place) => {
    const found = other.tabs[place];
    return found?.tab === tab && found.opening.session.manifest === session.manifest && found.opening.session.script === session.script;
  });
}

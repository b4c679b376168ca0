/** Undo and redo for everything that a person does to the sessions. It observes the sessions itself, so callers need not report changes. */
import { batch, createSignal, untrack } from 'solid-js';

import { described } from './described.ts';
import { restore, same, type Snapshot, take } from './snapshot.ts';
import type { Tab } from './tab.ts';
import type { Workspace } from './workspace.ts';

/** Something that was done, or undone, with the workspace on its other side: before it, or after it. */
interface Entry {
  name: string;
  beyond: Snapshot;
  /** The tab whose draft was undone, where nothing else was. */
  drafted?: Tab;
}

/** How many changes can be undone. */
const MOST = 200;

export type History = ReturnType<typeof createHistory>;

export function createHistory(workspace: Workspace) {
  const [entries, setEntries] = createSignal<Entry[]>([]);
  /** How many of the entries are done; those after them were undone. */
  const [done, setDone] = createSignal(0);
  let latest = take(workspace);

  function record(entry: Entry): void {
    batch(() => {
      setEntries((all) => [...all.slice(0, done()), entry].slice(-MOST));
      setDone(entries().length);
    });
  }

  /** Goes to the other side of an entry. */
  function cross(place: number, after: number, word: string): void {
    const entry = entries()[place];
    if (!entry) return;
    const here = take(workspace);
    latest = entry.beyond;
    batch(() => {
      setEntries((all) => all.with(place, { ...entry, beyond: here }));
      setDone(after);
      restore(workspace, entry.beyond);
      entry.drafted?.setDraft(draftIn(entry.beyond, entry.drafted));
      workspace.setMessage(`${word}: ${entry.name}`);
    });
  }

  /** Undoes the draft of a tab, which can be redone. */
  function discard(tab: Tab): void {
    const entry = { name: 'Edit the manifest', beyond: take(workspace), drafted: tab };
    setEntries((all) => [...all.slice(0, done()), entry]);
    tab.setDraft(tab.standing());
    workspace.setMessage(`Undone: ${entry.name}`);
  }

  function undo(): void {
    const last = entries()[done() - 1];
    if (!last) return void workspace.setMessage('Nothing to undo.');
    // A draft was written after the manifest that it edits: it goes first.
    const edited = workspace.tabs().find((tab) => !last.drafted && tab.draft() !== tab.standing() && last.beyond.tabs.some((one) => one.tab === tab && one.opening.session.manifest !== tab.manifest()));
    if (edited) discard(edited);
    else cross(done() - 1, done() - 1, 'Undone');
  }

  return {
    /** What would be undone and redone next; undefined if nothing. */
    undoable: (): string | undefined => entries()[done() - 1]?.name,
    redoable: (): string | undefined => entries()[done()]?.name,
    undo,
    redo: (): void => (done() === entries().length ? void workspace.setMessage('Nothing to redo.') : cross(done(), done() + 1, 'Redone')),
    /** Looks at the workspace; is to be called after each change of it. */
    observe: (): void => {
      const [before, now] = [latest, take(workspace)];
      latest = now;
      if (before.tabs.length > 0 && !same(before, now)) untrack(() => record({ name: described(before, now), beyond: withoutPlayedDrafts(before, now) }));
    },
  };
}

function draftIn({ tabs }: Snapshot, tab: Tab): string {
  const session = tabs.find((one) => one.tab === tab)?.opening.session;
  return session?.draft ?? session?.manifest ?? tab.standing();
}

/** A draft that is played next is not there again when that is undone: it would be played again. */
function withoutPlayedDrafts(before: Snapshot, after: Snapshot): Snapshot {
  return {
    ...before,
    tabs: before.tabs.map(({ tab, opening }) => {
      const { draft, ...session } = opening.session;
      const played = after.tabs.some((one) => one.tab === tab && one.opening.session.manifest === draft);
      return { tab, opening: played ? { ...opening, session } : opening };
    }),
  };
}

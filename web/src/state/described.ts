/** What a person did to the workspace, in words: what differs between a snapshot before it and one after it. */
import type { Session } from '../session.ts';
import type { Snapshot } from './snapshot.ts';

export function described(before: Snapshot, after: Snapshot): string {
  const opened = missing(before, after);
  const [first] = opened;
  if (first) {
    const from = before.tabs.find(({ tab }) => tab === before.current)?.opening.session;
    if (opened.length > 1 || !from || from.manifest !== first.manifest) return `Open ${opened.map(quoted).join(' and ')}`;
    return from.script === first.script ? `Continue in ${quoted(first)}` : edit(from, first);
  }
  const closed = missing(after, before);
  if (closed.length > 0) return `Close ${closed.map(quoted).join(' and ')}`;
  for (const { tab, opening } of after.tabs) {
    const was = before.tabs.find((one) => one.tab === tab)?.opening.session;
    if (was && (was.manifest !== opening.session.manifest || was.script !== opening.session.script)) return edit(was, opening.session);
  }
  return 'Reorder the tabs';
}

/** The sessions of the tabs that are open in one snapshot and not in the other. */
function missing(from: Snapshot, inside: Snapshot): Session[] {
  return inside.tabs.filter(({ tab }) => !from.tabs.some((one) => one.tab === tab)).map(({ opening }) => opening.session);
}

function quoted({ title }: Session): string {
  return `“${title ?? 'Session'}”`;
}

/** What was done to a session. */
function edit(before: Session, after: Session): string {
  if (before.manifest !== after.manifest) return 'Edit the manifest';
  const [old, fresh] = [lines(before.script), lines(after.script)];
  const [removed, added] = [old.filter((line) => !fresh.includes(line)), fresh.filter((line) => !old.includes(line))];
  const actions = added.map(action).filter((text) => text !== null);
  if (actions.length > 0) return capital(actions.join(', '));
  const [gone, come] = [removed[0], added[0]];
  if (gone === undefined) return come === undefined ? 'Reorder the rules' : `Add the rule “${come}”`;
  const undone = action(gone);
  if (undone !== null) return `Remove the action “${undone}”`;
  return come === undefined ? `Remove the rule “${gone}”` : `Change the rule “${gone}”`;
}

function lines(script: string): string[] {
  return script.split('\n').map((line) => line.trim()).filter((line) => line !== '');
}

/** What a line does at a time; null if it is a rule. */
function action(line: string): string | null {
  return /^at \S+: (.*)$/.exec(line)?.[1] ?? null;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

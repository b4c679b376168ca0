/** A link to a session. Nothing of it is sent to a server: a link holds all of it after its `#`. */
import { ordered } from '../compare/lanes.ts';
import { encode, type Session } from '../session.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

/** The session of a tab with that of the lane beside it. A recording is not a session. */
export function onScreen(workspace: Workspace, tab: Tab): Session {
  const [left, right] = ordered(workspace, tab);
  const other = tab === left ? right : left;
  if (!other || other.recording) return tab.session();
  return { ...tab.session(), beside: { lane: other === left ? 'left' : 'right', session: other.session() } };
}

/** The address of this page with what is on the screen in it. */
export async function link(workspace: Workspace, tab: Tab): Promise<string> {
  return `${location.href.split('#')[0] ?? ''}#${await encode(onScreen(workspace, tab))}`;
}

export async function copyLink(workspace: Workspace): Promise<void> {
  const tab = workspace.current();
  if (!tab) return;
  if (tab.recording) {
    workspace.setMessage('A recording does not fit in a link. Send the file, or choose “What if…” and share that session.');
    return;
  }
  await navigator.clipboard.writeText(await link(workspace, tab));
  workspace.setMessage(workspace.other()?.recording ? 'Copied the link without the other lane: a recording does not fit in a link.' : 'Copied the link.');
}

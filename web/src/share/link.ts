/** A link to a session. Nothing of it is sent to a server: a link holds all of it after its `#`. */
import { encode } from '../session.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

/** The address of this page with a session in it. */
export async function link(tab: Tab): Promise<string> {
  return `${location.href.split('#')[0] ?? ''}#${await encode(tab.session())}`;
}

export async function copyLink(workspace: Workspace): Promise<void> {
  const tab = workspace.current();
  if (!tab) return;
  if (tab.recording) {
    workspace.setMessage('A recording does not fit in a link. Send the file, or choose “What if…” and share that session.');
    return;
  }
  await navigator.clipboard.writeText(await link(tab));
  workspace.setMessage('Copied the link.');
}

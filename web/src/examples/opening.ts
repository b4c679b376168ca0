/** What the page opens with: the session of a link, or an example. */
import first from 'virtual:first';

import { fault } from '../faults.ts';
import type { Example } from '../protocol.ts';
import { atCursor, decode, type Session } from '../session.ts';
import { openings } from '../share/files.ts';
import type { Opening } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

/** Opens what a link names, and an example if there is nothing to show then. */
export async function openFirst(workspace: Workspace, hash: string): Promise<'link' | 'refused' | null> {
  if (hash.length > 1) {
    try {
      await openLinked(workspace, hash);
      return 'link';
    } catch (error) {
      workspace.setMessage(fault(error));
    }
  }
  if (!workspace.current()) openExample(workspace, first);
  return hash.length > 1 ? 'refused' : null;
}

/** Opens what a link names: what is in it, or a file beside the page, as `jobsmith` serves it. */
async function openLinked(workspace: Workspace, hash: string): Promise<void> {
  const [, file] = /^#open=([\w.-]+)$/.exec(hash) ?? [];
  if (file === undefined) return openSession(workspace, await decode(hash));
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file} is no longer served with this page. Choose “Share”, then “Open a file…”, to open the file itself.`);
  workspace.openBeside(...(await openings(workspace.oracle, file, await answer.text())));
}

/** Opens a session at its step, with the one in the other lane. */
function openSession(workspace: Workspace, { beside, ...session }: Session): void {
  const opening = (one: Session): Opening => ({ session: one, seek: atCursor(one) });
  if (beside?.lane === 'left') workspace.compare(opening(beside.session), opening(session), 'right');
  else if (beside) workspace.compare(opening(session), opening(beside.session), 'left');
  else workspace.openBeside(opening(session));
}

/** Opens an example at the step that decided its outcome. */
export function openExample(workspace: Workspace, { manifest, script, title, prose }: Example): void {
  workspace.openBeside({ session: { version: 1, manifest, script, cursor: 0, title }, seek: { to: 'outcome' }, prose: prose === '' ? title : prose });
}

/** Opens the session of a link, or the contents of a file, in tabs. */
import { atCursor, type Session } from '../session.ts';
import type { Opening } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';
import { openings, saved } from './files.ts';

/** Opens a session at its step, with the one in the other lane. */
export function openSession(workspace: Workspace, { beside, ...session }: Session): void {
  const opening = (one: Session): Opening => ({ session: one, seek: atCursor(one) });
  if (beside?.lane === 'left') workspace.compare(opening(beside.session), opening(session), 'right');
  else if (beside) workspace.compare(opening(session), opening(beside.session), 'left');
  else workspace.openBeside(opening(session));
}

/** Opens what a file holds: each of its sessions in a tab, and two that were compared side by side again. */
export async function openText(workspace: Workspace, name: string, text: string): Promise<void> {
  if (name.endsWith('.jobsmith')) openSession(workspace, saved(text));
  else workspace.openBeside(...(await openings(workspace.oracle, name, text)));
}

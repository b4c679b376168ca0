/** With what the page opens: the session of a link, or an example. */
import first from 'virtual:first';

import { fault } from '../faults.ts';
import type { Example } from '../protocol.ts';
import { decode } from '../session.ts';
import { openings } from '../share/files.ts';
import type { Opening } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

/** Opens what a link names, and else an example; whether it was a link. */
export async function openFirst(workspace: Workspace, hash: string): Promise<boolean> {
  if (hash.length > 1) {
    try {
      const [first, ...others] = await linked(workspace, hash);
      if (first) workspace.openAlone(first);
      for (const other of others) workspace.open(other);
      return true;
    } catch (error) {
      workspace.setMessage(fault(error));
    }
  }
  if (!workspace.current()) openExample(workspace, first);
  return false;
}

/** What a link names: a session that is in it, or a file beside the page, as `jobsmith` serves it. */
async function linked(workspace: Workspace, hash: string): Promise<Opening[]> {
  const [, file] = /^#open=([\w.-]+)$/.exec(hash) ?? [];
  if (file === undefined) {
    const session = await decode(hash);
    return [{ session, seek: { to: 'step', step: session.cursor } }];
  }
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file} is no longer served with this page. Choose “Share”, then “Open a file…”, to open the file itself.`);
  return openings(workspace.oracle, file, await answer.text());
}

/** Opens an example where most is decided. */
export function openExample(workspace: Workspace, { manifest, script, title, prose }: Example): void {
  workspace.openAlone({ session: { version: 1, manifest, script, cursor: 0, title }, seek: { to: 'interesting' }, prose: prose === '' ? title : prose });
}

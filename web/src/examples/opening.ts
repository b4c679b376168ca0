/** What the page opens with: the session of a link, or an example. */
import first from 'virtual:first';

import { fault } from '../faults.ts';
import type { Example } from '../protocol.ts';
import { decode } from '../session.ts';
import { openSession, openText } from '../share/opened.ts';
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
  await openText(workspace, file, await answer.text());
}

/** Opens an example at the step that decided its outcome. */
export function openExample(workspace: Workspace, { manifest, script, title, prose }: Example): void {
  workspace.openBeside({ session: { version: 1, manifest, script, cursor: 0, title }, seek: { to: 'outcome' }, prose: prose === '' ? title : prose });
}

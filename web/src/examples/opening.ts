/** With what the page opens: the session of a link, an example, or a Job of one's own. */
import first from 'virtual:first';

import type { Example } from '../model/scenario.ts';
import { decode } from '../session.ts';
import type { Workspace } from '../state/workspace.ts';

/** With what a person begins who has a Job of their own. */
const OWN = `apiVersion: batch/v1
kind: Job
metadata:
  name: my-job
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: busybox
`;

/** Opens what a link names, and else an example; whether it was a link. */
export async function openFirst(workspace: Workspace, hash: string): Promise<boolean> {
  if (hash.length > 1) {
    try {
      const session = await decode(hash);
      workspace.openAlone({ session, seek: { to: 'step', step: session.cursor } });
      return true;
    } catch (error) {
      workspace.setMessage(error instanceof Error ? error.message : String(error));
    }
  }
  if (!workspace.current()) openExample(workspace, first);
  return false;
}

/** Opens an example where most is decided. */
export function openExample(workspace: Workspace, { manifest, script, title, prose }: Example): void {
  workspace.openAlone({ session: { version: 1, manifest, script, cursor: 0, title }, seek: { to: 'interesting' }, prose: prose === '' ? title : prose });
}

export function openOwn(workspace: Workspace): void {
  workspace.openAlone({ session: { version: 1, manifest: OWN, script: '', cursor: 0 }, seek: { to: 'step', step: 0 } });
  workspace.setMessage('Paste your Job over this one, and say below it what its pods do.');
}

/** Begins with a Job of one's own. */
import type { Workspace } from '../state/workspace.ts';

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

export function openOwn(workspace: Workspace): void {
  workspace.openAlone({ session: { version: 1, manifest: OWN, script: '', cursor: 0 }, seek: { to: 'step', step: 0 } });
  workspace.setMessage('Paste your Job over this one, and choose what its pods do below.');
}

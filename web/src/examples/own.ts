/** Begins with a Job or a CronJob of one's own. */
import type { Workspace } from '../state/workspace.ts';

const JOB = ['template:', '  spec:', '    restartPolicy: Never', '    containers:', '    - name: main', '      image: busybox'];

const OWN = {
  Job: manifest('Job', 'my-job', JOB),
  CronJob: manifest('CronJob', 'my-cronjob', ['schedule: "*/5 * * * *"', 'jobTemplate:', '  spec:', ...JOB.map((line) => `    ${line}`)]),
};

function manifest(kind: string, name: string, spec: string[]): string {
  return ['apiVersion: batch/v1', `kind: ${kind}`, 'metadata:', `  name: ${name}`, 'spec:', ...spec.map((line) => `  ${line}`)].map((line) => `${line}\n`).join('');
}

export function openOwn(workspace: Workspace, kind: keyof typeof OWN): void {
  workspace.openBeside({ session: { version: 1, manifest: OWN[kind], script: '', cursor: 0 }, seek: { to: 'step', step: 0 } });
  workspace.setMessage(`Paste your ${kind} over this one, then choose below what its pods do.`);
}

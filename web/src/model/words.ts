/** What steps, decisions and the states of pods are called in words. */
import type { Diagnostic, PodView, Step } from '../protocol.ts';
import type { Clock } from './clock.ts';
import type { RunJob } from './runs.ts';
import { rendered } from './sentence.ts';

/** The mark of each kind of decision. */
export const MARKS = { action: '●', wait: '○', invalid: '✗', routine: '·' } as const;

/** A short name for a step, where there is no room for its full text. */
export function headline(step: Step): string {
  const [first, ...others] = step.entries.filter((entry) => entry.type !== 'request' && !(entry.type === 'decision' && entry.minor));
  const entry = first ?? step.entries[0];
  if (!entry) return step.kind === 'plan' ? 'The controllers reconciled and changed nothing' : 'Nothing visible changed';
  const text = entry.type === 'decision' ? `${MARKS[entry.role]} ${entry.named}${rendered(entry.parts)}` : entry.text;
  return others.length > 0 ? `${text}, and ${others.length} more` : text;
}

/** What state a pod is in, part by part. */
export function podState(pod: PodView): string[] {
  const parts = [pod.deleting ? 'being deleted' : pod.phase, pod.phase === 'Pending' ? pod.reason : '', pod.restartsAt !== undefined ? 'waiting to restart (CrashLoopBackOff)' : '', pod.ready ? 'ready' : '', pod.exitCode === null ? '' : `exit code ${pod.exitCode}`];
  return parts.filter((part) => part !== '');
}

/** What is wrong, with the field that it is about, unless that is in the message: of a pod's fields, what follows `template.spec`. */
export function faulty({ message, path }: Pick<Diagnostic, 'message' | 'path'>): string {
  const field = path.replace(/^.*\btemplate\.spec\./, '');
  const name = /[^.[\]]*(?=(\[\w+\])*$)/.exec(field)?.[0] ?? '';
  return name === '' || new RegExp(`\\b${name.replace(/[^\w]/g, '\\$&')}\\b`).test(message) ? message : `${field}: ${message}`;
}

/** A problem as one sentence: what is wrong, and what to do. */
export function sentence({ message, path, remedy }: Diagnostic): string {
  return `${faulty({ message, path })}${remedy ? `: ${remedy}` : ''}.`;
}

/** A count with its thousands separated: `1,440`. The first call of `toLocaleString` is slow enough to delay the first paint. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A size: `3.0 MB`. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** A number of things: `1 pod`, `2 pods`, `1,440 runs`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** How often containers of a pod were restarted; nothing if none was. */
export function restarts(count: number): string {
  return count === 0 ? '' : counted(count, 'restart');
}

/** What state the Job of a CronJob is in after a step. */
export function jobState(job: RunJob, step: number): string {
  if (job.deleting && job.deleting.step <= step) return 'being deleted';
  if (job.finished && job.finished.step <= step) return job.finished.words;
  return 'running';
}

/** When a wait ends, and when it was to end if something cut it short. */
export function waitText(until: number, planned: number, clock: Clock): string {
  return planned > until ? `until ${clock.show(until)} (planned until ${clock.show(planned)})` : `until ${clock.show(until)}`;
}

/** The stable word of a decision, `BacksOffIndex`, in words: `backs off index`. */
export function spelled(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase().replace(/\bttl\b/, 'TTL');
}

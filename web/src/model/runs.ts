/** The CronJobs of a play: their runs, the Jobs that came of them, and when the next run is. */
import type { CronJobView, DecisionEntry, Finish, JobView, ObjectRef, Part, RunCounts, RunOutcome, RunView, Step } from '../protocol.ts';
import type { Band } from './bands.ts';
import type { Moment } from './bars.ts';
import { key, type Named } from './names.ts';
import { rendered } from './sentence.ts';

/** Where the fields of a CronJob's Jobs are in its manifest. */
const TEMPLATE = 'spec.jobTemplate.';

export const POLICIES = ['Allow', 'Forbid', 'Replace'] as const;

export type Policy = (typeof POLICIES)[number];

/** A Job of a CronJob, from its creation to its deletion. */
export interface RunJob {
  name: string;
  namespace: string;
  /** The name of its CronJob. */
  cronJob: string;
  /** When its run was scheduled; null if it was created by hand. */
  scheduledAt: number | null;
  created: Moment;
  suspended: boolean;
  finished: (Moment & Finish) | null;
  deleting: Moment | null;
  /** The API field that had it deleted, and the decision; null if the controllers did not delete it. */
  removed: { field: string; reason: string } | null;
  gone: Moment | null;
  /** The times in which it waits. */
  delays: Band[];
}

/** A scheduled time that has come. */
export interface Run {
  scheduledAt: number;
  /** When something was first decided about it. */
  decided: Moment;
  /** Why no Job is started, by the last decision. */
  reason: string;
  /** Why it had to wait, by the last decision before its start; empty if it did not. */
  waited: string;
  outcome: RunOutcome;
  /** By how many milliseconds it started late, if it did. */
  late: number | null;
  /** When it started, in words: `on time`, `2m1s late`. */
  started: string;
  job: RunJob | null;
}

/** A clock change that its schedule meets: it has no run at a local time, or two. */
export interface MetChange extends Moment {
  text: string;
}

export interface CronJob extends Named {
  key: string;
  /** The CronJob at each of its changes. */
  views: { step: number; view: CronJobView }[];
  /** When the next run is, as of each decision about it. */
  next: { step: number; at: number | null }[];
  runs: Run[];
  jobs: RunJob[];
  clockChanges: MetChange[];
  /** How many runs came to what, from each time on at which one did. */
  counts: { at: number; counts: RunCounts }[];
}

/** All CronJobs of a play, up to its last played step. */
export class Runs {
  /** In the order in which they came. */
  readonly cronJobs: CronJob[] = [];
  private readonly byKey = new Map<string, CronJob>();
  private readonly byJob = new Map<string, RunJob>();
  private readonly byTime = new Map<string, Run>();
  /** Those that nobody decided about. */
  private readonly missed = new Set<Run>();
  /** The steps in which a run begins, or is passed over. */
  private readonly starts: number[] = [];

  /** How many scheduled times have come. */
  get count(): number {
    return this.byTime.size;
  }

  /** The Job of that name, if a CronJob has started it. */
  job(named: Named): RunJob | undefined {
    return this.byJob.get(key(named));
  }

  /** Where a field of an object is written: that of a Job of a CronJob in the CronJob's template. */
  written(path: string, object: ObjectRef): { path: string; object: ObjectRef } {
    const job = object.kind === 'Job' ? this.job(object) : undefined;
    return job ? { path: TEMPLATE + path, object: { kind: 'CronJob', namespace: job.namespace, name: job.cronJob } } : { path, object };
  }

  /** The first step after one in which a run begins, or is passed over; -1 if there is none. */
  next(step: number): number {
    return this.starts.find((start) => start > step) ?? -1;
  }

  /** The last step before one in which a run begins, or is passed over; -1 if there is none. */
  previous(step: number): number {
    return this.starts.findLast((start) => start < step) ?? -1;
  }

  /** The step after one that decided about the next run which was skipped, or that has a clock change; -1 if there is none. */
  nextSkipped(step: number): number {
    return this.skipped().find((skipped) => skipped > step) ?? -1;
  }

  /** The same before a step. */
  previousSkipped(step: number): number {
    return this.skipped().findLast((skipped) => skipped < step) ?? -1;
  }

  private skipped(): number[] {
    const steps = this.cronJobs.flatMap(({ runs, clockChanges }) => [...runs.filter(skipped).map(({ decided }) => decided.step), ...clockChanges.map(({ step }) => step)]);
    return steps.sort((one, other) => one - other);
  }

  /** Adds a step's changes to CronJobs and their Jobs. */
  add(step: Step, number: number): void {
    const moment = { at: step.at, step: number };
    for (const view of step.cronJobs) this.cronJob(view, moment);
    for (const entry of step.entries) {
      if (entry.type === 'decision' && entry.run !== undefined && entry.role !== 'routine') this.run(entry, entry.run, moment);
    }
    for (const view of step.jobs) this.jobOf(view, moment);
    for (const view of step.runs ?? []) this.became(view, moment);
    if (step.kind === 'clockChange' && step.object) this.byKey.get(key(step.object))?.clockChanges.push({ ...moment, text: step.entries[0]?.text ?? '' });
    if (step.kind === 'plan' && step.object?.kind === 'CronJob') this.planned(step, step.object, number);
  }

  private cronJob(view: CronJobView, { step }: Moment): void {
    const known = this.byKey.get(key(view));
    if (known) {
      known.views.push({ step, view });
      return;
    }
    const cronJob = { key: key(view), namespace: view.namespace, name: view.name, views: [{ step, view }], next: [], runs: [], jobs: [], clockChanges: [], counts: [] };
    this.byKey.set(cronJob.key, cronJob);
    this.cronJobs.push(cronJob);
  }

  /** The wait with a known end is that for the next run. */
  private planned(step: Step, object: Named, number: number): void {
    const waits = step.entries.flatMap((entry) => (entry.type === 'decision' && entry.role === 'wait' && entry.until !== undefined ? [entry.until] : []));
    this.byKey.get(key(object))?.next.push({ step: number, at: waits[0] ?? null });
  }

  private run(decision: DecisionEntry, scheduledAt: number, moment: Moment): void {
    const cronJob = this.byKey.get(key(decision.about));
    if (!cronJob) return;
    const id = `${cronJob.key} ${scheduledAt}`;
    const known = this.byTime.get(id);
    if (known?.job) return;
    if (!known || decision.role === 'action') this.starts.push(moment.step);
    const reason = rendered(decision.parts);
    const waited = decision.role === 'wait' ? waitedFor(decision.parts) : '';
    if (known) Object.assign(known, { reason, waited: waited || known.waited });
    else this.begin(cronJob, { scheduledAt, decided: moment, reason, waited, outcome: 'waiting', late: null, started: '', job: null });
  }

  private begin(cronJob: CronJob, run: Run): Run {
    this.byTime.set(`${cronJob.key} ${run.scheduledAt}`, run);
    cronJob.runs.push(run);
    return run;
  }

  /** What a run came to; one that nobody decided about was missed. */
  private became(view: RunView, moment: Moment): void {
    const cronJob = this.byKey.get(key(view));
    if (!cronJob) return;
    cronJob.counts.push({ at: moment.at, counts: view.counts });
    const { scheduledAt, outcome, late, started, words } = view;
    const known = this.byTime.get(`${cronJob.key} ${scheduledAt}`);
    if (known) Object.assign(known, { outcome, late, started }, this.missed.has(known) ? { reason: words } : {});
    else if (outcome === 'skipped') this.missed.add(this.begin(cronJob, { scheduledAt, decided: moment, reason: words, waited: '', outcome, late, started, job: null }));
  }

  private jobOf(view: JobView, moment: Moment): void {
    const cronJob = this.byKey.get(key({ namespace: view.namespace, name: view.cronJob }));
    let job = this.byJob.get(key(view));
    if (cronJob && (!job || job.gone)) {
      job = { name: view.name, namespace: view.namespace, cronJob: view.cronJob, scheduledAt: view.scheduledAt, created: moment, suspended: false, finished: null, deleting: null, removed: null, gone: null, delays: [] };
      this.byJob.set(key(view), job);
      cronJob.jobs.push(job);
      const run = this.byTime.get(`${cronJob.key} ${view.scheduledAt}`);
      if (run) run.job = job;
    }
    if (!job) return;
    job.suspended = view.suspend;
    if (view.finished) job.finished ??= { ...moment, ...view.finished };
    if ((view.deleting || view.gone) && !job.deleting) {
      job.deleting = moment;
      job.removed = view.removed ? { field: view.removed.field, reason: rendered(view.removed.reason) } : null;
    }
    if (view.gone) job.gone = moment;
  }
}

/** What a run that has started was waiting for: `Not starting the run scheduled for 0:05 while …` is no longer true then. */
function waitedFor(parts: Part[]): string {
  const behind = rendered(parts.slice(parts.findIndex((part) => typeof part === 'object' && 'time' in part) + 1));
  return behind.startsWith(' while ') ? `Waited${behind.replace(/ (is|are) active/, (_, verb) => ` ${verb === 'is' ? 'was' : 'were'} active`)}` : rendered(parts);
}

/** Whether no Job was started for a run. */
export function skipped({ outcome }: Pick<Run, 'outcome'>): boolean {
  return outcome === 'skipped';
}

/** The CronJob as it is after a step; null before it was there and after it has gone. */
export function cronJobAt(cronJob: CronJob, step: number): CronJobView | null {
  const view = cronJob.views.findLast((one) => one.step <= step)?.view;
  return view && !view.gone ? view : null;
}

/** When the next run is, as it is known after a step. */
export function nextRunAt(cronJob: CronJob, step: number): number | null {
  return cronJob.next.findLast((one) => one.step <= step)?.at ?? null;
}

/** Whether the schedule has changed since the controllers last decided when the next run is. */
export function rescheduled(cronJob: CronJob, step: number): boolean {
  const decided = cronJob.next.findLast((one) => one.step <= step);
  const [before, now] = [decided && cronJobAt(cronJob, decided.step), cronJobAt(cronJob, step)];
  return before !== undefined && (before?.schedule !== now?.schedule || before?.timeZone !== now?.timeZone);
}

/** Whether a Job exists after a step. */
export function exists(job: RunJob, step: number): boolean {
  return job.created.step <= step && (job.gone === null || job.gone.step > step);
}

/** How many runs had come to what by a time. */
export function countsAt(cronJob: CronJob, at: number): RunCounts {
  return cronJob.counts.findLast((one) => one.at <= at)?.counts ?? { started: 0, skipped: 0, replaced: 0, overlapping: 0 };
}

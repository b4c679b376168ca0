/** The CronJobs of a play: their runs, the Jobs that came of them, and when the next run is. */
import type { CronJobView, DecisionEntry, JobView, ObjectRef, Step } from '../protocol.ts';
import type { Band } from './bands.ts';
import type { Moment } from './bars.ts';
import { key, type Named } from './names.ts';
import { rendered } from './sentence.ts';

/** Where the fields of a CronJob's Jobs are in its manifest. */
const TEMPLATE = 'spec.jobTemplate.';

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
  finished: (Moment & { succeeded: boolean; reason: string }) | null;
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
  job: RunJob | null;
}

export interface CronJob extends Named {
  key: string;
  /** The CronJob at each of its changes. */
  views: { step: number; view: CronJobView }[];
  /** When the next run is, as of each decision about it. */
  next: { step: number; at: number | null }[];
  runs: Run[];
  jobs: RunJob[];
}

/** All CronJobs of a play, up to its last played step. */
export class Runs {
  /** In the order in which they came. */
  readonly cronJobs: CronJob[] = [];
  private readonly byKey = new Map<string, CronJob>();
  private readonly byJob = new Map<string, RunJob>();
  private readonly byTime = new Map<string, Run>();
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

  /** Adds a step's changes to CronJobs and their Jobs. */
  add(step: Step, number: number): void {
    const moment = { at: step.at, step: number };
    for (const view of step.cronJobs) this.cronJob(view, moment);
    for (const entry of step.entries) {
      if (entry.type === 'decision' && entry.run !== undefined && entry.role !== 'routine') this.run(entry, entry.run, moment);
    }
    for (const view of step.jobs) this.jobOf(view, moment, step);
    if (step.kind === 'plan' && step.object?.kind === 'CronJob') this.planned(step, step.object, number);
  }

  private cronJob(view: CronJobView, { step }: Moment): void {
    const known = this.byKey.get(key(view));
    if (known) {
      known.views.push({ step, view });
      return;
    }
    const cronJob = { key: key(view), namespace: view.namespace, name: view.name, views: [{ step, view }], next: [], runs: [], jobs: [] };
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
    if (known) {
      known.reason = rendered(decision.parts);
      return;
    }
    const run: Run = { scheduledAt, decided: moment, reason: rendered(decision.parts), job: null };
    this.byTime.set(id, run);
    cronJob.runs.push(run);
  }

  private jobOf(view: JobView, moment: Moment, step: Step): void {
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
    const end = finish(view);
    job.suspended = view.suspend;
    if (end) job.finished ??= { ...moment, ...end };
    if ((view.deleting || view.gone) && !job.deleting) {
      job.deleting = moment;
      job.removed = removal(job, step);
    }
    if (view.gone) job.gone = moment;
  }
}

/** The fields of the API that have a Job deleted, by how it finished. */
const REMOVES = { succeeded: ['ttlSecondsAfterFinished', 'successfulJobsHistoryLimit'], failed: ['ttlSecondsAfterFinished', 'failedJobsHistoryLimit'], active: ['concurrencyPolicy'] };

/** Why a step deletes a Job. */
function removal({ finished }: RunJob, step: Step): RunJob['removed'] {
  const fields = REMOVES[finished ? (finished.succeeded ? 'succeeded' : 'failed') : 'active'];
  for (const entry of step.entries) {
    if (entry.type !== 'decision' || entry.role !== 'action') continue;
    const field = fields.find((name) => entry.fields.includes(`spec.${name}`));
    if (field !== undefined) return { field, reason: rendered(entry.parts) };
  }
  return null;
}

/** How a Job has finished; null while it has not. */
export function finish(job: JobView): { succeeded: boolean; reason: string } | null {
  const end = job.conditions.find(({ type, status }) => status === 'True' && (type === 'Complete' || type === 'Failed'));
  return end ? { succeeded: end.type === 'Complete', reason: end.reason } : null;
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

/** Whether a Job exists after a step. */
export function exists(job: RunJob, step: number): boolean {
  return job.created.step <= step && (job.gone === null || job.gone.step > step);
}

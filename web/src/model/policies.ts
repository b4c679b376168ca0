/** The concurrency policies, and the outcomes of a CronJob's runs under one of them. */
import { runOutcomes } from './runOutcome.ts';
import type { CronJob, RunJob } from './runs.ts';

export const POLICIES = ['Allow', 'Forbid', 'Replace'] as const;

export type Policy = (typeof POLICIES)[number];

/** How many runs came to what. */
export interface Tally {
  started: number;
  skipped: number;
  replaced: number;
  /** Runs that started while another Job of the CronJob was still active. */
  overlapping: number;
}

/** What had become of the runs of a CronJob by a time. */
export function tally(cronJob: CronJob, until: number): Tally {
  const outcome = runOutcomes(cronJob);
  const runs = cronJob.runs.filter(({ scheduledAt }) => scheduledAt <= until);
  const skipped = runs.filter(({ job }) => !job || job.created.at > until);
  const replaced = runs.filter((run) => outcome(run) === 'replaced' && (run.job?.deleting?.at ?? Infinity) <= until);
  const started = runs.flatMap(({ job }) => (job && job.created.at <= until ? [job] : []));
  return { started: started.length, skipped: skipped.length, replaced: replaced.length, overlapping: started.filter((job) => overlaps(job, cronJob.jobs)).length };
}

/** Whether a Job was created while another was active. */
function overlaps(job: RunJob, all: RunJob[]): boolean {
  const end = ({ finished, deleting, gone }: RunJob): number => Math.min(...[finished, deleting, gone].map((moment) => moment?.step ?? Infinity));
  return all.some((other) => other !== job && other.created.step < job.created.step && end(other) > job.created.step);
}

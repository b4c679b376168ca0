/** The outcome of a run of a CronJob, if known. */
import type { CronJob, Run } from './runs.ts';
import { nextRunAt } from './runs.ts';

/** Each outcome with its sign and word, in the order of the list. */
export const RUN_OUTCOMES = {
  succeeded: { sign: '✓', word: 'succeeded' },
  failed: { sign: '✗', word: 'failed' },
  replaced: { sign: '⇄', word: 'replaced' },
  deleted: { sign: '✕', word: 'deleted' },
  skipped: { sign: '⊘', word: 'skipped' },
  waiting: { sign: '○', word: 'waiting' },
  running: { sign: '▸', word: 'running' },
} as const;

export type RunOutcome = keyof typeof RUN_OUTCOMES;

/** A run this many milliseconds behind its schedule is late. */
const LATE = 1000;

/** Returns the outcome of each run of a CronJob. */
export function runOutcomes(cronJob: CronJob): (run: Run) => RunOutcome {
  // A Job that is deleted in the step that creates the next one is replaced by it.
  const starts = new Set(cronJob.jobs.map((job) => job.created.step));
  // A CronJob that waits with a run knows no next one.
  const waiting = nextRunAt(cronJob, Infinity) === null ? cronJob.runs.at(-1) : undefined;
  return (run) => {
    const { job } = run;
    if (!job) return run === waiting ? 'waiting' : 'skipped';
    if (job.finished) return job.finished.succeeded ? 'succeeded' : 'failed';
    if (job.deleting) return starts.has(job.deleting.step) ? 'replaced' : 'deleted';
    return 'running';
  };
}

/** Whether a run started later than it was scheduled. */
export function late({ scheduledAt, job }: Run): boolean {
  return job !== null && job.created.at - scheduledAt >= LATE;
}

/** The rows of the timeline: CronJobs with their Jobs and the pods of these below them, and the pods of all other Jobs. */
import { type Row, title } from '../model/bars.ts';
import { key } from '../model/names.ts';
import { type CronJob, exists, type RunJob } from '../model/runs.ts';
import type { Story } from '../model/story.ts';

export type Line =
  | { kind: 'cronJob'; key: string; cronJob: CronJob; /** How many of its Jobs have rows. */ shown: number; open: boolean }
  | { kind: 'job'; key: string; job: RunJob; /** How many rows its pods have. */ rows: number; open: boolean }
  | { kind: 'pods'; key: string; row: Row; /** Whether it stands below a Job. */ nested: boolean };

/** A CronJob with more Jobs shows those that exist at the current step, until it is unfolded. */
export const FEW_JOBS = 5;
/** A Job with more rows of pods shows them once it is unfolded. */
export const FEW_ROWS = 12;

/** What is unfolded, by the keys of its lines. */
export type Unfolded = ReadonlySet<string>;

/** All lines, in their order, as they are shown after a step. */
export function lines(story: Story, step: number, unfolded: Unfolded): Line[] {
  const rows = story.bars.rows();
  const { cronJobs } = story.runs;
  if (cronJobs.length === 0) return rows.map((row) => pods(row, false));
  const byJob = new Map<string, Row[]>();
  for (const row of rows) {
    const job = key({ namespace: row.namespace, name: row.job });
    const known = byJob.get(job);
    if (known) known.push(row);
    else byJob.set(job, [row]);
  }
  const below = cronJobs.flatMap((cronJob) => {
    const id = `CronJob ${cronJob.key}`;
    const open = unfolded.has(id) || cronJob.jobs.length <= FEW_JOBS;
    const jobs = open ? cronJob.jobs : cronJob.jobs.filter((job) => exists(job, step));
    return [{ kind: 'cronJob' as const, key: id, cronJob, shown: jobs.length, open }, ...jobs.flatMap((job) => jobLines(job, byJob, unfolded))];
  });
  const others = rows.filter((row) => !story.runs.job({ namespace: row.namespace, name: row.job }));
  return [...below, ...others.map((row) => pods(row, false))];
}

/** A Job, and its pods unless they are many. */
function jobLines(job: RunJob, byJob: Map<string, Row[]>, unfolded: Unfolded): Line[] {
  // A Job that comes after another of its name has the rows from its creation on.
  const id = `Job ${key(job)} ${job.created.step}`;
  const until = job.gone?.step ?? Infinity;
  const rows = (byJob.get(key(job)) ?? []).filter((row) => row.bars.some((bar) => (bar.phases[0]?.step ?? 0) >= job.created.step && (bar.phases[0]?.step ?? 0) <= until));
  const open = rows.length <= FEW_ROWS || unfolded.has(id);
  return [{ kind: 'job', key: id, job, rows: rows.length, open }, ...(open ? rows.map((row) => pods(row, true)) : [])];
}

function pods(row: Row, nested: boolean): Line {
  return { kind: 'pods', key: row.key, row, nested };
}

/** The rows of pods among lines. */
export function podRows(lines: Line[]): Row[] {
  return lines.flatMap((line) => (line.kind === 'pods' ? [line.row] : []));
}

/** Whether two lists of lines look alike, so that nothing has to be drawn again. */
export function alike(one: Line[], other: Line[]): boolean {
  const same = (line: Line, place: number): boolean => {
    const known = other[place];
    return known?.key === line.key && ('open' in line && 'open' in known ? line.open === known.open : true);
  };
  return one.length === other.length && one.every(same);
}

/** What a line is called. */
export function label(line: Line, { names, clock }: Pick<Story, 'names' | 'clock'>): string {
  switch (line.kind) {
    case 'cronJob':
      return names.of(line.cronJob);
    case 'job':
      return line.job.scheduledAt === null ? line.job.name : `run ${clock.show(line.job.scheduledAt)}`;
    case 'pods':
      return line.nested ? line.row.label : title(line.row, names);
  }
}

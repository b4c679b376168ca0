/** Finds what lies under the pointer: a pod, a wait, a Job, a clock change, or a run of a CronJob. */
import { type Bar, end, type Row, type Wait } from '../model/bars.ts';
import type { CronJob, MetChange, Run, RunJob } from '../model/runs.ts';
import { heatRow } from './heat.ts';
import { ROW } from './rows.ts';
import type { Scale } from './scale.ts';
import { type Line, podRows } from './tree.ts';

/** What is there, and in which row. */
export type Hit = { bar: Bar } | { wait: Wait } | { job: RunJob } | { change: MetChange } | { cronJob: CronJob; run: Run };

const NEAR = 6;

/** What is under a click inside of `.rows`, if it is there at that time. */
export function hitAt(event: MouseEvent, lines: Line[], scale: Scale, last: number): Hit | null {
  const area = event.target instanceof Element ? event.target.closest<HTMLElement>('.rows:not(.heat)') : null;
  const plot = area?.querySelector('canvas')?.getBoundingClientRect();
  if (!area || !plot || event.clientX < plot.left) return null;
  const line = lines[Math.floor((event.clientY - plot.top + area.scrollTop) / ROW)];
  return line ? hit(line, event.clientX - plot.left, scale, last) : null;
}

/** The row of the map of very many rows under the pointer, and the time there. */
export function heatHit(event: MouseEvent, lines: Line[], scale: Scale): { row: Row; at: number } | null {
  const plot = event.target instanceof Element ? event.target.closest('.rows.heat')?.querySelector('canvas')?.getBoundingClientRect() : null;
  if (!plot || event.clientX < plot.left) return null;
  const at = scale.time(event.clientX - plot.left);
  const row = heatRow(podRows(lines), event.clientY - plot.top, plot.height, at);
  return row ? { row, at } : null;
}

function hit(line: Line, x: number, scale: Scale, last: number): Hit | null {
  const within = (from: number, until: number): boolean => scale.x(from) - 2 <= x && x <= scale.x(until) + 4;
  switch (line.kind) {
    case 'pods': {
      const bar = line.row.bars.findLast((one) => within(one.phases[0]?.at ?? 0, end(one) ?? last));
      const wait = line.row.waits.findLast((one) => within(one.from, one.until));
      return bar ? { bar } : wait ? { wait } : null;
    }
    case 'job':
      return within(line.job.created.at, line.job.gone?.at ?? last) ? { job: line.job } : null;
    case 'cronJob': {
      const change = line.cronJob.clockChanges.find(({ at }) => Math.abs(scale.x(at) - x) < NEAR);
      if (change) return { change };
      const far = (run: Run): number => Math.abs(scale.x(run.job?.created.at ?? run.scheduledAt) - x);
      const [nearest] = line.cronJob.runs.reduce<[Run | null, number]>((best, run) => (far(run) < best[1] ? [run, far(run)] : best), [null, Infinity]);
      const runs = line.cronJob.runs.findLast((run) => run.job && within(run.job.created.at, run.job.finished?.at ?? run.job.gone?.at ?? last));
      const run = nearest && far(nearest) < NEAR ? nearest : runs;
      return run ? { cronJob: line.cronJob, run } : null;
    }
  }
}

/** Draws the rows of CronJobs, with all their runs, and those of their Jobs, from creation to deletion. */
import type { CronJob, MetChange, Run, RunJob } from '../model/runs.ts';
import { timer } from './canvas.ts';
import { type Drawing, drawDeleting, drawWait, ROW } from './rows.ts';

/** A run is drawn so high in the row of its CronJob, and a Job in its own. */
const [RUN, JOB] = [12, 8];
/** The mark of how a Job finished is so wide and high. */
const FINISH = 14;

/** All runs of a CronJob in one row: what did not succeed is drawn last, so that nothing covers it. */
export function drawCronJob(drawing: Drawing, cronJob: CronJob, y: number): void {
  const { ink, scale, colours } = drawing;
  ink.fillStyle = colours.band;
  ink.fillRect(0, y, scale.width, ROW - 1);
  const rank = (job: RunJob): number => (job.finished === null ? 1 : job.finished.succeeded ? 0 : 2);
  for (const job of [...cronJob.jobs].sort((one, other) => rank(one) - rank(other))) drawRun(drawing, job, y);
  for (const run of cronJob.runs) {
    if (run.job) drawLate(drawing, run, run.job, y);
    else drawSkipped(drawing, run, y);
  }
  for (const change of cronJob.clockChanges) drawClockChange(drawing, change, y);
}

/** A clock change that takes away a run, or repeats it: a clock that nothing else covers. */
function drawClockChange({ ink, scale, colours }: Drawing, { at }: MetChange, y: number): void {
  const x = scale.x(at);
  if (x < -8 || x > scale.width + 8) return;
  ink.fillStyle = colours.surface;
  ink.fillRect(x - 7, y + 4, 14, ROW - 9);
  timer(ink, x, y + ROW / 2, colours.text);
}

function drawRun({ ink, scale, colours, last }: Drawing, job: RunJob, y: number): void {
  const from = scale.x(job.created.at);
  const until = scale.x((job.finished ?? job.gone)?.at ?? last);
  if (until < 0 || from > scale.width) return;
  ink.fillStyle = job.finished ? (job.finished.succeeded ? colours.succeeded : colours.failed) : colours.running;
  // Success is low and failure is high, so that colour is not all that distinguishes them.
  const high = job.finished?.succeeded ? RUN - 4 : RUN;
  ink.fillRect(from, y + (ROW + RUN) / 2 - high, Math.max(2, until - from), high);
}

/** A run that started late: a line from its scheduled time. */
function drawLate({ ink, scale, colours }: Drawing, run: Run, job: RunJob, y: number): void {
  const [from, until] = [scale.x(run.scheduledAt), scale.x(job.created.at)];
  if (until - from < 6) return;
  ink.fillStyle = colours.waiting;
  ink.fillRect(from, y + 6, 1.5, ROW - 13);
  ink.fillRect(from, y + 6, until - from, 1.5);
}

/** A scheduled time that started no Job: a circle with a bar through it. */
function drawSkipped({ ink, scale, colours }: Drawing, run: Run, y: number): void {
  const [x, middle] = [scale.x(run.scheduledAt), y + ROW / 2 - 0.5];
  if (x < -6 || x > scale.width + 6) return;
  ink.strokeStyle = colours.text;
  ink.fillStyle = colours.surface;
  ink.lineWidth = 1.5;
  ink.beginPath();
  ink.arc(x, middle, 4.5, 0, 2 * Math.PI);
  ink.fill();
  ink.moveTo(x - 3, middle + 3);
  ink.lineTo(x + 3, middle - 3);
  ink.stroke();
}

/** A Job: while it runs, how it finished, how long it is kept, and its deletion. */
export function drawJob(drawing: Drawing, job: RunJob, y: number): void {
  const { ink, scale, colours, last } = drawing;
  const middle = y + ROW / 2 - 0.5;
  const finished = job.finished?.at ?? job.gone?.at ?? last;
  const gone = job.gone?.at ?? last;
  if (scale.x(gone) < -60 || scale.x(job.created.at) > scale.width) return;
  const kept = Math.min(gone, Math.max(finished, ...job.delays.map(({ until }) => until?.at ?? last)));
  ink.fillStyle = colours.muted;
  ink.fillRect(scale.x(kept), middle - 0.5, Math.max(0, scale.x(gone) - scale.x(kept)), 1);
  ink.fillStyle = colours.running;
  ink.fillRect(scale.x(job.created.at), middle - JOB / 2, Math.max(3, scale.x(finished) - scale.x(job.created.at)), JOB);
  for (const { from, until, planned } of job.delays) {
    // What deletes it before its time ends the wait, too.
    const cut = job.deleting?.at ?? Infinity;
    drawWait(drawing, { from: from.at, until: Math.min(until?.at ?? last, cut), planned: Math.min(planned ?? last, cut), kept: job.finished !== null && from.at >= job.finished.at }, middle);
  }
  if (job.deleting) drawDeleting(drawing, job.deleting.at, gone, job.gone !== null, middle - JOB / 2, JOB);
  if (job.finished) drawFinish(drawing, job.finished, middle);
  // However short it was kept, the mark of its end stays free.
  if (job.gone) drawGone(drawing, Math.max(scale.x(job.gone.at), job.finished ? scale.x(job.finished.at) + FINISH : 0), job.gone.at, job.removed?.field ?? '', middle);
}

/** How a Job finished: its sign stands beside its end, so that nothing is drawn longer than it took. */
function drawFinish({ ink, scale, colours }: Drawing, { at, succeeded }: { at: number; succeeded: boolean }, middle: number): void {
  const x = scale.x(at);
  ink.fillStyle = succeeded ? colours.succeeded : colours.failed;
  ink.fillRect(x - 2, middle - FINISH / 2, 3, FINISH);
  ink.fillStyle = succeeded ? colours.good : colours.bad;
  ink.fillText(succeeded ? '✓' : '✗', x + 3, middle + 0.5);
}

/** Where a Job was deleted: a cross, and where there is room when, and the field that had it deleted. */
function drawGone({ ink, scale, colours }: Drawing, left: number, at: number, field: string, middle: number): void {
  const x = Math.min(left + 8, scale.width - 6);
  ink.strokeStyle = colours.muted;
  ink.lineWidth = 1.5;
  ink.beginPath();
  ink.moveTo(x - 3, middle - 3);
  ink.lineTo(x + 3, middle + 3);
  ink.moveTo(x + 3, middle - 3);
  ink.lineTo(x - 3, middle + 3);
  ink.stroke();
  const short = `deleted ${scale.clock.show(at)}`;
  const text = [`${short} · ${field}`, short].find((one) => x + 8 + ink.measureText(one).width <= scale.width && !one.endsWith('· '));
  if (text === undefined) return;
  ink.fillStyle = colours.muted;
  ink.fillText(text, x + 7, middle + 0.5);
}

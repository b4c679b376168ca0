/** What lies under the pointer, in a few words. */
import { type Bar, end, estimated, type Row, type Wait } from '../model/bars.ts';
import type { Clock } from '../model/clock.ts';
import type { Run, RunJob } from '../model/runs.ts';
import type { Mark, MarkKind } from '../model/story.ts';
import { restarts, waitText } from '../model/words.ts';
import type { Hit } from './hit.ts';
import { following } from './pointing.ts';

const NAMES: Record<MarkKind, string> = { does: 'decision', waits: 'wait', write: 'write', refused: 'failed write', action: 'action', difference: 'difference', complaint: 'problem' };

/** What lies in a row. */
export function hitHint(hit: Hit, clock: Clock): string {
  if ('bar' in hit) return podHint(hit.bar, clock);
  if ('wait' in hit) return waitHint(hit.wait, clock);
  if ('change' in hit) return `${clock.show(hit.change.at)} ${hit.change.text}`;
  return 'run' in hit ? runHint(hit.run, clock) : jobHint(hit.job, clock);
}

/** A row of the map of very many rows: its pod at a time. */
export function heatHint({ row, at }: { row: Row; at: number }, clock: Clock): string {
  const bar = row.bars.findLast(({ phases }) => (phases[0]?.at ?? 0) <= at);
  return bar ? `${row.label}: ${podHint(bar, clock)}` : `${row.label}: no pod yet`;
}

/** A run of a CronJob: its outcome, or why it did not start. */
export function runHint({ scheduledAt, reason, job }: Run, clock: Clock): string {
  return `${clock.show(scheduledAt)} run: ${job ? jobHint(job, clock) : reason}`;
}

/** A Job of a CronJob: when it started, how it finished, and when it was deleted. */
function jobHint(job: RunJob, clock: Clock): string {
  const facts = [
    `${job.name}: started ${clock.show(job.created.at)}`,
    job.finished ? `${job.finished.words} ${clock.show(job.finished.at)}` : '',
    job.gone ? `deleted ${clock.show(job.gone.at)}${job.removed ? ` (${job.removed.reason})` : ''}` : '',
  ];
  return facts.filter((fact) => fact !== '').join(', ');
}

/** A pod: its attempt, how long it was there, and how it ended. */
function podHint(bar: Bar, clock: Clock): string {
  const [from, until] = [bar.phases[0]?.at ?? 0, end(bar)];
  const last = bar.views.at(-1)?.view;
  const restarted = restarts(last?.restarts ?? 0);
  const stuck = last?.phase === 'Pending' && last.reason !== '' ? `, ${last.reason}` : '';
  const code = bar.exitCode === null ? '' : `, exit code ${bar.exitCode}`;
  return `${bar.name}: attempt ${bar.attempt}, ${clock.show(from)} to ${until === null ? 'the end' : clock.show(until)}${stuck}${code}${restarted === '' ? '' : `, ${restarted}`}${bar.gone ? `, gone ${clock.show(bar.gone.at)}` : ''}${estimated(bar) ? ', partly estimated' : ''}`;
}

/** A wait in a row: why it waits, and when that ended. */
function waitHint({ reason, until, planned }: Wait, clock: Clock): string {
  return planned > until ? `${reason} (${waitText(until, planned, clock)})` : reason;
}

/** Of overlapping marks, the one that a click leads to from a step; empty if there is none. */
export function markHint(marks: Mark[], step: number, clock: Clock): string {
  const mark = following(marks, step);
  if (!mark) return '';
  const count = marks.reduce((sum, one) => sum + one.count, 0);
  return mark.label === '' ? `${clock.show(mark.at)} ${count} ${NAMES[mark.kind]}${count === 1 ? '' : 's'}` : `${clock.show(mark.at)} ${mark.label}${count > 1 ? ` (${count} in total)` : ''}`;
}

/** The runs of a CronJob by dates of its time zone, and what a clock change means for them. */
import type { RunOutcome, Zone } from '../protocol.ts';
import { RUN_SIGNS } from './runSigns.ts';
import type { CronJob, Run } from './runs.ts';
import { counted, grouped } from './words.ts';
import { beginning, clockChange, type ClockChange, DAY, wall } from './zone.ts';

/** A date with its runs. Moments are milliseconds of the epoch. */
export interface RunDay {
  /** Its midnight as if it were in UTC, which identifies it. */
  date: number;
  from: number;
  until: number;
  change: ClockChange | null;
  runs: { run: Run; /** What the wall shows when it is scheduled, in milliseconds of the date. */ time: number }[];
  counts: Partial<Record<RunOutcome, number>>;
  late: number;
}

/** The dates from one to another, which is not among them. */
export type Span = [from: number, to: number];

/** A month of dates: the one that begins with a moment, or the month so many months later. */
export function month(zone: Zone, moment: number, later: number): Span {
  const first = new Date(wall(zone, moment));
  const after = (months: number): number => {
    const [year, place] = [first.getUTCFullYear(), first.getUTCMonth() + months];
    const last = new Date(Date.UTC(year, place + 1, 0)).getUTCDate();
    return Date.UTC(year, place, Math.min(first.getUTCDate(), last));
  };
  return [after(later), after(later + 1)];
}

/** Which month after the first a moment is in. */
export function monthOf(zone: Zone, first: number, moment: number): number {
  let later = 0;
  while (month(zone, first, later)[1] <= wall(zone, moment)) later += 1;
  return later;
}

/** The dates of a span with the runs of a CronJob, in a session that began at a moment. */
export function runDays(cronJob: CronJob, zone: Zone, [first, end]: Span, start: number): RunDay[] {
  const days: RunDay[] = [];
  for (let date = first; date < end; date += DAY) {
    const [from, until] = [days.at(-1)?.until ?? beginning(zone, date), beginning(zone, date + DAY)];
    days.push({ date, from, until, change: clockChange(zone, from, until), runs: [], counts: {}, late: 0 });
  }
  for (const run of cronJob.runs) {
    const at = start + run.scheduledAt;
    const day = days.find(({ until }) => at < until);
    if (!day || at < day.from) continue;
    day.runs.push({ run, time: shown(zone, day, at) });
    day.counts[run.outcome] = (day.counts[run.outcome] ?? 0) + 1;
    if (run.late !== null) day.late += 1;
  }
  return days;
}

/** What the wall shows at a moment of a date, in milliseconds of the date. */
function shown(zone: Zone, { date, from, change }: RunDay, at: number): number {
  if (change) return (at < change.at ? at - change.at + change.before : at - change.at + change.after) - date;
  return at - from + wall(zone, from) - date;
}

/** More times than these are not named one by one. */
const FEW = 3;

/** What a clock change on a date means: for the times at which this CronJob runs on other dates, or for the whole hour. */
export function changed(day: RunDay, days: RunDay[]): string {
  if (!day.change) return '';
  const [before, after] = [day.change.before - day.date, day.change.after - day.date];
  const forward = after > before;
  const [from, until] = forward ? [before, after] : [after, before];
  const times = [...new Set(days.flatMap(({ runs }) => runs.map(({ time }) => time)))].filter((time) => from <= time && time < until).sort((one, other) => one - other);
  const named = times.length > 0 && times.length <= FEW ? times.map(timeOfDay) : [`${timeOfDay(from)}–${timeOfDay(until)}`];
  const several = named.length > 1;
  return `${named.join(', ')} ${forward ? (several ? 'do not exist' : 'does not exist') : several ? 'occur twice' : 'occurs twice'}`;
}

/** `02:30`. */
export function timeOfDay(time: number): string {
  return new Date(time).toISOString().slice(11, 16);
}

/** `14 January`, of a date. */
export function dateName(date: number, weekday = false): string {
  return new Date(date).toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', ...(weekday ? { weekday: 'long' } : {}) });
}

/** `January 2026` of a whole month, else `24 November – 23 December 2026`. */
export function spanName([first, end]: Span): string {
  const name = (options: Intl.DateTimeFormatOptions, date: number): string => new Date(date).toLocaleDateString('en-GB', { timeZone: 'UTC', year: 'numeric', ...options });
  if (new Date(first).getUTCDate() === 1) return name({ month: 'long' }, first);
  return `${dateName(first)} – ${name({ day: 'numeric', month: 'long' }, end - DAY)}`;
}

/** How many runs of a date came to each end. */
export function outcomeCounts({ counts }: RunDay): [RunOutcome, number][] {
  return (Object.keys(RUN_SIGNS) as RunOutcome[]).flatMap((outcome) => (counts[outcome] === undefined ? [] : [[outcome, counts[outcome]]]));
}

/** The number of runs of a date, and their outcomes. */
export function dayFacts(day: RunDay): string[] {
  const outcomes = outcomeCounts(day).map(([outcome, count]) => `${grouped(count)} ${outcome}`);
  return [day.runs.length === 0 ? 'no runs' : counted(day.runs.length, 'run'), ...outcomes, ...(day.late > 0 ? [`${grouped(day.late)} late`] : [])];
}

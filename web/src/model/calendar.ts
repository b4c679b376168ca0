/** The runs of a CronJob by dates of its time zone, and what a clock change means for them. */
import type { MetChange, RunOutcome, Zone } from '../protocol.ts';
import { RUN_SIGNS } from './runSigns.ts';
import { counted, grouped } from './words.ts';
import { beginning, clockChange, type ClockChange, DAY, wall } from './zone.ts';

/** What is known of a run. */
export interface KnownRun {
  /** In milliseconds since the beginning. */
  scheduledAt: number;
  /** What it came to; null if it is only scheduled. */
  outcome: RunOutcome | null;
  late: boolean;
}

/** A date with its runs. Moments are milliseconds of the epoch. */
export interface RunDay {
  /** Its midnight as if it were in UTC, which identifies it. */
  date: number;
  from: number;
  until: number;
  change: ClockChange | null;
  /** In short, what it means for the times of the schedule; empty if nothing. */
  fact: string;
  /** With their scheduled times, since the beginning, and what the wall shows then, in milliseconds of the date. */
  runs: { at: number; outcome: RunOutcome | null; late: boolean; time: number }[];
  counts: Partial<Record<RunOutcome, number>>;
  /** How many runs are not simulated. */
  scheduled: number;
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

/** The dates of a span with the runs of a CronJob, which are in order, in a session that began at a moment; and the clock changes that its schedule meets. */
export function runDays(runs: readonly KnownRun[], met: readonly MetChange[], zone: Zone, [first, end]: Span, start: number): RunDay[] {
  const days: RunDay[] = [];
  for (let date = first; date < end; date += DAY) {
    const [from, until] = [days.at(-1)?.until ?? beginning(zone, date), beginning(zone, date + DAY)];
    const fact = met.find(({ at }) => from <= start + at && start + at < until)?.fact ?? '';
    days.push({ date, from, until, change: clockChange(zone, from, until), fact, runs: [], counts: {}, scheduled: 0, late: 0 });
  }
  let place = 0;
  for (const { scheduledAt, outcome, late } of runs) {
    const at = start + scheduledAt;
    while (place < days.length && at >= (days[place]?.until ?? 0)) place += 1;
    const day = days[place];
    if (!day || at < day.from) continue;
    day.runs.push({ at: scheduledAt, outcome, late, time: shown(zone, day, at) });
    if (outcome === null) day.scheduled += 1;
    else day.counts[outcome] = (day.counts[outcome] ?? 0) + 1;
    if (late) day.late += 1;
  }
  return days;
}

/** What the wall shows at a moment of a date, in milliseconds of the date. */
function shown(zone: Zone, { date, from, change }: RunDay, at: number): number {
  if (change) return (at < change.at ? at - change.at + change.before : at - change.at + change.after) - date;
  return at - from + wall(zone, from) - date;
}

/** What a clock change on a date means: for the times that the schedule names, or for the whole hour. */
export function changed({ date, change, fact }: RunDay): string {
  if (!change || fact !== '') return fact;
  const [before, after] = [change.before - date, change.after - date];
  return `${timeOfDay(Math.min(before, after))}–${timeOfDay(Math.max(before, after))} ${after > before ? 'does not exist' : 'occurs twice'}`;
}

/** `02:30`. */
export function timeOfDay(time: number): string {
  return new Date(time).toISOString().slice(11, 16);
}

/** To make one for each date is slow. */
const [DATE, WEEKDAY] = [{}, { weekday: 'long' } as const].map((more) => new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', ...more })) as [Intl.DateTimeFormat, Intl.DateTimeFormat];

/** `14 January`, of a date. */
export function dateName(date: number, weekday = false): string {
  return (weekday ? WEEKDAY : DATE).format(date);
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

/** The number of runs of a date, and their outcomes; of those that are not simulated, that they are scheduled. */
export function dayFacts(day: RunDay): string[] {
  if (day.runs.length === 0) return ['no runs'];
  const outcomes = outcomeCounts(day).map(([outcome, count]) => `${grouped(count)} ${outcome}`);
  const all = counted(day.runs.length, 'run');
  if (day.scheduled === day.runs.length) return [`${all} scheduled`];
  return [all, ...outcomes, ...(day.scheduled > 0 ? [`${grouped(day.scheduled)} scheduled`] : []), ...(day.late > 0 ? [`${grouped(day.late)} late`] : [])];
}

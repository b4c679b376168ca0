/** How the times of a session are shown, typed and marked on an axis: as time since its start, or by the clock of a time zone. */
import type { Zone } from '../protocol.ts';
import { clock, interval, ticks, timeOf } from './time.ts';
import { beginning, DAY, dateOf, UTC, wall } from './zone.ts';

interface Tick {
  /** Milliseconds since the start. */
  at: number;
  label: string;
}

/** Times are milliseconds since the start. */
export interface Clock {
  /** The time zone whose clock it is; null if it shows the time since the start. */
  zone: Zone | null;
  show(at: number): string;
  /** The time that typed text means, relative to the current time; null if it is not a time. It may be before the start. */
  read(typed: string, at: number): number | null;
  /** What can be typed. */
  examples: string;
  /** The marks of an axis that is so many pixels wide. */
  ticks(from: number, to: number, width: number): Tick[];
}

/** Between two marks of an axis lie at least so many pixels: a date is wider than a time, and a date with a time is the widest. */
const APART = { time: 80, date: 100, both: 130 };

/** `0:12`: time since the start, which sessions show without CronJobs. */
export const ELAPSED: Clock = {
  zone: null,
  show: clock,
  read: timeOf,
  examples: '0:12, 0:12.5, 1:30:00, 12s or 1h30m',
  ticks: (from, to, width) => ticks(from, to, Math.max(2, width / APART.time)).map((at) => ({ at, label: clock(at) })),
};

/** `Mon 5 Jan 08:30`, with the year where it is another one than at the start. Unless each time is `dated`, those on the first day have no date. */
export function dates(zone: Zone, start: number, dated = true): Clock {
  const year = new Date(wall(zone, start)).getUTCFullYear();
  const date = (shown: number): string => dateText(shown).replace(` ${year}`, '');
  return {
    zone,
    show: (at) => {
      const shown = wall(zone, start + at);
      return dated || dateOf(zone, start + at) !== dateOf(zone, start) ? `${date(shown)} ${timeOfDay(shown)}` : timeOfDay(shown);
    },
    read: (typed, at) => moment(typed, zone, start, at) ?? timeOf(typed),
    examples: '5 Jan 08:30, 2026-01-05, 08:30 or 36h',
    ticks: (from, to, width) => {
      const [earliest, origin] = [wall(zone, start + from), dateOf(zone, start)];
      const apartBy = (pixels: number): number => interval(to - from, Math.max(2, width / pixels));
      const apart = apartBy(APART.date) >= DAY ? apartBy(APART.date) : Math.max(100, apartBy(APART.both));
      const marks: Tick[] = [];
      for (let shown = origin + Math.ceil((earliest - origin) / apart) * apart; beginning(zone, shown) <= start + to; shown += apart) {
        const first = marks.length === 0;
        const label = shown % DAY !== 0 ? `${first ? `${date(shown)} ` : ''}${exactTimeOfDay(shown)}` : first ? dateText(shown) : date(shown);
        marks.push({ at: beginning(zone, shown) - start, label });
      }
      return marks;
    },
  };
}

/** When a session starts: `Thu 1 Jan 2026 00:00 UTC`. */
export function starts({ start, clock }: { start: number; clock: Clock }): string {
  const zone = clock.zone ?? UTC;
  return `${dateText(wall(zone, start))} ${timeOfDay(wall(zone, start))} ${zone.name}`;
}

/** `Mon 5 Jan 2026`. */
function dateText(shown: number): string {
  const [weekday, day, month, year] = new Date(shown).toUTCString().split(/[ ,]+/);
  return `${weekday} ${Number(day)} ${month} ${year}`;
}

/** `08:30`, with seconds where there are any. Controllers act some tenths of a second after a time, which nobody needs to read. */
function timeOfDay(shown: number): string {
  return new Date(shown).toISOString().slice(11, 19).replace(/:00$/, '');
}

/** `08:30`, with seconds and tenths where there are any: an axis can be zoomed in to them. */
function exactTimeOfDay(shown: number): string {
  return new Date(shown).toISOString().slice(11, 21).replace(/(:00)?\.0$/, '');
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** A weekday is read over. */
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s*/;
const DATE = /^(?:(?<day>\d{1,2}) ?(?<month>[a-z]{3})[a-z]*|(?<name>[a-z]{3})[a-z]* (?<date>\d{1,2}))(?:,? (?<year>\d{4}))?(?=$|[ ,])[ ,]*|^(?<iso>\d{4}-\d\d-\d\d)(?:$|[ t]+)/;
const TIME = /^(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d(?:\.\d{1,3})?))?$/;

/** A typed date, a time of day or both, in milliseconds since the start; null if it is neither. */
function moment(typed: string, zone: Zone, start: number, at: number): number | null {
  const text = typed.trim().toLowerCase();
  // As it is written in the status of objects.
  if (/^\d{4}-.*z$/.test(text)) return Number.isNaN(Date.parse(text)) ? null : Date.parse(text) - start;
  const rest = text.replace(WEEKDAY, '');
  const named = DATE.exec(rest);
  const clocked = rest.slice(named?.[0].length ?? 0);
  const time = clocked === '' && named ? 0 : timeFrom(clocked);
  if (time === null) return null;
  if (!named?.groups) return beginning(zone, dateOf(zone, start + at) + time) - start;
  const [first, ...later] = dated(named.groups, new Date(wall(zone, start)).getUTCFullYear()).map((date) => beginning(zone, date + time) - start);
  // Without a year, it is the first date of that name that the session can have.
  return (first !== undefined && first < 0 ? later[0] : undefined) ?? first ?? null;
}

/** The dates that a text may name, by their midnights as if they were in UTC: of this year, or of the next. */
function dated({ day, date, month, name, year, iso }: Record<string, string | undefined>, current: number): number[] {
  const named = (inYear: number): number[] => {
    const [inMonth, number] = [MONTHS.indexOf(month ?? name ?? ''), Number(day ?? date)];
    const found = new Date(Date.UTC(inYear, inMonth, number));
    return inMonth >= 0 && found.getUTCDate() === number ? [found.getTime()] : [];
  };
  if (iso !== undefined) return [Date.parse(iso)].filter((found) => !Number.isNaN(found));
  return year === undefined ? [...named(current), ...named(current + 1)] : named(Number(year));
}

/** A time of day in milliseconds since midnight; null if it is not one. */
function timeFrom(text: string): number | null {
  const { hour, minute, second = '0' } = TIME.exec(text)?.groups ?? {};
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  return hours < 24 && minutes < 60 && seconds < 60 ? Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000) : null;
}

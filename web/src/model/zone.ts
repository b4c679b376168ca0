/** Local time in a time zone: what the clock on the wall shows, when a date begins, and when clocks change. */

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The time zone of a CronJob; UTC if it names none, or an unknown one. */
export function zoneOf(name: string | null): string {
  try {
    wall(name ?? 'UTC', 0);
    return name ?? 'UTC';
  } catch {
    return 'UTC';
  }
}

/** Clocks change only when a quarter of an hour begins in UTC. */
const QUARTER = HOUR / 4;

/** How far clocks are ahead of UTC in each quarter of an hour, by time zone: formatting a moment is slow. */
const offsets = new Map<string, Map<number, number>>();

/** What the clock on the wall shows at a moment, in milliseconds as if it were in UTC. */
export function wall(zone: string, moment: number): number {
  // The first format that is made is slow enough to delay the first paint.
  if (zone === 'UTC') return moment;
  const quarter = Math.floor(moment / QUARTER);
  const known = offsets.get(zone) ?? new Map<number, number>();
  offsets.set(zone, known);
  const offset = known.get(quarter) ?? formatted(zone, quarter * QUARTER) - quarter * QUARTER;
  known.set(quarter, offset);
  return moment + offset;
}

/** What the wall shows at a moment in whole seconds. */
function formatted(zone: string, moment: number): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' });
    formats.set(zone, format);
  }
  const parts: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(moment)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The date of a moment, by its midnight as if it were in UTC. */
export function dateOf(zone: string, moment: number): number {
  return Math.floor(wall(zone, moment) / DAY) * DAY;
}

/** The moment at which a date begins, which is named by its midnight as if it were in UTC; or of any other time that the wall shows. */
export function beginning(zone: string, date: number): number {
  const offset = (moment: number): number => wall(zone, moment) - moment;
  const candidates = [date - offset(date - DAY), date - offset(date + DAY)].sort((one, other) => one - other);
  // Where clocks go forward at midnight, there is none: the date begins when they do.
  return candidates.find((moment) => wall(zone, moment) === date) ?? candidates[1] ?? date;
}

/** A clock change: the moment, and what the wall shows right before and after it. */
export interface ClockChange {
  at: number;
  before: number;
  after: number;
}

/** The clock change between two moments; null if there is none. */
export function clockChange(zone: string, from: number, until: number): ClockChange | null {
  const offset = (moment: number): number => wall(zone, moment) - moment;
  const [before, after] = [offset(from), offset(until)];
  if (before === after) return null;
  let [low, high] = [Math.floor(from / 1000), Math.ceil(until / 1000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offset(middle * 1000) === before) low = middle;
    else high = middle;
  }
  const at = high * 1000;
  return { at, before: at + before, after: at + after };
}

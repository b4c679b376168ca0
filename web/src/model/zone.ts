/** Local time in a time zone: what the clock on the wall shows, when a date begins, and when clocks change. */
import type { Zone } from '../protocol.ts';

const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Coordinated Universal Time. */
export const UTC: Zone = { name: 'UTC', offset: 0, changes: [] };

/** Adds what is sent of a zone to what is known of it. */
export function learn(zones: Map<string, Zone>, sent: Zone): void {
  const known = zones.get(sent.name);
  if (known) known.changes.push(...sent.changes);
  else zones.set(sent.name, { ...sent, changes: [...sent.changes] });
}

/** How many clock changes of a zone are not after a moment. */
function passed({ changes }: Zone, moment: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.at ?? 0) <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How far the clock is ahead of UTC after so many changes. */
function offset(zone: Zone, count: number): number {
  return zone.changes[count - 1]?.offset ?? zone.offset;
}

/** What the clock on the wall shows at a moment, in milliseconds as if it were in UTC. */
export function wall(zone: Zone, moment: number): number {
  return moment + offset(zone, passed(zone, moment));
}

/** The date of a moment, by its midnight as if it were in UTC. */
export function dateOf(zone: Zone, moment: number): number {
  return Math.floor(wall(zone, moment) / DAY) * DAY;
}

/** The moment at which a date begins, which is named by its midnight as if it were in UTC; or of any other time that the wall shows. */
export function beginning(zone: Zone, date: number): number {
  const ahead = (moment: number): number => wall(zone, moment) - moment;
  const candidates = [date - ahead(date - DAY), date - ahead(date + DAY)].sort((one, other) => one - other);
  // Where clocks go forward at midnight, there is none: the date begins when they do.
  return candidates.find((moment) => wall(zone, moment) === date) ?? candidates[1] ?? date;
}

/** A clock change: the moment, and what the wall shows right before and after it. */
export interface ClockChange {
  at: number;
  before: number;
  after: number;
}

/** The clock change from one moment until another, which does not count; null if there is none. */
export function clockChange(zone: Zone, from: number, until: number): ClockChange | null {
  const before = passed(zone, from - 1);
  const at = zone.changes[before]?.at;
  return at === undefined || at >= until ? null : { at, before: at + offset(zone, before), after: at + offset(zone, before + 1) };
}

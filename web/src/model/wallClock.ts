/** The clock on the wall, for sessions that begin with what a cluster had: `02:07:13`, with the date where it is another one than at the start. */
import type { Zone } from '../protocol.ts';
import { type Clock, dates } from './clock.ts';
import { interval } from './time.ts';
import { beginning, DAY, dateOf, UTC, wall } from './zone.ts';

/** Between two marks of an axis lie at least so many pixels. */
const APART = 90;
const MINUTE = 60_000;

/** The clock of a zone, for a session that begins at a moment. */
export function wallClock(zone: Zone, start: number): Clock {
  const dated = (at: number): string => (dateOf(zone, start + at) === dateOf(zone, start) ? '' : `${date(wall(zone, start + at))} `);
  const time = (at: number): string => new Date(wall(zone, start + at)).toISOString().slice(11, 19);
  return {
    zone,
    show: (at) => dated(at) + time(at),
    read: dates(zone, start).read,
    examples: '02:07:13, 25 Nov 02:07, 2026-11-25 or 36h',
    ticks: (from, to, width) => {
      const apart = Math.max(1000, interval(to - from, Math.max(2, width / APART)));
      const [earliest, origin] = [wall(zone, start + from), dateOf(zone, start)];
      const marks: ReturnType<Clock['ticks']> = [];
      for (let shown = origin + Math.ceil((earliest - origin) / apart) * apart; beginning(zone, shown) <= start + to; shown += apart) {
        const at = beginning(zone, shown) - start;
        const text = apart % MINUTE === 0 ? time(at).slice(0, 5) : time(at);
        marks.push({ at, label: shown % DAY === 0 ? date(shown) : marks.length === 0 ? `${date(shown)} ${text}` : text });
      }
      return marks;
    },
  };
}

/** `02:07:13 (25 Nov 2026, Europe/Berlin)`. */
export function dayAndTime({ clock, start }: { clock: Clock; start: number }, at: number): string {
  const zone = clock.zone ?? UTC;
  const shown = wall(zone, start + at);
  return `${new Date(shown).toISOString().slice(11, 19)} (${date(shown)} ${new Date(shown).getUTCFullYear()}, ${zone.name})`;
}

/** `25 Nov`. */
function date(shown: number): string {
  const [, day, month] = new Date(shown).toUTCString().split(/[ ,]+/);
  return `${Number(day)} ${month}`;
}

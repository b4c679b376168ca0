/** The clock on the wall: what it shows, what can be typed, and the marks of an axis. */
import { expect, test } from 'vitest';

import { dayAndTime, wallClock } from '../src/model/wallClock.ts';
import { zone } from './steps.ts';

const start = Date.parse('2026-11-25T01:00:00Z');
const clock = wallClock(zone('Europe/Berlin'), start);
const HOUR = 3_600_000;

test('a time is that of the zone, with the date where it is another one than at the start', () => {
  expect([0, 433_000, 433_500, 22 * HOUR].map((at) => clock.show(at))).toEqual(['02:00:00', '02:07:13', '02:07:13', '26 Nov 00:00:00']);
  expect(dayAndTime({ clock, start }, 433_000)).toBe('02:07:13 (25 Nov 2026, Europe/Berlin)');
});

test('what it shows can be typed', () => {
  expect(['02:07:13', '26 Nov 00:00', '36h', 'noon'].map((typed) => clock.read(typed, 0))).toEqual([433_000, 22 * HOUR, 36 * HOUR, null]);
});

test.each([
  ['minutes', 433_000, ['25 Nov 02:00', '02:02', '02:04', '02:06']],
  ['seconds', 4000, ['25 Nov 02:00:00', '02:00:01', '02:00:02', '02:00:03', '02:00:04']],
  ['days', 48 * HOUR, ['25 Nov 12:00', '26 Nov', '12:00', '27 Nov']],
])('an axis of %s has round marks', (_name, length, labels) => {
  expect(clock.ticks(0, length, 500).map(({ label }) => label)).toEqual(labels);
});

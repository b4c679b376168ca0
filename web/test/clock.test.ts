/** Times as a session shows them: since its start, or by the clock of its CronJobs. */
import { describe, expect, test } from 'vitest';

import { dates, ELAPSED, starts } from '../src/model/clock.ts';
import { lineWords } from '../src/model/lines.ts';
import { Story } from '../src/model/story.ts';
import { UTC } from '../src/model/zone.ts';
import type { Step } from '../src/protocol.ts';
import { clockUpdate, decision, plan, played, progress, START, step, zone } from './steps.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const start = Date.parse(START);
const utc = dates(UTC, start);
const paris = dates(zone('Europe/Paris'), start);

test('a session shows the clock of its CronJob, and dates from the step on that says so', () => {
  const [often, seldom] = [clockUpdate('Europe/Paris', '* * * * *'), clockUpdate('Asia/Tokyo')].map((clock) => step(0, { clock }));
  const shown = (...steps: Step[]) => steps.map((_, last) => played(...steps.slice(0, last + 1)).clock.show(5 * MINUTE));
  expect(shown(step(0), often ?? step(0), seldom ?? step(0), often ?? step(0))).toEqual(['5:00', '01:05', 'Thu 1 Jan 09:05', '01:05']);
});

test('dates are those of the time zone, with the year where it changes, and without fractions of seconds', () => {
  expect([0, 4 * DAY + 7.5 * HOUR, 90 * DAY + 7.5 * HOUR, 20_100].map(paris.show)).toEqual(['Thu 1 Jan 01:00', 'Mon 5 Jan 08:30', 'Wed 1 Apr 09:30', 'Thu 1 Jan 01:00:20']);
  expect([0, 365 * DAY, 789 * DAY].map(utc.show)).toEqual(['Thu 1 Jan 00:00', 'Fri 1 Jan 2027 00:00', 'Tue 29 Feb 2028 00:00']);
  expect([ELAPSED, paris].map((clock) => starts({ start, clock }))).toEqual(['Thu 1 Jan 2026 00:00 UTC', 'Thu 1 Jan 2026 01:00 Europe/Paris']);
});

test('where runs are minutes apart, times on the first day have no date', () => {
  const clock = dates(zone('Europe/Paris'), start, false);
  expect([5 * MINUTE + 100, 22 * HOUR, 23 * HOUR, 2 * DAY].map(clock.show)).toEqual(['01:05', '23:00', 'Fri 2 Jan 00:00', 'Sat 3 Jan 01:00']);
  expect(clock.ticks(0, HOUR, 600).map(({ label }) => label)).toEqual(['Thu 1 Jan 01:00', '01:20', '01:40', '02:00']);
});

describe('what is typed', () => {
  const monday = 4 * DAY + 7.5 * HOUR;

  test.each(['5 Jan 08:30', 'Mon 5 Jan 08:30', 'Monday, 5 January 2026, 8:30', 'jan 5 08:30:00', '2026-01-05 08:30', '2026-01-05T07:30:00Z', '08:30', '8:30', '4d 7:30:00', '103h30m'])('%s is a date, a time of day or a time since the start', (typed) => {
    expect(paris.read(typed, 4 * DAY + 20 * HOUR)).toBe(monday);
  });

  test('a date is its midnight, and without a year the first one that the session can have', () => {
    expect(['2 Jan', '2026-01-02', '31 Dec', '3 Jan 2027'].map((typed) => utc.read(typed, 0))).toEqual([DAY, DAY, 364 * DAY, 367 * DAY]);
    expect(dates(UTC, Date.parse('2026-06-01T00:00:00Z')).read('1 Jan', 0)).toBe(214 * DAY);
  });

  test('a time before the start is one, and what is no time is none', () => {
    expect(utc.read('31 Dec 2025 23:59', 0)).toBe(-MINUTE);
    expect(['', 'soon', '31 Feb', '5 Jan 24:00', '5 Jan 8', '2026-13-01', '5 Foo', '1 2 3'].map((typed) => utc.read(typed, 0))).toEqual(Array(8).fill(null));
    for (const at of [0, monday, 20_000, 800 * DAY + 3000]) expect(paris.read(paris.show(at), 0)).toBe(at);
  });
});

test('an axis of dates has marks at midnight, or at round times with the date once', () => {
  const labels = (from: number, to: number, width = 600) => paris.ticks(from, to, width).map(({ at, label }) => `${at / HOUR} ${label}`);
  expect(labels(0, 4 * DAY)).toEqual(['23 Fri 2 Jan 2026', '47 Sat 3 Jan', '71 Sun 4 Jan', '95 Mon 5 Jan']);
  expect(labels(6 * HOUR, 14 * HOUR)).toEqual(['7 Thu 1 Jan 08:00', '9 10:00', '11 12:00', '13 14:00']);
  // Clocks go forward on 29 March.
  expect(labels(86 * DAY, 88.5 * DAY, 300)).toEqual(['2087 Sun 29 Mar 2026', '2110 Mon 30 Mar']);
  expect(labels(0, 400, 600).map((label) => label.slice(label.indexOf(' ') + 1))).toEqual(['Thu 1 Jan 01:00', '01:00:00.1', '01:00:00.2', '01:00:00.3', '01:00:00.4']);
  expect(ELAPSED.ticks(0, 60_000, 560)).toHaveLength(7);
});

test('sentences have the times that the session shows', () => {
  const story = new Story();
  const next = decision('next run at 103:30:00', { text: 'cronjob hello: ○ next run at 103:30:00 (C-21)', named: 'cronjob hello: ', frame: ['cronjob hello: ○ ', ' (C-21)'], parts: ['next run at ', { text: '103:30:00', time: '2026-01-05T07:30:00Z' }], role: 'wait' });
  const about = { kind: 'CronJob', namespace: 'default', name: 'hello' };
  story.add(progress([step(0, { clock: clockUpdate('Europe/Paris') }), plan(0, about, next)], { ended: false }));
  expect(story.clock.zone?.name).toBe('Europe/Paris');
  expect(story.lines.map(lineWords)).toEqual([{ mark: '○', text: 'cronjob hello: next run at Mon 5 Jan 08:30' }]);
  expect(story.steps.flatMap(({ entries }) => entries.map(({ text }) => text))).toEqual(['cronjob hello: ○ next run at Mon 5 Jan 08:30 (C-21)']);
  const long = new Story();
  long.add(progress([plan(0, about, next)], { ended: false }));
  expect(long.lines.map((line) => lineWords(line).text)).toEqual(['cronjob hello: next run at 4d 7:30:00']);
});

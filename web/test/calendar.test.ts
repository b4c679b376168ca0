/** The calendar: local dates of a time zone, clock changes, and the outcomes of each date's runs. */
import { describe, expect, test } from 'vitest';

import { changed, dayFacts, type KnownRun, month, monthOf, runDays, spanName } from '../src/model/calendar.ts';
import { beginning, clockChange, DAY, learn, UTC, wall } from '../src/model/zone.ts';
import type { MetChange, RunOutcome, Zone } from '../src/protocol.ts';
import { zone } from './steps.ts';

const utc = (text: string): number => Date.parse(`${text}Z`);
const [newYork, paris, beirut] = [zone('America/New_York'), zone('Europe/Paris'), zone('Asia/Beirut')];
const HOUR = 3_600_000;
const START = utc('2026-01-01T00:00:00');

/** A run that came to this, or is only scheduled. */
const run = (scheduledAt: number, outcome: RunOutcome | null = 'succeeded', late = false): KnownRun => ({ scheduledAt, outcome, late });

describe('local time', () => {
  test('is that of the zone', () => {
    expect(wall(newYork, utc('2026-07-01T12:00:00.250'))).toBe(utc('2026-07-01T08:00:00.250'));
  });

  test('has dates that begin at midnight, or when clocks go forward over it', () => {
    expect(beginning(paris, utc('2026-03-29T00:00:00'))).toBe(utc('2026-03-28T23:00:00'));
    expect(beginning(paris, utc('2026-03-30T00:00:00'))).toBe(utc('2026-03-29T22:00:00'));
    expect(beginning(beirut, utc('2026-03-29T00:00:00'))).toBe(utc('2026-03-28T22:00:00'));
    expect(wall(beirut, beginning(beirut, utc('2026-03-29T00:00:00')))).toBe(utc('2026-03-29T01:00:00'));
  });

  test('has clock changes', () => {
    const change = clockChange(paris, utc('2026-10-24T22:00:00'), utc('2026-10-25T23:00:00'));
    expect(change).toEqual({ at: utc('2026-10-25T01:00:00'), before: utc('2026-10-25T03:00:00'), after: utc('2026-10-25T02:00:00') });
    expect(clockChange(UTC, START, START + DAY)).toBe(null);
    const [eve, date, end] = ['2026-03-27T22:00:00', '2026-03-28T22:00:00', '2026-03-29T21:00:00'].map(utc) as [number, number, number];
    expect([clockChange(beirut, eve, date), clockChange(beirut, date, end)], 'over midnight, on the date that begins with it').toEqual([null, { at: date, before: utc('2026-03-29T00:00:00'), after: utc('2026-03-29T01:00:00') }]);
  });

  test('is known further when more changes are sent', () => {
    const [zones, { name, offset, changes }] = [new Map<string, Zone>(), paris];
    for (const some of [changes.slice(0, 3), changes.slice(3)]) learn(zones, { name, offset, changes: some });
    expect(zones).toEqual(new Map([[name, paris]]));
  });
});

describe('a month', () => {
  test('is a calendar month where the session begins with one', () => {
    expect(spanName(month(UTC, START, 0))).toBe('January 2026');
    expect(month(UTC, START, 1)).toEqual([utc('2026-02-01T00:00:00'), utc('2026-03-01T00:00:00')]);
  });

  test('goes from the day on which the session begins', () => {
    expect(spanName(month(UTC, utc('2026-11-24T10:00:00'), 0))).toBe('24 November – 23 December 2026');
    expect(month(UTC, utc('2026-01-31T10:00:00'), 1)).toEqual([utc('2026-02-28T00:00:00'), utc('2026-03-31T00:00:00')]);
    expect(monthOf(UTC, START, START + 60 * DAY)).toBe(2);
  });
});

describe('a date', () => {
  const days = (zone: Zone, runs: KnownRun[], later = 0, met: MetChange[] = []) => runDays(runs, met, zone, month(zone, START, later), START);

  test('has the runs that the wall shows on it', () => {
    const [first, second] = days(newYork, [run(4 * HOUR), run(5 * HOUR), run(29 * HOUR)]).slice(1);
    expect([first?.runs.map(({ time }) => time), second?.runs.length]).toEqual([[0], 1]);
  });

  test('counts its runs by their outcomes', () => {
    const outcomes: RunOutcome[] = ['succeeded', 'failed', 'skipped', 'replaced', 'deleted'];
    const [day] = days(UTC, [...outcomes.map((outcome, hour) => run((hour + 1) * HOUR, outcome)), run(6 * HOUR, 'succeeded', true), run(7 * HOUR, null)]);
    expect(day && dayFacts(day)).toEqual(['7 runs', '2 succeeded', '1 failed', '1 replaced', '1 deleted', '1 skipped', '1 scheduled', '1 late']);
    expect(days(UTC, [run(HOUR, null), run(2 * HOUR, null)]).slice(0, 2).map(dayFacts)).toEqual([['2 runs scheduled'], ['no runs']]);
  });

  test('says what a clock change means', () => {
    const spring = days(paris, [], 2, [{ at: utc('2026-03-29T01:00:00') - START, fact: '02:30 does not exist', words: '' }]);
    expect(spring.flatMap((day) => changed(day) || [])).toEqual(['02:30 does not exist']);
    const autumn = days(paris, [run(utc('2026-10-25T00:30:00') - START), run(utc('2026-10-25T01:30:00') - START)], 9);
    expect(autumn.flatMap((day) => changed(day) || [])).toEqual(['02:00–03:00 occurs twice']);
    expect(autumn[24]?.runs.map(({ time }) => time / HOUR)).toEqual([2.5, 2.5]);
    expect(days(newYork, [], 2).flatMap((day) => changed(day) || [])).toEqual(['02:00–03:00 does not exist']);
  });
});

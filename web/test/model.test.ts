/** Times, words, and what part of time is in view. */
import { describe, expect, test } from 'vitest';

import { Names, scripted } from '../src/model/names.ts';
import { shortName, withShortPods } from '../src/model/names.ts';
import { rendered } from '../src/model/sentence.ts';
import { clock, interval, length, spoken, ticks, timeOf } from '../src/model/time.ts';
import { faulty, grouped, restarts, spelled } from '../src/model/words.ts';
import { moved, scale, turned, whole, zoomed } from '../src/timeline/scale.ts';

describe('time', () => {
  test('is shown since the start', () => {
    expect([-5500, 0, 1300, 59_990, 61_000, 3_600_000].map(clock)).toEqual(['0:05.5 before the start', '0:00', '0:01.3', '0:59.9', '1:01', '1:00:00']);
  });

  test('is written as scripts are', () => {
    expect([0, 500, 12_345, 90_000, 3_600_000, 3_661_500].map(length)).toEqual(['0s', '500ms', '12.345s', '1m30s', '1h', '1h1m1.5s']);
    expect([10_000, 2500, 599_900, 600_000, 605_900].map(spoken)).toEqual(['10 s', '2.5 s', '10 min', '10 min', '10 min 6 s']);
    expect([7_200_000, 12_000_100, 172_800_000, 525_600_000].map(spoken)).toEqual(['2 h', '3 h 20 min', '2 days', '6 days 2 h']);
  });

  test('is read as clocks and scripts have it', () => {
    expect(['0:12', '0:12.5', '90:00', '1:00:00.25', '12s', '12 s', '1h30m', '1d', '500ms', '1m1.5s'].map(timeOf)).toEqual([12_000, 12_500, 5_400_000, 3_600_250, 12_000, 12_000, 5_400_000, 86_400_000, 500, 61_500]);
    expect(['', '12', '0:60', '1:60:00', '0:1', 'soon', '-0:05', '1h30', '5s1m', '0:12.'].map(timeOf)).toEqual(Array(10).fill(null));
    for (const at of [0, 500, 12_300, 3_661_500]) expect([timeOf(clock(at)), timeOf(length(at))]).toEqual([at, at]);
  });

  test('has marks at round places, not too many', () => {
    expect(ticks(0, 60_000, 8)).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000]);
    for (const most of [2, 5, 9]) expect(ticks(12_345, 9_876_543, most).length).toBeLessThanOrEqual(most + 1);
    expect(ticks(1000, 1200, 9)).toEqual([1000, 1100, 1200]);
  });

  test('is rounded to what fits into a length so many times', () => {
    expect([[60_000, 200], [60_000, 8], [200, 200]].map(([span = 0, most = 0]) => interval(span, most))).toEqual([500, 10_000, 1]);
  });
});

describe('the view', () => {
  const most = whole(100_000);

  test('stays inside of what there is', () => {
    expect(moved({ from: 10, to: 20 }, -9000, most)).toEqual({ from: -2000, to: -1990 });
    expect(zoomed({ from: 0, to: 1000 }, 1e9, 500, most)).toBe(most);
  });

  test('is turned to the cursor when that leaves it', () => {
    const view = { from: 20_000, to: 30_000 };
    expect(turned(view, 25_000, most)).toBe(view);
    expect([30_001, 19_000, 99_000, 0].map((at) => turned(view, at, most).from)).toEqual([29_001, 10_000, 96_000, -2000]);
  });

  test('keeps the time under the pointer where it is', () => {
    const before = { from: 20_000, to: 60_000 };
    const after = zoomed(before, 0.5, 30_000, most);
    expect(scale(after, 800).x(30_000)).toBeCloseTo(scale(before, 800).x(30_000));
  });
});

test('a sentence is rendered part by part', () => {
  const parts = ['Retrying ', { text: 'pi-x', object: { kind: 'Pod', namespace: 'b', name: 'pi-x' } }, ' at ', { text: '0:20', time: '2026-01-01T00:00:20Z' }, ': ', { text: 'backoffLimit', field: 'spec.backoffLimit' }];
  expect(rendered(parts)).toBe('Retrying pi-x at 0:20: backoffLimit');
});

test('names are as precise as it takes', () => {
  const names = new Names();
  names.add('Job', { namespace: 'a', name: 'pi' });
  names.add('Job', { namespace: 'a', name: 'pi' });
  expect([names.several, names.of({ namespace: 'a', name: 'pi' })]).toEqual([false, 'pi']);
  names.add('Job', { namespace: 'a', name: 'rho' });
  expect([names.several, names.of({ namespace: 'a', name: 'pi' })]).toEqual([true, 'pi']);
  names.see('b');
  expect(names.of({ namespace: 'a', name: 'pi' })).toBe('a/pi');
  expect(['default', 'b'].map((namespace) => scripted({ namespace, name: 'pi' }))).toEqual(['pi', 'b/pi']);
  expect(['BacksOffIndex', 'Waits', 'WaitsForTtl'].map(spelled)).toEqual(['backs off index', 'waits', 'waits for TTL']);
});

test('thousands stand apart', () => {
  for (const count of [0, 7, 100, 999, 1000, 10_000, 123_456, 1_234_567]) expect(grouped(count)).toBe(count.toLocaleString('en'));
});

test('restarts are counted in words', () => {
  expect([0, 1, 2].map(restarts)).toEqual(['', '1 restart', '2 restarts']);
});

test('a problem names its field, unless its message does', () => {
  const wrong = (path: string, message: string) => faulty({ path, message });
  expect(wrong('spec.template.spec.containers[0].name', 'Required value')).toBe('containers[0].name: Required value');
  expect(wrong('spec.jobTemplate.spec.template.spec.containers[1].env[0]', 'Required value')).toBe('containers[1].env[0]: Required value');
  expect(wrong('spec.parralelism', 'unknown field "parralelism"')).toBe('unknown field "parralelism"');
  expect(wrong('', 'not valid YAML')).toBe('not valid YAML');
});

test('pods of Jobs with long names are called by their ends', () => {
  const name = 'a-name-that-is-rather-long-and-says-little';
  expect(withShortPods(`pod ${name}-0-00001 Failed with exit code 1`, false)).toBe('pod …-0-00001 Failed with exit code 1');
  expect(withShortPods(`Counting pod ${name}-x7k2p, which failed`, true)).toBe('Counting pod …s-little-x7k2p, which failed');
  expect(withShortPods('pod pi-0-00001 Ready', false)).toBe('pod pi-0-00001 Ready');
  expect([shortName(name), shortName('pi')]).toEqual(['a-name-that-is-…s-little', 'pi']);
});

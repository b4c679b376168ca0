/** The curves of retries, from what decisions say. */
import { expect, test } from 'vitest';

import { type CurveData, curveText, delays, growth } from '../src/model/retries.ts';
import type { Step } from '../src/protocol.ts';

const job = { kind: 'Job', namespace: 'default', name: 'pi' };
const steps = (...all: Record<string, unknown>[]): Step[] => all.map((values) => ({ entries: [{ type: 'decision', about: job, values }] }) as unknown as Step);
const grown = (attempt: number, to: string, toAmount: number, more = {}) => ({ resource: 'memory', container: 'main', attempt, from: '1Gi', to, fromAmount: 1, toAmount, ...more });
const rows = (curves: CurveData[]): string[] => curves.map((curve) => `${curve.title} | ${curveText(curve)}`);
const line = (curve: CurveData): string => curve.line.map(({ x, y }) => `${x},${y}`).join(' ');

test('delays are those of the decisions, each number of failures once', () => {
  const found = delays(steps({ failures: 2, delay: 20_000 }, { failures: 1, delay: 10_000 }, { failures: 2, delay: 20_000 }, { failures: 3 }), job);
  expect(rows(found)).toEqual(['Delay before the next pod | 1 failure: 10 s; 2 failures: 20 s']);
  expect(delays(steps({ failures: 3 }), job)).toEqual([]);
  expect(delays(steps({ failures: 1, delay: 10_000 }), { ...job, name: 'other' })).toEqual([]);
});

test('each index and each line of the annotation has its own curve of delays', () => {
  const first = { failures: 1, delay: 10_000 };
  const found = delays(steps({ ...first, index: 0 }, { ...first, index: 1, line: 2, delay: 60_000 }, { ...first, line: 3, delay: 5000 }, { ...first, index: 0, failures: 2, delay: 20_000 }), job);
  expect(rows(found)).toEqual([
    'Delay before the next pod of index 0 | 1 failure: 10 s; 2 failures: 20 s',
    'Delay before the next pod of index 1, by line 2 | 1 failure: 1 min',
    'Delay before the next pod, by line 3 | 1 failure: 5 s',
  ]);
});

test('a container has had what its template says until it grew, and what it grew to since', () => {
  const found = growth(steps(grown(3, '2Gi', 2), grown(5, '4Gi', 4)), job);
  expect(rows(found)).toEqual(['Memory of container main | attempt 1: 1Gi; attempt 3: 2Gi; attempt 5: 4Gi']);
  expect(found.map(line)).toEqual(['1,1 2,1 3,2 4,2 5,4']);
});

test('a step between attempts far apart takes two points', () => {
  const [found] = growth(steps(grown(50_000_000, '2Gi', 2), grown(50_000_001, '4Gi', 4)), job);
  expect(found && line(found)).toBe('1,1 49999999,1 50000000,2 50000001,4');
});

test('each index has a curve of its own', () => {
  const found = growth(steps(grown(2, '2Gi', 2, { index: 0 }), grown(2, '2Gi', 2, { index: 1 }), grown(3, '4Gi', 4, { index: 1 })), job);
  expect(found.map((curve) => [curve.title, curve.points.length])).toEqual([['Memory of container main, index 0', 2], ['Memory of container main, index 1', 3]]);
});

/** The curves of retries, from what decisions say. */
import { expect, test } from 'vitest';

import { curveText, delays, growth } from '../src/model/retries.ts';
import type { Step } from '../src/protocol.ts';

const job = { kind: 'Job', namespace: 'default', name: 'pi' };
const steps = (...all: Record<string, unknown>[]): Step[] => all.map((values) => ({ entries: [{ type: 'decision', about: job, values }] }) as unknown as Step);
const grown = (attempt: number, to: string, toAmount: number, more = {}) => ({ resource: 'memory', container: 'main', attempt, from: '1Gi', to, fromAmount: 1, toAmount, ...more });

test('delays are those of the decisions, each number of failures once', () => {
  const found = delays(steps({ failures: 2, delay: 20_000 }, { failures: 1, delay: 10_000 }, { failures: 2, delay: 20_000 }, { failures: 3 }), job);
  expect(found && curveText(found)).toBe('1 failure: 10 s; 2 failures: 20 s');
  expect(delays(steps({ failures: 3 }), job)).toBe(null);
  expect(delays(steps({ failures: 1, delay: 10_000 }), { ...job, name: 'other' })).toBe(null);
});

test('a container has had what its template says until it grew, and what it grew to since', () => {
  const found = growth(steps(grown(3, '2Gi', 2), grown(5, '4Gi', 4)), job);
  expect(found.map((curve) => `${curve.title} | ${curveText(curve)}`)).toEqual(['Memory of container main | attempt 1: 1Gi; attempt 2: 1Gi; attempt 3: 2Gi; attempt 4: 2Gi; attempt 5: 4Gi']);
});

test('each index has a curve of its own', () => {
  const found = growth(steps(grown(2, '2Gi', 2, { index: 0 }), grown(2, '2Gi', 2, { index: 1 }), grown(3, '4Gi', 4, { index: 1 })), job);
  expect(found.map((curve) => [curve.title, curve.points.length])).toEqual([['Memory of container main, index 0', 2], ['Memory of container main, index 1', 3]]);
});

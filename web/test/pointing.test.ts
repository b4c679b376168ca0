/** What the pointer points to on the timeline: a round time, and each of several marks in turn. */
import { expect, test } from 'vitest';

import { following, timeAt } from '../src/timeline/pointing.ts';
import { scale, whole } from '../src/timeline/scale.ts';
import { played, step } from './steps.ts';

const story = played(step(0), step(3100), step(3100), step(20_000));
const all = scale(whole(20_000), 864);
const pointed = (at: number): number => timeAt(story, all, all.x(at), story.lastAt);

test('a time is as round as the eye can tell apart', () => {
  expect([12_000, 11_960, 12_049, 12_090].map(pointed)).toEqual([12_000, 12_000, 12_000, 12_100]);
  expect(timeAt(story, scale({ from: 11_999, to: 12_199 }, 864), 8, story.lastAt)).toBe(12_000);
});

test('a time is that of the step under the pointer, and never outside of the session', () => {
  const coarse = scale(whole(20_000), 100);
  expect([2800, 3000, 3100, 3200, 3600, 19_700].map((at) => timeAt(story, coarse, coarse.x(at + 0.5), story.lastAt))).toEqual([3000, 3100, 3100, 3100, 4000, 19_700]);
  expect([-50, 0, 864, 2000].map((x) => timeAt(story, all, x, story.lastAt))).toEqual([0, 0, 20_000, 20_000]);
});

test('marks that lie on one another are reached in turn', () => {
  const marks = [1, 1, 3].map((number) => ({ at: 0, step: number, kind: 'does' as const, count: 1, label: '' }));
  expect([0, 1, 3, 9].map((from) => following(marks, from)?.step)).toEqual([1, 3, 1, 1]);
  expect(following([], 1)).toBe(undefined);
});

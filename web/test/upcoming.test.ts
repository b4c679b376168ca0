/** What the page says comes next. What has to happen where no time is known, the module says. */
import { expect, test } from 'vitest';

import { upcoming } from '../src/model/upcoming.ts';
import { cronJob, played, step } from './steps.ts';

const awaits = ['Waiting for 1 pod to finish.'];

test('what comes next is a time, a step of the same moment, or what has to happen first', () => {
  const story = played(step(0), step(0, { waits: { at: 5000, reason: 'a pod changed' } }), step(5000, { waits: null, awaits }), step(6000), step(7000, { waits: null }));
  const next = (number: number): string => upcoming(story, number, story.steps[number]?.at ?? 0);
  expect([0, 1, 2, 3].map(next)).toEqual([
    'The next step happens at the same time.',
    'Reconciles again at 0:05, in 5 s: a pod changed',
    'Waiting for 1 pod to finish.',
    '',
  ]);
  expect(next(4)).toBe('');
});

test('times in it are those of the session’s clock', () => {
  const since = ['job/pi will not finish: its pod runs since ', { text: '3:00:00', time: '2026-01-01T03:00:00Z' }, '.'];
  expect(upcoming(played(step(0, { waits: null, awaits: since })), 0, 0)).toBe('job/pi will not finish: its pod runs since 3:00:00.');
  expect(upcoming(played(step(0, { cronJobs: [cronJob({ schedule: '30 8 * * 1', frequent: false, timeZone: 'Europe/Paris' })], waits: null, awaits: since })), 0, 0)).toBe('job/pi will not finish: its pod runs since Thu 1 Jan 04:00.');
});

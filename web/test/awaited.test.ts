/** What the page says the controllers wait for where no time is known at which they sync. */
import { expect, test } from 'vitest';

import { awaited, upcoming } from '../src/model/awaited.ts';
import { Story } from '../src/model/story.ts';
import type { Step } from '../src/protocol.ts';
import { cronJob, job, played, pod, START, step } from './steps.ts';

const complete = [{ type: 'Complete', status: 'True', reason: 'CompletionsReached' }];

test.each<[string, Partial<Step>, string]>([
  ['one active pod', { jobs: [job({ active: 1 })] }, 'Waiting for 1 pod to finish.'],
  ['active and terminating pods of several Jobs', { jobs: [job({ active: 2, terminating: 1 }), job({ name: 'e', active: 1 })] }, 'Waiting for 4 pods to finish.'],
  ['a suspended CronJob with an active Job', { cronJobs: [cronJob({ suspend: true, active: ['hello-1'] })] }, 'Waiting for 1 Job to finish.'],
  ['a suspended Job and CronJob', { jobs: [job({ suspend: true })], cronJobs: [cronJob({ suspend: true })] }, 'Waiting for cronjob/hello, job/pi to be resumed.'],
  ['a Job that nothing moves', { jobs: [job()] }, 'Waiting for a change to job/pi.'],
  ['a Job that has finished', { jobs: [job({ conditions: complete })] }, 'Nothing left to do: every Job has finished.'],
  ['an empty cluster', {}, 'Nothing left to do: there are no Jobs or CronJobs.'],
])('%s', (_name, changes, sentence) => {
  const story = new Story();
  story.add({ start: START, steps: [step(0, changes)], ended: true, paused: false });
  expect(awaited(story, 0)).toBe(sentence);
});

test('pods that outlive their Job are waited for', () => {
  const gone = { jobs: [job({ conditions: complete, gone: true })] };
  const story = played(step(0, { jobs: [job()], pods: [pod('pi-1'), pod('pi-2', { phase: 'Running' }), pod('pi-3', { phase: 'Succeeded' })] }), step(1000, gone), step(2000, { pods: [pod('pi-1', { gone: true }), pod('pi-2', { phase: 'Failed' })] }));
  expect([0, 1, 2].map((number) => awaited(story, number))).toEqual(['Waiting for 2 pods to finish.', 'Waiting for 2 pods to finish.', 'Nothing left to do: there are no Jobs or CronJobs.']);
});

test('what comes next is a time, a step of the same moment, or what has to happen first', () => {
  const story = played(step(0), step(0, { waits: { at: 5000, reason: 'a pod changed' } }), step(5000, { waits: null, jobs: [job({ active: 1 })] }), step(6000));
  const next = (number: number, recorded = false): string => upcoming(story, number, story.steps[number]?.at ?? 0, recorded);
  expect([0, 1, 2, 3].map((number) => next(number))).toEqual([
    'The next step happens at the same time.',
    'Reconciles again at 0:05, in 5 s: a pod changed',
    'Waiting for 1 pod to finish.',
    '',
  ]);
  expect(next(2, true)).toBe('');
});

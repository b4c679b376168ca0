/** What the page says the controllers wait for where no time is known at which they sync. */
import { expect, test } from 'vitest';

import { awaited } from '../src/model/awaited.ts';
import { Story } from '../src/model/story.ts';
import type { Step } from '../src/protocol.ts';
import { cronJob, job, START, step } from './steps.ts';

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

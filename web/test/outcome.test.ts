/** The outcomes of Jobs and CronJobs in words, and the step that decided the first. What they are, the module says. */
import { expect, test } from 'vitest';

import { decisive } from '../src/model/outcome.ts';
import { Story } from '../src/model/story.ts';
import type { Outcome, Part, Step } from '../src/protocol.ts';
import { openings } from '../src/share/files.ts';
import { about, clockUpdate, cronJob, decision, job, module, plan, pod, progress, step } from './steps.ts';

function played(steps: Step[], ...outcomes: Outcome[]): Story {
  const story = new Story();
  story.add(progress(steps, { outcomes }));
  return story;
}

const at = (text: string, minutes: number): Part => ({ text, time: new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString() });

function failed(name: string, step: number): Outcome {
  return { kind: 'Job', namespace: 'default', name, state: 'failed', facts: [['Failed at ', at('2:00', 2)], ['1 pod']], decided: { question: ['Why it failed'], step } };
}

test('an outcome has its times by the clock of the session', () => {
  const facts = (changes: Partial<Step>) => played([step(0, changes)], failed('pi', 0)).outcomes.map((outcome) => outcome.facts);
  expect(facts({})).toEqual([['Failed at 2:00', '1 pod']]);
  expect(facts({ clock: clockUpdate('Europe/Paris') })).toEqual([['Failed at Thu 1 Jan 01:02', '1 pod']]);
});

test('each piece of a play has the outcomes so far', () => {
  const story = played([step(0)], { ...failed('pi', 0), state: 'running', facts: [['Running at ', at('0:00', 0)]], decided: null });
  story.add(progress([step(120_000)], { outcomes: [failed('pi', 1)] }));
  expect(story.outcomes.map(({ object, state, decided }) => [object.name, state, decided])).toEqual([['pi', 'failed', { question: 'Why it failed', step: 1 }]]);
});

test('the step that decided the first outcome is the decisive one, and else the one in which most was decided', () => {
  const steps = [step(0, { jobs: [job()], pods: [pod('pi-a')] }), plan(0, about('pi'), decision('Creates 1 pod')), step(9000)];
  const undecided: Outcome = { ...failed('a', 0), decided: null };
  expect(decisive(played(steps, undecided, failed('b', 2), failed('c', 0)))).toBe(2);
  expect(decisive(played(steps, undecided))).toBe(1);
});

test('of a CronJob, where its last run began is shown, not what was deleted after it', () => {
  const hello = { kind: 'CronJob', namespace: 'default', name: 'hello' };
  const starts = (at: number) => plan(at, hello, decision('Starting', { about: hello, run: at }));
  const cleans = plan(9000, hello, decision('Deleting 1 successful Job', { about: hello }), decision('Next run', { about: hello, role: 'wait' }));
  const undecided: Outcome = { ...failed('hello', 0), kind: 'CronJob', decided: null };
  expect(decisive(played([step(0, { cronJobs: [cronJob()] }), starts(1000), starts(2000), cleans], undecided))).toBe(2);
});

test('a manifest that is opened as a file shows its outcome', async () => {
  expect((await openings(module, 'job.yaml', 'kind: Job\n')).map(({ seek }) => seek)).toEqual([{ to: 'outcome' }]);
});

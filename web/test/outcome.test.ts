/** The outcomes of Jobs and CronJobs, and which step decided each. */
import { describe, expect, test } from 'vitest';

import { decisive, outcomes } from '../src/model/outcome.ts';
import { Story } from '../src/model/story.ts';
import type { DecisionEntry, JobView, ObjectRef, Step } from '../src/protocol.ts';
import { openings } from '../src/share/files.ts';
import { about, cronJob, decision, job, module, plan, pod, START, step } from './steps.ts';

function played(steps: Step[], ended = true): Story {
  const story = new Story();
  story.add({ start: START, steps, ended, paused: !ended });
  return story;
}

/** The first outcome in words, and the question with the step that answers it. */
function first(story: Story): [string, string | null] {
  const [{ facts, decided } = { facts: [], decided: null }] = outcomes(story);
  return [facts.join(' · '), decided && `${decided.question}: ${decided.step}`];
}

const condition = (type: string, reason: string): Partial<JobView> => ({ conditions: [{ type, status: 'True', reason }] });
const failed = job(condition('Failed', 'BackoffLimitExceeded'));
const created = step(0, { jobs: [job()], pods: [pod('pi-a')] });

/** Steps in which a Job is created, gets a pod, and ends by a decision. */
function ending(changes: Partial<DecisionEntry>, end: JobView): Story {
  const ends = { ...plan(46_000, about('pi'), decision('It ends', changes)), jobs: [job()] };
  return played([created, ends, step(47_000, { jobs: [end] }), plan(47_000, about('pi'), decision('Leaving it alone', { role: 'routine' }))]);
}

describe('a Job that has finished', () => {
  test('has the verdict of the decision that ended it, and else the reason of its condition', () => {
    expect(first(ending({ verdict: 'backoffLimit (3) exceeded' }, failed))).toEqual(['Failed at 0:47 · backoffLimit (3) exceeded · 1 pod', 'Why it failed: 1']);
    expect(first(ending({}, failed))).toEqual(['Failed at 0:47 · BackoffLimitExceeded · 1 pod', 'Why it failed: 2']);
    expect(first(ending({ verdict: '3/3 succeeded' }, job(condition('Complete', 'CompletionsReached'))))).toEqual(['Complete at 0:47 · 3/3 succeeded · 1 pod', 'Why it is complete: 1']);
  });

  test('names the indexes that failed as its status does, and leaves out what is too long', () => {
    const named = (after: string) => first(played([created, step(47_000, { jobs: [{ ...failed, changes: [{ path: 'status.failedIndexes', before: null, after }] }] })]))[0];
    expect(named('1')).toBe('Failed at 0:47 · BackoffLimitExceeded · failed index 1 · 1 pod');
    expect(named('1,3-5')).toBe('Failed at 0:47 · BackoffLimitExceeded · failed indexes 1,3-5 · 1 pod');
    expect(named('100-150,200,210-215,220,230')).toBe('Failed at 0:47 · BackoffLimitExceeded · failed indexes 100-150,200,210-215,220,… · 1 pod');
  });

  test('before the session began has no step that decided it', () => {
    expect(first(played([step(0, { kind: 'found', jobs: [failed] }), plan(0, about('pi'))]))).toEqual(['Already Failed at the start · BackoffLimitExceeded · 0 pods', null]);
  });

  test('shows its deletion, and one that is created again is another Job', () => {
    const [deleting, gone] = [step(60_000, { jobs: [{ ...failed, deleting: true }] }), step(61_000, { jobs: [{ ...failed, deleting: true, gone: true }] })];
    const steps = [created, step(47_000, { jobs: [failed] }), deleting];
    expect(first(played(steps))[0]).toBe('Failed at 0:47 · BackoffLimitExceeded · 1 pod · deletion started at 1:00');
    expect(first(played([...steps, gone]))[0]).toBe('Failed at 0:47 · BackoffLimitExceeded · 1 pod · deleted 1:00');
    expect(first(played([...steps, gone, step(70_000, { jobs: [job()] })], false))).toEqual(['Running at 1:10 · 0 pods', null]);
  });
});

describe('a Job that has not finished', () => {
  const waits = (changes: Partial<DecisionEntry> = {}) => plan(1000, about('pi'), decision('Not creating pods', { role: 'wait', ...changes }));

  test('still runs while its pods do', () => {
    const pods = [pod('pi-a', { phase: 'Running' }), pod('pi-b')];
    expect(first(played([created, waits(), step(2000, { pods })]))).toEqual(['Still running · waiting for 2 pods to finish · 2 pods', null]);
    expect(first(played([created, waits(), step(2000, { pods })], false))).toEqual(['Running at 0:02 · 2 pods', null]);
  });

  test('is stuck on pods that never start, and else on what its controller waits for', () => {
    expect(first(played([created, waits(), plan(5000, about('pi'), decision('Writing', { role: 'routine', minor: true }))]))).toEqual(['Stuck since 0:01 · 1 pod still Pending · 1 pod', 'Why it is stuck: 1']);
    expect(first(played([step(0, { jobs: [job()] }), waits(), plan(5000, about('pi'))]))).toEqual(['Stuck since 0:01 · Not creating pods · 0 pods', 'Why it is stuck: 1']);
    expect(first(played([step(0, { jobs: [job()] })]))).toEqual(['Stuck from the start · 0 pods', null]);
  });

  test('is suspended since it was suspended last, for the reason of the controller', () => {
    const suspends = step(3000, { kind: 'action', jobs: [job({ suspend: true })] });
    expect(first(played([created, suspends, step(4000, { jobs: [job({ suspend: true, active: 1 })] }), waits()]))).toEqual(['Suspended since 0:03 · 1 pod', 'Why it is suspended: 3']);
    expect(first(played([created, suspends]))[1]).toBe('Why it is suspended: 1');
  });

  test('was deleted', () => {
    const deletes = step(2000, { kind: 'action', jobs: [job({ deleting: true })] });
    expect(first(played([created, deletes]))).toEqual(['Deletion started at 0:02 · 1 pod', 'Why it was deleted: 1']);
    expect(first(played([created, deletes, step(3000, { jobs: [job({ deleting: true, gone: true })] })]))).toEqual(['Deleted at 0:02 · 1 pod', 'Why it was deleted: 1']);
  });
});

describe('a CronJob', () => {
  const hello: ObjectRef = { kind: 'CronJob', namespace: 'default', name: 'hello' };
  const MINUTE = 60_000;
  const run = (minute: number, changes: Partial<JobView> = {}) => job({ name: `hello-${minute}`, cronJob: 'hello', scheduledAt: minute * MINUTE, ...changes });
  const starts = (minute: number): Step => ({ ...plan(minute * MINUTE, hello, decision('Starting', { about: hello, run: minute * MINUTE })), jobs: [run(minute)] });
  const skips = (minute: number, until?: number): Step => plan(minute * MINUTE, hello, decision('Not starting', { about: hello, role: 'wait', run: minute * MINUTE, ...(until === undefined ? {} : { until }) }));
  const there = step(0, { cronJobs: [cronJob()] });

  test('has runs that started, were skipped, wait and failed', () => {
    const ends = plan(MINUTE + 4000, about('hello-1'), decision('It fails', { verdict: 'backoffLimit (0) exceeded' }));
    const end = step(MINUTE + 5000, { jobs: [run(1, condition('Failed', 'BackoffLimitExceeded'))] });
    expect(first(played([there, starts(1), ends, end, skips(2), starts(3), skips(4)], false))).toEqual(['1 of 2 runs failed by 4:00 · 1 skipped · 1 waiting', 'Why the run scheduled for 1:00 failed: 2']);
    expect(first(played([there, starts(1), skips(2, 3 * MINUTE)], false))).toEqual(['1 run started by 2:00 · 1 skipped', 'Why the run scheduled for 2:00 was skipped: 2']);
    expect(first(played([there, starts(1)], false))).toEqual(['1 run started by 1:00', null]);
  });

  test('is suspended or deleted', () => {
    const suspended = step(2 * MINUTE, { cronJobs: [cronJob({ suspend: true })] });
    expect(first(played([there, starts(1), suspended]))).toEqual(['Suspended since 2:00 · 1 run started', 'Why it is suspended: 2']);
    expect(first(played([there, starts(1), step(2 * MINUTE, { cronJobs: [cronJob({ deleting: true, gone: true })] })]))[0]).toBe('Deleted at 2:00 · 1 run started');
  });
});

test('what failed comes first, and its step is the decisive one', () => {
  const complete = { ...job(condition('Complete', '')), name: 'a' };
  const ends = plan(6000, about('b'), decision('It fails', { verdict: 'backoffLimit (0) exceeded' }));
  const story = played([step(0, { jobs: [job({ name: 'a' }), job({ name: 'b' })] }), step(5000, { jobs: [complete] }), ends, step(6000, { jobs: [{ ...failed, name: 'b' }] })]);
  expect(outcomes(story).map(({ object, state }) => [object.name, state])).toEqual([['b', 'failed'], ['a', 'complete']]);
  expect(decisive(story)).toBe(2);
  expect(decisive(played([created, plan(0, about('pi'), decision('Creates 1 pod')), step(9000)], false))).toBe(1);
});

test('a manifest that is opened as a file shows its outcome', async () => {
  expect((await openings(module, 'job.yaml', 'kind: Job\n')).map(({ seek }) => seek)).toEqual([{ to: 'outcome' }]);
});

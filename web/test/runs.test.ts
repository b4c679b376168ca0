/** What is shown of CronJobs: their runs, the Jobs that came of them, and which of these have rows. */
import { describe, expect, test } from 'vitest';

import { engine } from '../plugins/module.ts';
import { ELAPSED } from '../src/model/clock.ts';
import { countsAt, cronJobAt, nextRunAt, rescheduled } from '../src/model/runs.ts';
import { Story } from '../src/model/story.ts';
import type { JobView, ObjectRef, Progress, RunView, Step } from '../src/protocol.ts';
import { runHint } from '../src/timeline/hint.ts';
import { bandLanes } from '../src/timeline/lanes.ts';
import { alike, type Line, lines } from '../src/timeline/tree.ts';
import { about, cronJob, decision, job, plan, pod, progress, step } from './steps.ts';

const hello: ObjectRef = { kind: 'CronJob', namespace: 'default', name: 'hello' };
const MINUTE = 60_000;

function played(...steps: Step[]): Story {
  const story = new Story();
  story.add(progress(steps, { ended: false, paused: true }));
  return story;
}

function run(minute: number, changes: Partial<JobView> = {}): JobView {
  return job({ name: `hello-${minute}`, cronJob: 'hello', scheduledAt: minute * MINUTE, ...changes });
}

/** The steps of a run: it is started, its pod is there, and it is complete. */
function ran(minute: number): Step[] {
  const at = minute * MINUTE;
  const complete = [{ type: 'Complete', status: 'True', reason: '' }];
  return [
    { ...plan(at, hello, decision('Starting', { about: hello, run: at })), jobs: [run(minute)] },
    step(at, { pods: [pod(`hello-${minute}-a`, { job: `hello-${minute}` })] }),
    { ...plan(at, hello, decision('Not starting a Job', { about: hello, role: 'wait', until: at + MINUTE })) },
    step(at + 5000, { jobs: [run(minute, { conditions: complete })] }),
  ];
}

const first = step(0, { cronJobs: [cronJob()] });
const shown = (all: Line[]): string[] => all.map((line) => (line.kind === 'cronJob' ? line.cronJob.name : line.kind === 'job' ? `- ${line.job.name}` : `-- ${line.row.label}`));

test('the next run is not decided while the controllers have not seen another schedule', () => {
  const waits = (at: number, until: number) => plan(at, hello, decision('Not starting a Job', { about: hello, role: 'wait', until }));
  const edited = cronJob({ schedule: '@hourly' });
  const [known] = played(first, waits(0, MINUTE), step(1000, { cronJobs: [edited] }), waits(1000, 60 * MINUTE), step(2000, { cronJobs: [{ ...edited, lastScheduleTime: 0 }] })).runs.cronJobs;
  expect(known && [0, 1, 2, 3, 4].map((number) => rescheduled(known, number))).toEqual([false, false, true, false, false]);
});

describe('a run', () => {
  const skipped = plan(2 * MINUTE, hello, decision('Not starting', { about: hello, role: 'wait', run: 2 * MINUTE }));

  test('has its Job, from its creation to its deletion', () => {
    const story = played(first, ...ran(1), step(9 * MINUTE, { jobs: [run(1, { deleting: true, gone: true })] }));
    const [made] = story.runs.cronJobs[0]?.runs ?? [];
    expect(made).toMatchObject({ scheduledAt: MINUTE, job: { created: { at: MINUTE }, finished: { at: MINUTE + 5000, succeeded: true }, gone: { at: 9 * MINUTE } } });
    expect(made && runHint(made, ELAPSED)).toBe('1:00 run: hello-1: started 1:00, Complete 1:05, deleted 9:00');
  });

  test('that starts late says what it waited for', () => {
    const active: ObjectRef = { kind: 'Job', namespace: 'default', name: 'hello-1' };
    const parts = ['Not starting the run scheduled for ', { text: '2:00', time: '2026-01-01T00:02:00Z' }, ' while Job ', { text: 'hello-1', object: active }, ' is active: ', { text: 'concurrencyPolicy', field: 'spec.concurrencyPolicy' }, ' is Forbid'];
    const waits = plan(2 * MINUTE, hello, decision('', { about: hello, role: 'wait', run: 2 * MINUTE, parts }));
    const late = { ...plan(3 * MINUTE, hello, decision('Starting', { about: hello, run: 2 * MINUTE })), jobs: [run(2)] };
    expect(played(first, ...ran(1), waits, late).runs.cronJobs[0]?.runs.at(-1)?.waited).toBe('Waited while Job hello-1 was active: concurrencyPolicy is Forbid');
  });

  test('whose Job is deleted has the reason, and the field that had it deleted', () => {
    const removed = { field: 'successfulJobsHistoryLimit', reason: ['Deleting 1 successful Job'] };
    const story = played(first, ...ran(1), step(9 * MINUTE, { jobs: [run(1, { deleting: true, gone: true, removed })] }));
    const [made] = story.runs.cronJobs[0]?.runs ?? [];
    expect(made?.job?.removed).toEqual({ field: 'successfulJobsHistoryLimit', reason: 'Deleting 1 successful Job' });
    expect(made && runHint(made, ELAPSED)).toBe('1:00 run: hello-1: started 1:00, Complete 1:05, deleted 9:00 (Deleting 1 successful Job)');
  });

  test('whose Job somebody deletes has no field for it', () => {
    const story = played(first, ...ran(1), step(9 * MINUTE, { kind: 'action', jobs: [run(1, { deleting: true, gone: true })] }));
    expect(story.runs.cronJobs[0]?.jobs[0]?.removed).toBe(null);
  });

  test('that starts no Job has the reason', () => {
    const [made] = played(first, skipped).runs.cronJobs[0]?.runs ?? [];
    expect(made && [made.job, runHint(made, ELAPSED)]).toEqual([null, '2:00 run: Not starting']);
  });

  test('has its outcome and is late as the module says, and the runs are counted at each time', () => {
    const counts = { started: 1, skipped: 0, replaced: 0, overlapping: 0 };
    const view: RunView = { namespace: 'default', name: 'hello', scheduledAt: MINUTE, outcome: 'succeeded', words: 'Complete', late: 2000, started: '2 s late', counts };
    const story = played(first, ...ran(1), step(2 * MINUTE, { runs: [view] }));
    const [known] = story.runs.cronJobs;
    expect(known?.runs[0]).toMatchObject({ outcome: 'succeeded', late: 2000 });
    expect(known && [countsAt(known, MINUTE).started, countsAt(known, 2 * MINUTE).started]).toEqual([0, 1]);
  });

  test('that nobody decided about was missed', () => {
    const counts = { started: 0, skipped: 1, replaced: 0, overlapping: 0 };
    const view: RunView = { namespace: 'default', name: 'hello', scheduledAt: MINUTE, outcome: 'skipped', words: 'skipped: missed', late: null, started: '-', counts };
    const [missed] = played(first, step(2 * MINUTE, { runs: [view] })).runs.cronJobs[0]?.runs ?? [];
    expect(missed && [missed.outcome, runHint(missed, ELAPSED)]).toEqual(['skipped', '1:00 run: skipped: missed']);
  });

  test('that waits first has the Job that it starts in the end', () => {
    const late = { ...plan(3 * MINUTE, hello, decision('Starting', { about: hello, run: 2 * MINUTE })), jobs: [run(2)] };
    const story = played(first, skipped, late);
    expect(story.runs.cronJobs[0]?.runs.map((made) => made.job?.created.at)).toEqual([3 * MINUTE]);
    expect([0, 1, 2].map((number) => story.runs.next(number))).toEqual([1, 2, -1]);
  });

  test('is followed by the next one', () => {
    const story = played(first, ...ran(1), ...ran(2));
    const [known] = story.runs.cronJobs;
    expect([story.runs.next(0), story.runs.next(1), story.runs.next(5)]).toEqual([1, 5, -1]);
    expect([story.runs.previous(1), story.runs.previous(3), story.runs.previous(5), story.runs.previous(8)]).toEqual([-1, 1, 1, 5]);
    expect(known && [2, 3, 7].map((number) => nextRunAt(known, number))).toEqual([null, 2 * MINUTE, 3 * MINUTE]);
    expect(story.bands).toEqual([]);
  });
});

describe('rows', () => {
  const many = played(first, ...[1, 2, 3, 4, 5, 6].flatMap(ran), step(7 * MINUTE, { jobs: [1, 2, 3].map((minute) => run(minute, { gone: true })) }));

  test('are the CronJob, its Jobs, and their pods', () => {
    const story = played(first, ...ran(1), ...ran(2), step(9, { pods: [pod('pi-a')], jobs: [job()] }));
    expect(shown(lines(story, 0, new Set()))).toEqual(['hello', '- hello-1', '-- …-a', '- hello-2', '-- …-a', '-- …-a']);
  });

  test('are those of Jobs that exist at the step, where there are many', () => {
    expect(shown(lines(many, 0, new Set()))).toEqual(['hello']);
    expect(shown(lines(many, 5, new Set()))).toEqual(['hello', '- hello-1', '-- …-a', '- hello-2', '-- …-a']);
    expect(shown(lines(many, many.steps.length - 1, new Set())).filter((name) => name.startsWith('- '))).toEqual(['- hello-4', '- hello-5', '- hello-6']);
    expect(lines(many, 0, new Set(['CronJob default/hello']))).toHaveLength(13);
  });

  test('are drawn again only when others are shown', () => {
    const at = (number: number, unfolded: string[] = []): Line[] => lines(many, number, new Set(unfolded));
    expect([alike(at(1), at(2)), alike(at(1), at(5)), alike(at(0), at(0, ['CronJob default/hello']))]).toEqual([true, false, false]);
  });

  test('of very many pods are folded', () => {
    const pods = Array.from({ length: 20 }, (_, index) => pod(`hello-1-${index}`, { job: 'hello-1', index }));
    const story = played(first, ...ran(1).slice(0, 1), step(MINUTE, { pods }));
    const [, line] = lines(story, 2, new Set());
    expect(shown(lines(story, 2, new Set()))).toEqual(['hello', '- hello-1']);
    expect(lines(story, 2, new Set([line?.key ?? '']))).toHaveLength(22);
  });
});

test('what holds for a CronJob is a band, and what its Jobs wait for is in their rows', () => {
  const keeps = { ...plan(2 * MINUTE, about('hello-1'), decision('Keeping', { about: about('hello-1'), role: 'wait', until: 3 * MINUTE })), controller: 'ttl' };
  const story = played(first, ...ran(1), keeps, step(3 * MINUTE, { cronJobs: [cronJob({ suspend: true })] }), step(4 * MINUTE, { cronJobs: [cronJob({ suspend: true, gone: true })] }));
  expect(bandLanes(story.bands, story.names).map((lane) => [lane.label, lane.bands.map((band) => band.until?.at)])).toEqual([['hello spec.suspend', [4 * MINUTE]]]);
  expect(story.runs.job(about('hello-1'))?.delays.map((band) => band.until?.at)).toEqual([3 * MINUTE]);
  expect([story.jobsAt(3), story.keptUntil(about('hello-1'), { at: 2 * MINUTE, step: 5 })]).toEqual([[], 3 * MINUTE]);
  const [known] = story.runs.cronJobs;
  expect(known && [5, 6, 7].map((number) => cronJobAt(known, number)?.suspend)).toEqual([false, true, undefined]);
});

test('a field of a Job is written in the template of its CronJob', () => {
  const { runs } = played(first, ...ran(1));
  expect(runs.written('spec.backoffLimit', about('hello-1'))).toEqual({ path: 'spec.jobTemplate.spec.backoffLimit', object: hello });
  expect(runs.written('spec.schedule', hello)).toEqual({ path: 'spec.schedule', object: hello });
});

test('a session begins with the objects of its manifest, which is nothing that a person did', () => {
  const job = 'jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: i}]}}}}';
  const opened = engine().open({ play: -2, size: 1, runs: 0, until: 0, manifest: `{apiVersion: batch/v1, kind: CronJob, metadata: {name: hello}, spec: {schedule: "* * * * *", ${job}}}`, script: '' });
  if ('problems' in opened) throw new Error(opened.problems[0]?.message);
  const [first] = (JSON.parse(opened.progress) as Progress).steps;
  expect(first && [first.kind, first.action, first.entries.map(({ text }) => text)]).toEqual(['applied', undefined, ['cronjob hello: created']]);
});

/** What is drawn of a play follows from its steps. */
import { describe, expect, test } from 'vitest';

import { bandSentence, bandText } from '../src/model/bands.ts';
import { ELAPSED } from '../src/model/clock.ts';
import { end, podAt, title } from '../src/model/bars.ts';
import type { Story } from '../src/model/story.ts';
import type { DecisionEntry, Fault, PodView, Step } from '../src/protocol.ts';
import { podState } from '../src/model/words.ts';
import { bandLanes } from '../src/timeline/lanes.ts';
import { about, decision, job, plan, played, pod, step } from './steps.ts';

describe('bars', () => {
  test('of an index follow one another in its row', () => {
    const story = played(
      step(0, { pods: [pod('pi-1-a', { index: 1 }), pod('pi-0-a', { index: 0 })] }),
      step(5, { pods: [pod('pi-1-a', { index: 1, phase: 'Failed', exitCode: 42 })] }),
      step(9, { pods: [pod('pi-1-b', { index: 1, attempt: 2 })] }),
    );
    expect(story.bars.rows().map((row) => [row.label, row.bars.map((bar) => bar.name)])).toEqual([['index 0', ['pi-0-a']], ['index 1', ['pi-1-a', 'pi-1-b']]]);
    expect(story.bars.byPod.get('default/pi-1-a')).toMatchObject({ exitCode: 42, ended: { at: 5, step: 1 } });
  });

  test('without an index have a row each', () => {
    const story = played(step(0, { pods: [pod('pi-a'), pod('pi-b')] }));
    expect(story.bars.rows().map((row) => row.label)).toEqual(['…-a', '…-b']);
  });

  test('know readiness, restarts, deletion and the finalizer', () => {
    const story = played(
      step(0, { pods: [pod('a')] }),
      step(1, { pods: [pod('a', { phase: 'Running', ready: true })] }),
      step(2, { pods: [pod('a', { phase: 'Running', restarts: 1, restarted: [{ container: 'main', exitCode: 7, at: 2, step: 2 }] })] }),
      step(3, { pods: [pod('a', { phase: 'Running', restarts: 1, deleting: true })] }),
      step(4, { pods: [pod('a', { phase: 'Running', restarts: 1, deleting: true, held: false, gone: true })] }),
    );
    const bar = story.bars.byPod.get('default/a');
    expect(bar?.phases.map((phase) => phase.phase)).toEqual(['Pending', 'Ready', 'Running']);
    expect(bar?.restarts).toEqual([{ at: 2, step: 2, container: 'main', exitCode: 7 }]);
    expect([bar?.deleting?.at, bar?.released?.at, bar && end(bar)]).toEqual([3, 4, 4]);
    expect(bar && podAt(bar, 3)?.deleting).toBe(true);
    expect(bar && podAt(bar, 4)).toBe(null);
  });
});

describe('a container that is restarted in its pod', () => {
  const running = (at: number, changes: Partial<PodView> = {}) => step(at, { pods: [pod('a', { phase: 'Running', ...changes })] });
  const restarted = (exitCode: number) => [{ container: 'main', exitCode, at: 4000, step: 0 }];
  const waiting = running(5000, { restarted: restarted(7), restartsAt: 15_000 });

  test('waits until its next start', () => {
    const known = played(running(0), waiting, running(15_000)).bars.byPod.get('default/a');
    expect(known?.phases.map(({ phase, at, planned }) => [phase, at, planned])).toEqual([['Running', 0, undefined], ['Waiting', 5000, 15_000], ['Running', 15_000, undefined]]);
    expect(known?.restarts).toEqual(restarted(7));
  });

  test('is a failure, unless it ended with 0', () => {
    const story = played(running(0), waiting, running(15_000));
    expect([story.bars.failures.after(0)?.step, story.bars.failures.after(1)]).toEqual([1, undefined]);
    expect(played(running(0), running(1000, { restarted: restarted(0) })).bars.failures.any).toBe(false);
  });

  test('is told apart from one that runs', () => {
    const [view] = waiting.pods;
    expect(view && podState(view)).toEqual(['Running', 'waiting to restart (CrashLoopBackOff)']);
  });
});

describe('bands', () => {
  test('are the time in which a condition holds', () => {
    const suspended = { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: '' };
    const story = played(
      step(0, { jobs: [job({ conditions: [suspended], suspend: true })] }),
      step(7, { jobs: [job({ conditions: [{ ...suspended, status: 'False' }] })] }),
    );
    expect(story.bands.map(({ label, from, until }) => [label, from.at, until?.at])).toEqual([['Suspended: JobSuspended', 0, 7], ['suspend: true', 0, 7]]);
  });

  const waits = (changes: Partial<DecisionEntry> = {}) => decision('Waits', { code: 'BacksOff', role: 'wait', since: 5000, until: 15_000, ...changes });

  test('are waits whose end is known, each once', () => {
    const story = played(plan(6000, about('pi'), waits()), plan(7000, about('pi'), waits(), decision('Waits', { role: 'wait' })));
    expect(story.bands).toMatchObject([{ kind: 'delay', title: 'backs off', about: { name: 'pi' }, from: { at: 5000, step: 0 }, until: { at: 15_000, step: 1 } }]);
  });

  test('that concern an index are in its row', () => {
    const story = played(step(0, { pods: [pod('a', { index: 1 })] }), plan(6000, about('pi'), waits({ values: { index: 1 } })));
    expect(story.bands).toEqual([]);
    expect(story.bars.row(about('pi'), 1)?.waits).toMatchObject([{ from: 5000, until: 15_000 }]);
  });

  test('end when the controller does not name them any more', () => {
    const times = (story: Story) => story.bands.map((band) => [band.from.at, band.until?.at]);
    const [names, creates] = [plan(6000, about('pi'), waits()), plan(8000, about('pi'), decision('Creates 1 pod'))];
    expect(times(played(names, creates))).toEqual([[5000, 8000]]);
    expect(times(played(names, creates, plan(9000, about('pi'), waits())))).toEqual([[5000, 15_000]]);
    const elsewhere = [plan(8000, about('rho')), plan(8000, about('pi', 'b')), { ...plan(8000, about('pi')), controller: 'ttl' }];
    expect(times(played(names, ...elsewhere))).toEqual([[5000, 15_000]]);
  });

  test('show what was planned when a wait was cut short', () => {
    const texts = (...steps: Step[]) => played(...steps).bands.map((band) => bandText(band, 0, ELAPSED));
    const [names, creates] = [plan(6000, about('pi'), waits()), plan(8000, about('pi'), decision('Creates 1 pod'))];
    expect(texts(names)).toEqual(['until 0:15']);
    expect(texts(names, creates)).toEqual(['until 0:08 (planned until 0:15)']);
    expect(texts(names, plan(16_000, about('pi')))).toEqual(['until 0:15']);
  });

  test('go on when only one plan leaves a wait out that has no beginning', () => {
    const deadline = (at: number) => plan(at, about('pi'), decision('Deadline', { role: 'wait', until: 15_000 }));
    const story = played(deadline(0), plan(0, about('pi')), deadline(1000));
    expect(story.bands.map((band) => [band.from.at, band.until?.at])).toEqual([[0, 15_000]]);
  });

  test('are faults that last, each until the next one of its kind', () => {
    const fault = (at: number, kind: Fault['kind'], until: number) => step(at, { kind: 'action', fault: { kind, from: Math.min(at, until), until } });
    const story = played(fault(1000, 'watchCut', 31_000), fault(2000, 'controllerPaused', 12_000), fault(5000, 'watchDelayed', 10_000), step(3_605_000, { kind: 'action', fault: { kind: 'clockAdvanced', from: 5000, until: 3_605_000 } }));
    expect(story.bands.map((band) => bandSentence(band, story, story.lastAt))).toEqual([
      'watch disconnected for 30 s until 0:05 (planned until 0:31)', 'controller paused for 10 s until 0:12', 'watch delayed by 5 s until 0:10', 'clock advanced by 60 min',
    ]);
    expect(bandLanes(story.bands, story.names).map((lane) => [lane.label, lane.bands.length])).toEqual([['watch', 2], ['controller', 1], ['clock', 1]]);
  });

  test('in the row of an index end with its Job, or with the next attempt', () => {
    const wait = [step(0, { pods: [pod('a', { index: 1 })] }), plan(6000, about('pi'), waits({ values: { index: 1 } }))];
    const ends = (...steps: Step[]) => played(...wait, ...steps).bars.row(about('pi'), 1)?.waits.map(({ until, planned }) => [until, planned]);
    const failing = { type: 'FailureTarget', status: 'True', reason: 'DeadlineExceeded' };
    expect(ends()).toEqual([[15_000, 15_000]]);
    expect(ends(step(9000, { jobs: [job({ conditions: [failing] })] }))).toEqual([[9000, 15_000]]);
    expect(ends(step(9000, { jobs: [job({ gone: true })] }))).toEqual([[9000, 15_000]]);
    expect(ends(step(9000, { pods: [pod('b', { index: 1, attempt: 2 })] }))).toEqual([[9000, 15_000]]);
    expect(ends(step(9000, { jobs: [job({ conditions: [{ ...failing, type: 'Suspended' }] })] }), step(9000, { jobs: [job({ name: 'rho', gone: true })] }))).toEqual([[15_000, 15_000]]);
  });
});

describe('two Jobs of one name', () => {
  const rows = (story: Story) => story.bars.rows().map((row) => [title(row, story.names), row.bars.length]);
  const pods = (namespace: string) => step(1, { jobs: [job({ namespace })], pods: [pod(`${namespace}-x`, { namespace, index: 0 })] });

  test('have rows and bands of their own', () => {
    const wait = (namespace: string, end: number) => plan(2, about('pi', namespace), decision('Waits', { about: about('pi', namespace), role: 'wait', until: end }));
    const alone = played(pods('a'), wait('a', 10));
    expect(rows(alone)).toEqual([['index 0', 1]]);
    expect(bandLanes(alone.bands, alone.names).map((lane) => lane.label)).toEqual(['creates']);
    const story = played(pods('a'), pods('b'), wait('a', 10), wait('b', 20));
    expect(rows(story)).toEqual([['a/pi index 0', 1], ['b/pi index 0', 1]]);
    expect(bandLanes(story.bands, story.names).map((lane) => [lane.label, lane.bands.map((band) => band.until?.at)])).toEqual([['a/pi creates', [10]], ['b/pi creates', [20]]]);
  });
});

describe('steps', () => {
  const story = played(
    step(0, { kind: 'action', entries: [{ type: 'job', text: 'job pi: created' }], jobs: [job()] }),
    step(0, { kind: 'plan', entries: [decision('Creates 1 pod')], waits: { at: 9, reason: 'of it' } }),
    step(4, { kind: 'plan', entries: [decision('Routine', { minor: true }), { type: 'request', text: 'PUT /x: conflict', method: 'PUT', path: '/x', outcome: 'conflict' }] }),
    step(8, { jobs: [job({ active: 1 })], waits: null }),
  );

  test('are found by their time', () => {
    expect([-1, 0, 3, 4, 99].map((at) => story.stepAt(at))).toEqual([-1, 1, 1, 2, 3]);
    expect([-1, 0, 3, 4, 99].map((at) => story.firstAt(at))).toEqual([0, 0, 2, 2, 4]);
  });

  test('lead to the next decision that is not routine', () => {
    expect([story.nextDecision(0), story.nextDecision(1), story.interesting()]).toEqual([1, 3, 1]);
  });

  test('know what is waited for, and how the Jobs are', () => {
    expect([0, 1, 2, 3].map((number) => story.waitsAfter(number)?.at ?? null)).toEqual([null, 9, 9, null]);
    expect([2, 3].map((number) => story.jobsAt(number)[0]?.active)).toEqual([0, 1]);
  });

  test('are marked by what is in them', () => {
    expect(story.marks.map((mark) => [mark.step, mark.kind])).toEqual([[0, 'action'], [1, 'does'], [2, 'refused']]);
  });
});

test('a Job that is deleted after its time shows until when it is kept, and its deletion', () => {
  const complete = job({ expires: true, conditions: [{ type: 'Complete', status: 'True', reason: '' }] });
  const story = played(
    step(6000, { jobs: [complete] }),
    { ...plan(6000, about('pi'), decision('Keeping', { code: 'WaitsForTtl', role: 'wait', since: 6000, until: 106_000 })), controller: 'ttl' },
    step(106_000, { jobs: [{ ...complete, deleting: true }] }),
    step(107_000, { jobs: [{ ...complete, deleting: true, gone: true }] }),
  );
  expect([0, 1].map((number) => story.keptUntil(about('pi'), { at: 6000, step: number }))).toEqual([null, 106_000]);
  expect(story.bands.map(({ title, label, from, until }) => [title, label, from.at, until?.at])).toEqual([
    ['Complete', 'Complete', 6000, 107_000], ['waits for TTL', 'kept', 6000, 106_000], ['deletion', 'deleted', 106_000, undefined],
  ]);
  expect(story.bands.map((band) => [bandText(band, story.lastAt, ELAPSED), bandSentence(band, story, story.lastAt)])[1]).toEqual(['kept until 1:46', 'kept until 1:46']);
  const kept = played(step(6000, { jobs: [{ ...complete, expires: false }] }), step(9000, { jobs: [{ ...complete, expires: false, gone: true }] }));
  expect(kept.bands.map((band) => band.title)).toEqual(['Complete']);
});

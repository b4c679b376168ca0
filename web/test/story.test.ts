/** What is drawn of a play follows from its steps. */
import { describe, expect, test } from 'vitest';

import { end, podAt } from '../src/model/bars.ts';
import { Story } from '../src/model/story.ts';
import type { Step } from '../src/protocol.ts';
import { decision, job, pod, START, step, time } from './steps.ts';

function played(...steps: Step[]): Story {
  const story = new Story();
  story.add({ start: START, steps, ended: true, next: null });
  return story;
}

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
      step(2, { pods: [pod('a', { phase: 'Running', restarts: 1 })] }),
      step(3, { pods: [pod('a', { phase: 'Running', restarts: 1, deleting: true })] }),
      step(4, { pods: [pod('a', { phase: 'Running', restarts: 1, deleting: true, held: false, gone: true })] }),
    );
    const bar = story.bars.byPod.get('default/a');
    expect(bar?.phases.map((phase) => phase.phase)).toEqual(['Pending', 'Ready', 'Running']);
    expect(bar?.restarts).toEqual([{ at: 2, step: 2, total: 1 }]);
    expect([bar?.deleting?.at, bar?.released?.at, bar && end(bar)]).toEqual([3, 4, 4]);
    expect(bar && podAt(bar, 3)?.deleting).toBe(true);
    expect(bar && podAt(bar, 4)).toBe(null);
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

  test('are delays that decisions tell, each once', () => {
    const waits = (left: number) => decision('Waits', { code: 'BacksOff', acts: false, values: { since: time(5000), until: time(15_000), left } });
    const story = played(step(6000, { kind: 'plan', entries: [waits(9000)] }), step(7000, { kind: 'plan', entries: [waits(8000)] }));
    expect(story.bands).toEqual([{ kind: 'delay', lane: 'back-off', label: 'pi', from: { at: 5000, step: 0 }, until: { at: 15_000, step: 1 } }]);
  });

  test('that concern an index are in its row', () => {
    const waits = decision('Waits', { code: 'BacksOffIndex', acts: false, values: { index: 1, since: time(5000), until: time(15_000) } });
    const story = played(step(0, { pods: [pod('a', { index: 1 })] }), step(6000, { kind: 'plan', entries: [waits] }));
    expect(story.bands).toEqual([]);
    expect(story.bars.row('pi', 1)?.waits).toMatchObject([{ from: 5000, until: 15_000 }]);
  });
});

describe('steps', () => {
  const story = played(
    step(0, { kind: 'action', entries: [{ type: 'job', at: time(0), job: 'pi', change: 'created' }], jobs: [job()] }),
    step(0, { kind: 'plan', entries: [decision('Creates 1 pod')], waits: { at: 9, because: 'of it' } }),
    step(4, { kind: 'plan', entries: [decision('Routine', { minor: true }), { type: 'request', at: time(4), method: 'PUT', path: '/x', outcome: 'conflict' }] }),
    step(8, { jobs: [job({ active: 1 })], waits: null }),
  );

  test('are found by their time', () => {
    expect([-1, 0, 3, 4, 99].map((at) => story.stepAt(at))).toEqual([-1, 1, 1, 2, 3]);
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

test('a delay ends when the controllers do not tell it any more', () => {
  const key = { queue: 'job', namespace: 'default', name: 'pi' };
  const waits = decision('Waits', { code: 'BacksOff', acts: false, values: { since: time(5000), until: time(15_000) } });
  const [tells, creates] = [[waits], [decision('Creates 1 pod')]].map((entries) => ({ kind: 'plan' as const, key, entries }));
  const times = (story: Story) => story.bands.map((band) => [band.from.at, band.until?.at]);
  expect(times(played(step(6000, tells), step(8000, creates)))).toEqual([[5000, 8000]]);
  expect(times(played(step(6000, tells), step(8000, creates), step(9000, tells)))).toEqual([[5000, 15_000]]);
});

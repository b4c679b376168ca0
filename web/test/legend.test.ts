/** The legend of a picture: it has all signs. */
import { expect, test } from 'vitest';

import type { Entry, PodView, RunView } from '../src/protocol.ts';
import { picture } from '../src/share/picture.ts';
import { PALETTE } from './ink.ts';
import { about, cronJob, decision, job, plan, played, pod, step } from './steps.ts';

test('each sign that the timeline draws is in the legend of its picture', () => {
  const hello = { kind: 'CronJob', namespace: 'default', name: 'hello' };
  const alone = (name: string, changes: Partial<PodView>) => step(1000, { pods: [pod(name, { index: null, ...changes })] });
  const run = (name: string, changes = {}) => job({ name, cronJob: 'hello', scheduledAt: 2000, ...changes });
  const counts = { started: 1, skipped: 1, replaced: 0, overlapping: 0 };
  const ran: RunView = { namespace: 'default', name: 'hello', scheduledAt: 2000, outcome: 'succeeded', words: '', late: 3000, started: '', counts };
  const request = (outcome: string): Entry => ({ type: 'request', text: '', method: 'POST', path: '', outcome });
  const all = played(
    step(0, { kind: 'action', action: 'suspend', cronJobs: [cronJob()], jobs: [job({ suspend: true })], fault: { kind: 'watchCut', from: 0, until: 4000 } }),
    ...(['Pending', 'Running', 'Succeeded', 'Failed'] as const).map((phase) => alone(`pi-${phase}`, { phase })),
    alone('pi-ready', { phase: 'Running', ready: true }), alone('pi-deleted', { deleting: true }), alone('pi-gone', { gone: true }), alone('pi-guess', { phase: 'Running', estimated: true }),
    alone('pi-again', { phase: 'Running', restartsAt: 9000, restarted: [{ container: 'main', exitCode: 1, at: 1000, step: 9 }] }),
    step(1000, { pods: [pod('pi-0', { index: 0 })] }),
    plan(1000, about('pi'), decision('Waiting', { role: 'wait', until: 3000, values: { index: 0 } }), decision('Backing off', { role: 'wait', until: 3000 })),
    { ...plan(2000, hello, decision('Not starting', { about: hello, role: 'wait', run: 1000 })) },
    { ...plan(5000, hello, decision('Starting', { about: hello, run: 2000 })), jobs: [run('hello-2')], runs: [ran] },
    step(6000, { jobs: [run('hello-2', { gone: true })] }),
    step(7000, { kind: 'clockChange', object: hello, entries: [{ type: 'cronJob', text: '02:30 does not exist' }] }),
    step(8000, { entries: [request('done'), request('forbidden'), { type: 'difference', text: 'gone' }, { type: 'complaint', text: 'wrong' }] }),
  );
  const legend = [
    'Pending', 'Running', 'Ready', 'waiting to restart', 'Succeeded', 'Failed, with its exit code', 'being deleted', 'gone', 'estimated: nothing recorded it', 'kept until it is counted', 'container restarted', 'waiting',
    'no Job started', 'started late', 'clock change', 'Job deleted', 'holds for the object', 'back-off or another wait', 'fault',
    'decision to act', 'decision to wait', 'write', 'failed write', 'action', 'gap in the record, or difference from it', 'problem',
  ];
  const texts = [...picture([{ title: '', story: all, step: all.steps.length - 1 }], '', PALETTE).matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);
  expect(legend.filter((text) => !texts.includes(text))).toEqual([]);
});

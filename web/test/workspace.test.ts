/** Tabs, forks and acts, with a worker that plays one step a second. */
import { describe, expect, test } from 'vitest';

import type { Oracle } from '../src/client.ts';
import type { Question } from '../src/protocol.ts';
import { act, actOnPod, fork, rewrite, toNextRun, toTime, whatIf } from '../src/state/acts.ts';
import type { Opening } from '../src/state/tab.ts';
import { createWorkspace } from '../src/state/workspace.ts';
import { Clockwork, held, parts } from './clockwork.ts';
import { cronJob, decision, progress, step } from './steps.ts';

const session = { version: 1 as const, manifest: 'kind: Job\n', script: '', cursor: 0 };
const settled = () => new Promise((done) => setTimeout(done, 5));

/** A pod that runs from a time on. */
const pod = (at: number) => ({
  name: 'pi-x', namespace: 'default', job: 'pi', index: null, attempt: 1, phases: [{ phase: 'Running' as const, at, step: 3 }], restarts: [],
  deleting: null, released: null, ended: null, gone: null, exitCode: null, reason: '', views: [],
});

async function opened(cursor: number, answers: Partial<Record<Question, unknown>> = {}) {
  const clockwork = new Clockwork();
  const workspace = createWorkspace({ call: async (name, input) => (answers[name] ?? clockwork.call(name, input)) as never });
  const tab = workspace.open({ session, seek: { to: 'step', step: cursor } });
  await settled();
  return { workspace, tab };
}

describe('an act', () => {
  test('at the latest moment that was seen changes the session', async () => {
    const { workspace, tab } = await opened(3);
    act(workspace, tab, 'suspend');
    await settled();
    expect(workspace.tabs()).toEqual([tab]);
    expect([tab.script(), tab.step()?.kind, tab.at()]).toEqual(['at 3s: suspend\n', 'action', 3000]);
  });

  test('in the past is a second session, without what was done later', async () => {
    const { workspace, tab } = await opened(3);
    act(workspace, tab, 'suspend');
    await settled();
    tab.goTo(1);
    act(workspace, tab, 'resume', 'scale to 2');
    await settled();
    expect(workspace.tabs().map((one) => one.script())).toEqual(['at 3s: suspend\n', 'at 1s: resume\nat 1s: scale to 2\n']);
    expect([workspace.current()?.at(), workspace.current()?.step()?.kind]).toEqual([1000, 'action']);
  });
});

test('acts that follow one another at once all happen', async () => {
  const { workspace, tab } = await opened(3);
  act(workspace, tab, 'suspend');
  act(workspace, tab, 'scale to 2');
  await settled();
  expect(tab.script()).toBe('at 3s: suspend\nat 3s: scale to 2\n');
});

test('a fork looks at the same step and time', async () => {
  const { workspace, tab } = await opened(0);
  tab.goToTime(4321);
  const made = fork(workspace, tab);
  await settled();
  expect([workspace.tabs().length, workspace.current() === made, made.cursor(), made.at()]).toEqual([2, true, 4, 4321]);
});

test('an act between two steps happens at the time that is shown', async () => {
  const { workspace, tab } = await opened(0);
  tab.goToTime(3500);
  act(workspace, tab, 'suspend');
  await settled();
  expect(tab.script()).toBe('at 3.5s: suspend\n');
});

test('of many tabs those that were looked at last stay played, and any other is played again', async () => {
  const clockwork = new Clockwork();
  const workspace = createWorkspace(clockwork);
  const times = (name: Question) => clockwork.asked.filter((asked) => asked === name).length;
  const first = workspace.open({ session, seek: { to: 'step', step: 3 } });
  for (let number = 1; number < 20; number++) workspace.open({ session: { ...session, title: `${number}` }, seek: { to: 'step', step: 3 } });
  await settled();
  expect([times('open'), times('close')]).toEqual([20, 4]);
  workspace.setCurrent(first);
  await settled();
  expect([times('open'), times('close'), first.cursor()]).toEqual([21, 5, 3]);
});

describe('a time that was typed', () => {
  test('is looked at exactly, also between two steps', async () => {
    const { tab } = await opened(0);
    expect([await toTime(tab, 4321), tab.cursor(), tab.at()]).toEqual(['', 4, 4321]);
  });

  test('after the end leads to the end, and says so', async () => {
    const { tab } = await opened(0);
    expect([await toTime(tab, 60_000), tab.cursor(), tab.at()]).toEqual(['Nothing happens after 0:09.', 9, 9000]);
  });

  test('is played first if it was not yet', async () => {
    const { oracle, go } = held();
    const tab = createWorkspace(oracle).open({ session, seek: { to: 'step', step: 0 } });
    await expect.poll(() => tab.story().steps.length).toBe(1);
    setTimeout(go);
    expect([await toTime(tab, 7500), tab.cursor(), tab.at()]).toEqual(['', 7, 7500]);
  });
});

test('the end is that of the whole session, however much of it was played', async () => {
  const { oracle, go } = held();
  const tab = createWorkspace(oracle).open({ session, seek: { to: 'step', step: 0 } });
  await expect.poll(() => tab.story().steps.length).toBe(1);
  tab.goToEnd();
  expect(tab.complete()).toBe(false);
  go();
  await expect.poll(() => [tab.complete(), tab.cursor()]).toEqual([true, 9]);
});

test('a tab keeps its lane when it is selected, and one without a lane is shown alone', () => {
  const workspace = createWorkspace(new Clockwork());
  const opening = (title: string): Opening => ({ session: { ...session, title }, seek: { to: 'step', step: 0 } });
  const [alone, left] = [workspace.open(opening('alone')), workspace.open(opening('left'))];
  const right = workspace.open(opening('right'));
  workspace.setOther(left);
  workspace.setCurrent(left);
  expect([workspace.current(), workspace.other()]).toEqual([left, right]);
  workspace.setCurrent(left);
  expect([workspace.current(), workspace.other()]).toEqual([left, right]);
  workspace.setCurrent(alone);
  expect([workspace.current(), workspace.other()]).toEqual([alone, null]);
});

test('another script is looked at at the same time', async () => {
  const { tab } = await opened(4);
  rewrite(tab, 'at 1s: suspend\nat 2s: resume\n');
  await settled();
  expect([tab.at(), tab.cursor()]).toEqual([4000, 6]);
  tab.goToTime(4500);
  rewrite(tab, '');
  await settled();
  expect([tab.at(), tab.cursor()]).toEqual([4500, 4]);
});

test('a session that is opened at its outcome shows that of a change too, until somebody looks elsewhere', async () => {
  const tab = createWorkspace(new Clockwork()).open({ session, seek: { to: 'outcome' } });
  await settled();
  expect([tab.cursor(), tab.atOutcome()]).toEqual([9, true]);
  rewrite(tab, 'at 2s: suspend\n');
  await settled();
  expect([tab.cursor(), tab.atOutcome()]).toEqual([10, true]);
  tab.goTo(3);
  rewrite(tab, '');
  await settled();
  expect([tab.at(), tab.atOutcome()]).toEqual([2000, false]);
});

test('a session that cannot be played shows why, and what was played stays', async () => {
  const { tab } = await opened(4);
  tab.setManifest('bad');
  await tab.replay({ to: 'step', step: 0 });
  expect([tab.problems().map((problem) => problem.message), tab.story().steps.length]).toEqual([['bad'], 10]);
});

test('the last tab is not closed', async () => {
  const { workspace, tab } = await opened(0);
  const made = fork(workspace, tab);
  workspace.setOther(tab);
  workspace.close(made);
  workspace.close(tab);
  expect([workspace.tabs(), workspace.current(), workspace.other()]).toEqual([[tab], tab, null]);
});

test('a pod is acted on after what it became in the same moment', async () => {
  const { workspace, tab } = await opened(3);
  actOnPod(workspace, tab, pod(2000), 'delete pod pi-x');
  await settled();
  expect(tab.script()).toBe('at 3s: delete pod pi-x\n');
  const fresh = await opened(3);
  actOnPod(fresh.workspace, fresh.tab, pod(3000), 'delete pod pi-x');
  await settled();
  expect(fresh.tab.script()).toBe('at 3.001s: delete pod pi-x\n');
});

test('what the API server would refuse to do to a pod is not done, and it says why', async () => {
  const { workspace, tab } = await opened(3, { refused: [{ severity: 'error', message: 'pod pi-x does not exist', path: '', line: 1, column: 1, length: 1, remedy: null }] });
  actOnPod(workspace, tab, pod(2000), 'delete pod pi-x');
  await settled();
  expect([tab.script(), workspace.message()]).toEqual(['', 'pod pi-x does not exist.']);
});

test('what a recording has at a moment is a session of its own', async () => {
  const { workspace, tab } = await opened(4);
  await whatIf(workspace, tab);
  await settled();
  expect([workspace.tabs().length, workspace.current()?.manifest(), workspace.current()?.cursor()]).toEqual([2, 'kind: List\n', 0]);
});

test('a session that goes on from a recording is named after the moment from which it does', async () => {
  const { workspace, tab } = await opened(4);
  const made = whatIf(workspace, tab);
  tab.goTo(2);
  await made;
  expect(workspace.current()?.title()).toBe(' · from 0:04');
});

test('a long session is played on when wanted', async () => {
  const many = Array.from({ length: 25_000 }, (_, number) => step(number));
  let runs = 0;
  const endless: Oracle = {
    call: async (name: Question) => {
      const piece = (): string => JSON.stringify(progress(many, { ended: ++runs === 7 }));
      return (name === 'open' ? { parts: parts(''), progress: piece() } : name === 'run' ? piece() : null) as never;
    },
  };
  const tab = createWorkspace(endless).open({ session, seek: { to: 'step', step: 0 } });
  await expect.poll(() => tab.complete()).toBe(true);
  expect([tab.story().steps.length, tab.story().ended]).toEqual([75_000, false]);
  await tab.more();
  expect([tab.story().steps.length, tab.story().ended]).toEqual([125_000, false]);
  await tab.more();
  expect([tab.story().steps.length, tab.story().ended]).toEqual([175_000, true]);
});

/** A CronJob that runs each minute, forever, and how often it was played on. */
function minutely() {
  const hello = { kind: 'CronJob', namespace: 'default', name: 'hello' };
  const asked: Question[] = [];
  let [at, runs] = [0, 0];
  const run = () => ({ ...step(at * 60_000, { kind: 'plan', object: hello }), entries: [decision('Starts', { about: hello, run: at * 60_000 })] });
  const piece = (): string => {
    const steps = [];
    for (; runs > 0; runs--) steps.push(at++ === 0 ? step(0, { cronJobs: [cronJob()] }) : run());
    return JSON.stringify(progress(steps, { ended: false, paused: true }));
  };
  const oracle: Oracle = {
    call: async (name: Question, input) => {
      asked.push(name);
      if (name === 'open') at = 0;
      if (name === 'open' || name === 'playAhead') ({ runs } = input as { runs: number });
      return (name === 'open' ? { parts: parts(''), progress: piece() } : name === 'run' ? piece() : null) as never;
    },
  };
  return { oracle, asked };
}

test('a CronJob is played on as far as somebody looks', async () => {
  const tab = createWorkspace(minutely().oracle).open({ session, seek: { to: 'step', step: 25 } });
  await expect.poll(() => tab.cursor()).toBe(25);
  expect([tab.complete(), tab.story().steps.length]).toEqual([true, 39]);
  tab.goTo(38);
  await toNextRun(tab);
  expect([tab.cursor(), tab.story().steps.length]).toEqual([39, 40]);
  await tab.more();
  expect([tab.cursor(), tab.story().steps.length]).toEqual([39, 50]);
});

test('the search for the next run ends when the session is replayed', async () => {
  const { oracle, asked } = minutely();
  const tab = createWorkspace(oracle).open({ session, seek: { to: 'step', step: 9 } });
  await expect.poll(() => tab.cursor()).toBe(9);
  const sought = toNextRun(tab);
  rewrite(tab, 'pods: exit 1\n');
  await sought;
  expect(asked.filter((name) => name === 'run').length).toBeLessThan(3);
});

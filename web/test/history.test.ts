/** Undo and redo: what was done to the sessions is undone one by one, and each time everything is as it was. */
import { expect, test } from 'vitest';

import { act, fork, rewrite, startOver } from '../src/state/acts.ts';
import { createHistory } from '../src/state/history.ts';
import type { Tab } from '../src/state/tab.ts';
import { createWorkspace } from '../src/state/workspace.ts';
import { Clockwork } from './clockwork.ts';

const session = { version: 1 as const, manifest: 'kind: Job\n', script: '', cursor: 0, title: 'pi' };

async function opened() {
  const workspace = createWorkspace(new Clockwork());
  const history = createHistory(workspace);
  /** Does something, waits until it was played, and looks at it as the page does. */
  const after = async (does: () => unknown): Promise<void> => {
    does();
    await new Promise((done) => setTimeout(done, 5));
    history.observe();
  };
  await after(() => workspace.open({ session, seek: { to: 'step', step: 2 } }));
  const tab = workspace.current() as Tab;
  const shown = () => ({ tabs: workspace.tabs(), sessions: workspace.tabs().map((one) => one.session()), current: workspace.current(), other: workspace.other() });
  return { workspace, history, after, tab, shown };
}

test('ten things are undone and done again, each with its sessions, tabs and cursor', async () => {
  const { workspace, history, after, tab, shown } = await opened();
  const current = (): Tab => workspace.current() as Tab;
  const acts: [string, () => unknown][] = [
    ['Delete pod pi-0', () => act(workspace, tab, 'delete pod pi-0')],
    ['Add the rule “pods: exit 1”', () => rewrite(tab, `pods: exit 1\n${tab.script()}`)],
    ['Change the rule “pods: exit 1”', () => rewrite(tab, tab.script().replace('exit 1', 'exit 2'))],
    ['Remove the rule “pods: exit 2”', () => rewrite(tab, tab.script().replace('pods: exit 2\n', ''))],
    ['Remove the action “delete pod pi-0”', () => rewrite(tab, '')],
    ['Edit the manifest', () => (tab.setDraft('kind: Job # changed\n'), startOver(tab))],
    ['Continue in “pi · from 0:02”', () => fork(workspace, tab)],
    ['Suspend', () => (tab.goTo(8), tab.goTo(1), act(workspace, tab, 'suspend'))],
    ['Open “An example”', () => workspace.openBeside({ session: { ...session, manifest: 'kind: CronJob\n', title: 'An example' }, seek: { to: 'outcome' } })],
    ['Close “An example”', () => workspace.close(current())],
  ];
  const states = [shown()];
  for (const [name, does] of acts) {
    await after(does);
    expect(history.undoable()).toBe(name);
    states.push(shown());
  }
  for (const [name] of acts.toReversed()) {
    states.pop();
    await after(history.undo);
    expect(workspace.message()).toBe(`Undone: ${name}`);
    const [now, was] = [shown(), states.at(-1)];
    expect(now.tabs, name).toEqual(was?.tabs);
    expect(now.sessions.map(({ manifest, script }) => [manifest, script]), name).toEqual(was?.sessions.map(({ manifest, script }) => [manifest, script]));
    expect(now.current, name).toBe(was?.current);
  }
  expect(shown().sessions).toEqual([{ ...session, cursor: 2, at: 2000 }]);
  expect(history.undoable()).toBeUndefined();
  for (const [name] of acts) {
    await after(history.redo);
    expect(workspace.message()).toBe(`Redone: ${name}`);
  }
  expect([workspace.tabs().length, history.redoable()]).toEqual([3, undefined]);
});

test('what is done after undoing takes the place of what was undone', async () => {
  const { workspace, history, after, tab } = await opened();
  await after(() => act(workspace, tab, 'suspend'));
  await after(history.undo);
  await after(() => act(workspace, tab, 'resume'));
  expect([history.undoable(), history.redoable()]).toEqual(['Resume', undefined]);
  await after(history.redo);
  expect(workspace.message()).toBe('Nothing to redo.');
});

test('the session with which the page opens is not undone', async () => {
  const { workspace, history } = await opened();
  history.undo();
  expect([workspace.message(), workspace.tabs().length]).toEqual(['Nothing to undo.', 1]);
});

test('a draft that cannot be played stays, and one that was played is not played again', async () => {
  const { workspace, history, after, tab } = await opened();
  await after(() => act(workspace, tab, 'suspend'));
  await after(() => tab.setDraft('spec: ['));
  await after(history.undo);
  expect([tab.script(), tab.draft()]).toEqual(['', 'spec: [']);
  await after(() => (tab.setDraft('kind: Job # played\n'), history.observe(), startOver(tab)));
  await after(history.undo);
  expect([tab.manifest(), tab.draft()]).toEqual([session.manifest, session.manifest]);
  await after(history.redo);
  expect([tab.manifest(), tab.draft()]).toEqual(['kind: Job # played\n', 'kind: Job # played\n']);
});

test('a draft that edits the last manifest is undone before that manifest, and is done again after it', async () => {
  const { history, after, tab } = await opened();
  await after(() => (tab.setDraft('kind: Job # played\n'), history.observe(), startOver(tab)));
  await after(() => tab.setDraft('kind: ['));
  const texts = () => [tab.manifest(), tab.draft()];
  const all = [texts()];
  for (const crossing of [history.undo, history.undo, history.redo, history.redo, history.undo]) {
    await after(crossing);
    all.push(texts());
  }
  const [first, played] = [session.manifest, 'kind: Job # played\n'];
  expect(all).toEqual([[played, 'kind: ['], [played, played], [first, first], [played, played], [played, 'kind: ['], [played, played]]);
});

test('both lanes of a comparison are there again', async () => {
  const { workspace, history, after, tab } = await opened();
  const lane = (title: string) => ({ session: { ...session, manifest: `kind: Job # ${title}\n`, title }, seek: { to: 'divergence' as const } });
  await after(() => workspace.compare(lane('A'), lane('B'), 'left'));
  const [, left, right] = workspace.tabs();
  await after(history.undo);
  expect([workspace.tabs(), workspace.other()]).toEqual([[tab], null]);
  await after(history.redo);
  expect([workspace.tabs(), workspace.current(), workspace.other()]).toEqual([[tab, left, right], left, right]);
});

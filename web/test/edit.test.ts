/** Edits of what runs, with a worker that plays one step a second. */
import { expect, test } from 'vitest';

import type { Oracle } from '../src/client.ts';
import type { Diagnostic, Question } from '../src/protocol.ts';
import { change, edit, rewrite, startAgain, startAnother } from '../src/state/acts.ts';
import { createWorkspace } from '../src/state/workspace.ts';
import { Clockwork } from './clockwork.ts';

const session = { version: 1 as const, manifest: 'a: 1\n', script: '', cursor: 3 };
const settled = () => new Promise((done) => setTimeout(done, 5));
const problem: Diagnostic = { severity: 'error', message: 'a is immutable here', path: 'a', line: 1, column: 1, length: 1, remedy: null };

/** A tab three seconds after its beginning, whose worker refuses what it is given as `refused`. */
async function opened(refused: Diagnostic[] = []) {
  const clockwork = new Clockwork();
  const answers: Partial<Record<Question, (input: Record<'before' | 'after' | 'script', string>) => unknown>> = {
    changes: ({ before, after }) => ({ problems: [], actions: before === after ? [] : [`set ${after.trim()}`] }),
    refused: () => refused,
    checkScript: ({ script }) => (script.includes('fly') ? [problem] : []),
  };
  const oracle: Oracle = { call: async (name, input) => (answers[name]?.(input as unknown as Record<'before' | 'after' | 'script', string>) ?? clockwork.call(name, input)) as never };
  const workspace = createWorkspace(oracle);
  const tab = workspace.open({ session, seek: { to: 'step', step: 3 } });
  await settled();
  return { workspace, tab };
}

test('an edit that is refused is no action, and the text stays', async () => {
  const { workspace, tab } = await opened([problem]);
  tab.setDraft('a: 2\n');
  expect(await edit(workspace, tab)).toEqual([problem]);
  expect([tab.script(), tab.draft(), tab.standing(), workspace.tabs().length]).toEqual(['', 'a: 2\n', 'a: 1\n', 1]);
});

test('an edit that is accepted stays in the editor, and in the session', async () => {
  const { workspace, tab } = await opened();
  tab.setDraft('a: 2\n');
  expect(await edit(workspace, tab)).toEqual([]);
  expect([tab.script(), tab.draft(), tab.standing(), tab.manifest()]).toEqual(['at 3s: set a: 2\n', 'a: 2\n', 'a: 2\n', 'a: 1\n']);
  const again = workspace.open(tab.opening());
  expect([again.draft(), again.standing()]).toEqual(['a: 2\n', 'a: 2\n']);
});

test('the manifest is as before once the action is taken away, unless somebody writes another one', async () => {
  const { workspace, tab } = await opened();
  tab.setDraft('a: 2\n');
  await edit(workspace, tab);
  tab.setDraft('a: 3\n');
  rewrite(tab, '');
  expect([tab.draft(), tab.standing()]).toEqual(['a: 3\n', 'a: 1\n']);
  tab.setDraft('a: 1\n');
  rewrite(tab, 'at 3s: set a: 2\n');
  expect(tab.draft()).toBe('a: 2\n');
  rewrite(tab, '');
  expect(tab.draft()).toBe('a: 1\n');
});

test('an edit in the past leaves the future as it was', async () => {
  const { workspace, tab } = await opened();
  tab.goTo(8);
  tab.goTo(2);
  tab.setDraft('a: 2\n');
  await edit(workspace, tab);
  expect(workspace.tabs().map((one) => [one.draft(), one.script()])).toEqual([['a: 1\n', ''], ['a: 2\n', 'at 2s: set a: 2\n']]);
});

test('what is typed while an edit is being applied stays in the editor', async () => {
  const { workspace, tab } = await opened();
  tab.setDraft('a: 2\n');
  const applied = edit(workspace, tab);
  tab.setDraft('a: 23\n');
  await applied;
  expect([tab.script(), tab.draft(), tab.standing()]).toEqual(['at 3s: set a: 2\n', 'a: 23\n', 'a: 2\n']);
});

test('an edit that is applied twice at once happens once', async () => {
  const { workspace, tab } = await opened();
  tab.setDraft('a: 2\n');
  await Promise.all([edit(workspace, tab), edit(workspace, tab)]);
  expect([tab.script(), workspace.tabs().length]).toEqual(['at 3s: set a: 2\n', 1]);
});

test('rules that are added at once are all there, and one that cannot be read is not', async () => {
  const { workspace, tab } = await opened();
  const rule = (line: string) => (script: string) => script + line;
  await Promise.all([change(workspace, tab, rule('pods: exit 1\n')), change(workspace, tab, rule('pods: exit 2\n'))]);
  expect(await change(workspace, tab, rule('pods: fly\n'))).toEqual([problem]);
  expect(tab.script()).toBe('pods: exit 1\npods: exit 2\n');
});

test('a session that another one has taken the place of comes back with its script, and so does the other one', async () => {
  const { workspace, tab } = await opened();
  rewrite(tab, 'pods: exit 1\n');
  tab.setTitle('An example');
  tab.setDraft('b: 1\n');
  startAnother(workspace, tab, '');
  expect([tab.manifest(), tab.script(), tab.title()]).toEqual(['b: 1\n', '', '']);
  rewrite(tab, 'pods: exit 2\n');
  tab.setDraft('a: 1\n');
  expect([startAgain(tab), tab.manifest(), tab.script(), tab.title(), tab.draft()]).toEqual([true, 'a: 1\n', 'pods: exit 1\n', 'An example', 'a: 1\n']);
  tab.setDraft('b: 1\n');
  expect([startAgain(tab), tab.manifest(), tab.script()]).toEqual([true, 'b: 1\n', 'pods: exit 2\n']);
  tab.setDraft('c: 1\n');
  expect([startAgain(tab), tab.manifest()]).toEqual([false, 'b: 1\n']);
});

test('another session is not compared with what the one before was compared with', async () => {
  const { workspace, tab } = await opened();
  const beside = workspace.open({ session, seek: { to: 'step', step: 0 } });
  workspace.setCurrent(tab);
  workspace.setOther(beside);
  tab.setDraft('b: 1\n');
  startAnother(workspace, tab, '');
  expect([workspace.current(), workspace.other(), workspace.tabs().length]).toEqual([tab, null, 2]);
});

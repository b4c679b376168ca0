/** What a person does to a session: acts at a moment, changes what pods do, starts over, forks. */
import { batch } from 'solid-js';

import { until, withActions, withCase } from '../model/script.ts';
import type { Failure } from '../model/failures.ts';
import type { Bar } from '../model/bars.ts';
import { sentence } from '../model/words.ts';
import type { Diagnostic, FailurePolicy, PolicyCase, ScriptParts } from '../protocol.ts';
import type { Edited } from '../session.ts';
import type { Seek } from './sought.ts';
import { showRow } from './shownRow.ts';
import type { Tab } from './tab.ts';
import type { Workspace } from './workspace.ts';

/** A second tab that goes on from the same step. */
export function fork(workspace: Workspace, tab: Tab): Tab {
  const session = tab.session();
  const title = `${tab.label()} · from ${tab.clock().show(session.at ?? 0)}`;
  return workspace.open({ session: { ...session, title }, seek: tab.whereabouts(), prose: tab.prose() });
}

/** Creates a session that continues from the recorded state at the current moment. */
export async function whatIf(workspace: Workspace, tab: Tab): Promise<void> {
  const title = `${tab.story().past ? tab.label() : tab.title()} · from ${tab.clock().show(tab.at())}`;
  const manifest = await workspace.oracle.call('list', { play: tab.play(), step: tab.cursor() });
  const session = { version: 1 as const, manifest, script: '', cursor: 0, title };
  workspace.open({ session, seek: { to: 'now' } });
  workspace.setMessage('This is a new session: choose what its pods do from here.');
}

/** Continues from here in a second tab, be it a session or what was recorded. */
export function goOn(workspace: Workspace, tab: Tab): void {
  if (tab.recording || tab.story().recordedAt(tab.at())) void whatIf(workspace, tab);
  else fork(workspace, tab);
}

/** So often a CronJob is played on until a run begins: it may wake up without one. */
const TRIES = 20;

/** Looks at the beginning of the next run of a CronJob, which is played if it was not yet. */
export async function toNextRun(tab: Tab): Promise<void> {
  const [story, from] = [tab.story(), tab.cursor()];
  for (let tries = 0; tries < TRIES && tab.story() === story && story.runs.next(from) < 0 && !story.ended; tries++) await tab.more(1);
  // If the user has moved the cursor in the meantime, it stays where it is.
  if (tab.story() !== story || tab.cursor() !== from) return;
  const step = story.runs.next(from);
  tab.goTo(step < 0 ? story.steps.length - 1 : step);
}

/** Goes to the start of the run before the current moment, if there is one. */
export function toPreviousRun(tab: Tab): void {
  const step = tab.story().runs.previous(tab.cursor());
  if (step >= 0) tab.goTo(step);
}

/** Goes to where the next run of a CronJob was skipped, or the clock changed, once it has been played; after the last one, to the first. */
export async function toNextSkipped(tab: Tab): Promise<void> {
  const [story, from] = [tab.story(), tab.cursor()];
  if (story.runs.nextSkipped(from) < 0 && !tab.complete()) await tab.settled();
  const next = story.runs.nextSkipped(from);
  const step = next < 0 ? story.runs.nextSkipped(-1) : next;
  if (tab.story() === story && tab.cursor() === from && step >= 0) tab.goTo(step);
}

/** Goes to where the run before the current moment was skipped, if there is one. */
export function toPreviousSkipped(tab: Tab): void {
  const step = tab.story().runs.previousSkipped(tab.cursor());
  if (step >= 0) tab.goTo(step);
}

/** Goes to the next failure after the current moment, once it has been played; after the last one, to the first. */
export async function toNextFailure(tab: Tab): Promise<void> {
  const [story, from] = [tab.story(), tab.cursor()];
  if (!story.bars.failures.after(from) && !tab.complete()) await tab.settled();
  // If the user has moved the cursor in the meantime, it stays where it is.
  if (tab.story() === story && tab.cursor() === from) toFailure(tab, story.bars.failures.after(from) ?? story.bars.failures.after(-1));
}

/** Goes to the last failure before the current moment; before the first one, to the very last. */
export function toPreviousFailure(tab: Tab): void {
  const { failures } = tab.story().bars;
  toFailure(tab, failures.before(tab.cursor()) ?? failures.before(Infinity));
}

function toFailure(tab: Tab, failure: Failure | undefined): void {
  if (!failure) return;
  tab.goTo(failure.step);
  showRow(failure.row);
}

/** Goes to a time, playing on if necessary; returns why it goes to an earlier one, or nothing. By a clock that shows whole seconds, it goes to what happens in that one. */
export async function toTime(tab: Tab, at: number): Promise<string> {
  const [story, from] = [tab.story(), tab.cursor()];
  if (story.lastAt < at) await tab.more(1, at);
  if (tab.story() !== story || tab.cursor() !== from) return '';
  const within = story.clock.zone !== null && at % 1000 === 0 ? at + 999 : at;
  tab.goToTime(Math.min(Math.max(at, story.steps[story.stepAt(within)]?.at ?? 0), story.lastAt));
  if (story.lastAt >= at) return '';
  return story.ended ? `Nothing happens after ${story.clock.show(story.lastAt)}.` : `Simulated up to ${story.clock.show(story.lastAt)}. Enter the time again to go on.`;
}

/** Acts at the current moment. If later moments have been seen, that future is kept as a tab. */
export function act(workspace: Workspace, tab: Tab, ...actions: string[]): void {
  doOrExplain(workspace, tab, { at: tab.at(), actions });
}

/** Acts on a pod at the current moment, or right after it if the pod reached its state in the same moment, because actions come first in their moment. */
export function actOnPod(workspace: Workspace, tab: Tab, bar: Bar, action: string): void {
  const at = tab.at();
  doOrExplain(workspace, tab, { at: bar.phases.some((phase) => phase.at === at && phase.step <= tab.cursor()) ? at + 1 : at, actions: [action] });
}

/** Does things, or says why they cannot be done. */
function doOrExplain(workspace: Workspace, tab: Tab, wanted: Act): void {
  void tab.inTurn(() => actAt(workspace, tab, wanted)).then(([refused]) => refused && workspace.setMessage(sentence(refused)));
}

/** Applies the manifest in the editor at the current moment; returns why that is impossible, or nothing. */
export function edit(workspace: Workspace, tab: Tab): Promise<Diagnostic[]> {
  const [at, manifest] = [tab.at(), tab.draft()];
  return tab.inTurn(async () => {
    const script = await tab.rewritten((script, parts) => until(script, parts, tab.story().played(at)));
    const before = tab.standing(script);
    const { problems, actions } = await workspace.oracle.call('changes', { before, after: manifest });
    if (problems.length > 0) return problems;
    const done = before === tab.manifest() ? [] : (tab.edited()?.actions ?? []);
    const edited = { manifest, actions: [...done, ...actions] };
    if (actions.length > 0) return actAt(workspace, tab, { at, actions, edited });
    tab.setEdited(edited);
    return [];
  });
}

/** Changes the parsed lines of the script and, if the result parses, plays it; returns the error otherwise. */
export function change(workspace: Workspace, tab: Tab, to: (script: string, parts: ScriptParts) => string): Promise<Diagnostic[]> {
  return tab.inTurn(async () => {
    const script = await tab.rewritten(to);
    const problems = await workspace.oracle.call('checkScript', { script });
    if (problems.length === 0) rewrite(tab, script);
    return problems;
  });
}

/** Plays the script as it is typed, unless it cannot be read: then it waits, with what is wrong with it. */
export function playTyped(workspace: Workspace, tab: Tab): Promise<void> {
  return tab.inTurn(async () => {
    const typed = tab.scriptDraft();
    const problems = typed === null ? [] : await workspace.oracle.call('checkScript', { script: typed });
    if (tab.scriptDraft() !== typed) return;
    batch(() => {
      tab.setScriptProblems(problems);
      if (typed === null || problems.length > 0) return;
      tab.setScriptDraft(null);
      if (typed !== tab.script()) rewrite(tab, typed);
    });
  });
}

interface Act {
  at: number;
  actions: string[];
  /** What the manifest in the editor is then. */
  edited?: Edited;
}

/** Carries out actions, unless the API server would refuse one of them: then nothing happens, and it returns why. */
async function actAt(workspace: Workspace, tab: Tab, wanted: Act): Promise<Diagnostic[]> {
  const { actions, edited } = wanted;
  if (tab.story().recordedAt(wanted.at)) return branch(workspace, tab, wanted);
  const { at, refused } = await admitted(workspace, tab, wanted);
  if (refused.length > 0) return refused;
  const script = await tab.rewritten((script, parts) => withActions(script, parts, tab.story().played(at), actions));
  const title = `${tab.clock().show(at)} ${actions.join(', ')}`;
  workspace.setMessage(title);
  const seek: Seek = { to: 'action', at };
  if (tab.past()) {
    workspace.open({ session: { ...tab.session(), ...written(tab, script, edited), title }, seek, prose: tab.prose() });
    if (edited) tab.setDraft(tab.standing());
    return [];
  }
  put(tab, script, edited);
  void tab.replay(seek);
  return [];
}

/** Carries out actions on what a cluster had at the current moment: what was recorded stays as it is, and another session goes on from there. */
async function branch(workspace: Workspace, tab: Tab, { actions, edited }: Act): Promise<Diagnostic[]> {
  const [play, step, script] = [tab.play(), tab.cursor(), actions.map((action) => `at 0s: ${action}\n`).join('')];
  const refused = await workspace.oracle.call('refused', { play, step, script, manifest: edited?.manifest ?? tab.manifest() });
  if (refused.length > 0) return refused;
  const manifest = await workspace.oracle.call('list', { play, step });
  const title = `${tab.clock().show(tab.at())} ${actions.join(', ')}`;
  const rules = await tab.rewritten((script, parts) => until(script, parts, -1));
  const session = { version: 1 as const, manifest, script: rules + script, cursor: 0, title };
  workspace.setMessage(title);
  workspace.open({ session: edited ? { ...session, edited: { ...edited, actions }, draft: edited.manifest } : session, seek: { to: 'now' } });
  if (edited) tab.setDraft(tab.standing());
  return [];
}

/** When something can happen: at its time, or right after it where what it is done to came to be at that very time; or why it cannot. */
async function admitted(workspace: Workspace, tab: Tab, { at, actions, edited }: Act): Promise<{ at: number; refused: Diagnostic[] }> {
  const script = actions.map((action) => `at 0s: ${action}\n`).join('');
  const refused = (step: number): Promise<Diagnostic[]> => workspace.oracle.call('refused', { play: tab.play(), step, script, manifest: edited?.manifest ?? tab.manifest() });
  const [first, last] = [tab.story().beforeAction(at), Math.max(0, tab.story().stepAt(at))];
  const found = await refused(first);
  if (found.length === 0 || last <= first || (await refused(last)).length > 0) return { at, refused: found };
  return { at: at + 1, refused: [] };
}

/** Plays another script in the same tab, and looks at the same time. */
export function rewrite(tab: Tab, script: string): void {
  const seek = sameTime(tab);
  put(tab, script);
  void tab.replay(seek);
}

/** Another script of a tab, with the manifest that goes with it, unless another one is being written. */
function written(tab: Tab, script: string, edited = tab.edited()) {
  const follows = edited === tab.edited() && tab.draft() === tab.standing();
  return { script, ...(edited ? { edited } : {}), draft: follows ? tab.standing(script, edited) : tab.draft() };
}

function put(tab: Tab, script: string, edited = tab.edited()): void {
  const { draft } = written(tab, script, edited);
  batch(() => {
    tab.setScript(script);
    tab.setEdited(edited);
    tab.setDraft(draft);
  });
}

/** Puts a case of a pod failure policy into the script, and looks at what it shows; of a Job that a cluster has, into a session of its own. */
export function tryCase(workspace: Workspace, tab: Tab, { cases, manifest }: FailurePolicy, chosen: PolicyCase, seek: Seek): Promise<void> {
  return tab.inTurn(async () => {
    if (manifest !== undefined) {
      workspace.open({ session: { version: 1, manifest, script: chosen.script, cursor: 0, title: chosen.title }, seek });
      return;
    }
    put(tab, withCase(tab.script(), chosen.script, cases.map((one) => one.script)));
    void tab.replay(seek);
  });
}

/** Plays the manifest as it is in the editor, from the beginning. */
export function startOver(tab: Tab): void {
  const seek: Seek = tab.cursor() === 0 ? { to: 'step', step: 0 } : sameTime(tab);
  playDraft(tab);
  void tab.replay(seek);
}

/** Plays what is in the editor as another session, with other objects and a script for them, alone, and shows its outcome. */
export function startAnother(workspace: Workspace, tab: Tab, script: string): void {
  keep(tab);
  batch(() => {
    // What it was compared with has nothing in common with it.
    workspace.setOther(null);
    tab.setScript(script);
    tab.setTitle('');
    tab.setProse('');
    tab.goTo(0);
    playDraft(tab);
  });
  void tab.replay({ to: 'outcome' });
}

/** Plays a session again that another one has taken the place of, with its script, once its manifest is in the editor again; whether there was one. */
export function startAgain(tab: Tab): boolean {
  const was = tab.replaced.get(tab.draft());
  if (!was) return false;
  tab.replaced.delete(tab.draft());
  keep(tab);
  tab.restore(was);
  return true;
}

/** Keeps the session of a tab before another one takes its place. */
function keep(tab: Tab): void {
  const [manifest, was] = [tab.standing(), tab.opening()];
  tab.replaced.set(manifest, { ...was, session: { ...was.session, draft: manifest } });
}

/** Has the text in the editor played from the beginning, with all edits in it. */
function playDraft(tab: Tab): void {
  batch(() => {
    tab.setManifest(tab.draft());
    tab.setEdited(undefined);
  });
}

/** The position after a change that shows the same moment as before. */
function sameTime(tab: Tab): Seek {
  return tab.atOutcome() ? { to: 'outcome' } : { to: 'time', at: tab.at() };
}

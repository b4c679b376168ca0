/** The manifest: the editor, what is wrong with what stands there, and what to do with a change of it. */
import { createEffect, createSignal, For, on, onCleanup, onMount, Show, untrack } from 'solid-js';

import { ownScript } from '../examples/rules.ts';
import { sentence } from '../model/words.ts';
import type { Diagnostic, Forecast, Repair } from '../protocol.ts';
import { RulePage } from '../rules/RulePage.tsx';
import { Prose } from '../shell/Prose.tsx';
import { edit, startAgain, startAnother, startOver } from '../state/acts.ts';
import { point, reasons, showField, shownField } from '../state/fields.ts';
import { oracle } from '../state/oracle.ts';
import { painted } from '../state/painted.ts';
import { shownRule } from '../state/shownRule.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';
import { createForecast, ForecastBox } from './ForecastBox.tsx';
import { isManifest, plain } from './plain.ts';
import { ProblemItem } from './ProblemItem.tsx';
import type { Came, Editor } from './yaml.ts';

interface Props {
  workspace: Workspace;
  tab: Tab;
}

/** The manifest is not checked while it is being typed. */
const PAUSE = 250;

export function Manifest(props: Props) {
  let place: HTMLDivElement | undefined;
  const [editor, setEditor] = createSignal<Editor | null>(null);
  const [withForecast, setWithForecast] = createSignal(false);
  const forecast = createForecast(() => (editor() ? props.tab : null));
  const changed = () => props.tab.draft() !== props.tab.standing();

  // What happens is shown first: the editor is large, and can wait for it.
  let loading = false;
  createEffect(() => {
    if (!props.tab.shown() || loading) return;
    loading = true;
    void painted().then(load);
  });
  async function load(): Promise<void> {
    const { createEditor } = await import('./yaml.ts');
    if (!place?.isConnected) return;
    setEditor(createEditor(place, { onText: typed, onPoint: point, onPlay: () => void check(props.tab, props.tab.draft(), true) }));
  }
  onCleanup(() => editor()?.destroy());
  onMount(() => pasteAnywhere((text) => props.tab.shown() && editor()?.paste(text)));
  /** The tab whose manifest was pasted as a whole, until that is known to be valid; and whether the last change was undone or redone. */
  let [pasted, again]: [Tab | null, boolean] = [null, false];
  function typed(text: string, came: Came): void {
    [pasted, again] = [came === 'pasted' ? props.tab : pasted, came === 'again'];
    props.tab.setDraft(text);
  }
  createEffect(() => editor()?.open(props.tab, props.tab.draft()));
  createEffect(() => {
    const [tab, manifest] = [props.tab, props.tab.draft()];
    const later = setTimeout(() => void check(tab, manifest, false), PAUSE);
    onCleanup(() => clearTimeout(later));
  });
  useMarks(editor, () => props.tab, forecast, (message) => withForecast() || props.workspace.setMessage(message));
  createEffect(() => showAskedField(editor(), props.tab));
  createEffect(() => editor()?.light(reasons()));

  /** Checks the draft, and plays a valid one: when that is asked for, or when it does not edit what has already happened. */
  async function check(tab: Tab, manifest: string, asked: boolean): Promise<void> {
    const outdated = () => tab !== props.tab || manifest !== tab.draft();
    const problems = await oracle().call('check', { manifest: plain(manifest) });
    if (outdated()) return;
    tab.setDraftProblems(problems);
    if (tab.invalid()) return;
    if (manifest === tab.standing() && !asked) return void (pasted = null);
    if (again && startAgain(tab)) return;
    const other = await differs(tab.standing(), manifest);
    if (outdated()) return;
    const script = other && pasted === tab ? await ownScript(tab) : tab.script();
    if (outdated()) return;
    pasted = null;
    if (script !== tab.script()) props.workspace.setMessage('Removed the pod behaviour of the example: it was not made for this manifest. Undo brings the example back.');
    if (other) startAnother(props.workspace, tab, script);
    else if (asked || atStart(tab) || tab.atOutcome()) startOver(tab);
  }

  return (
    <section class="manifest" aria-labelledby="manifest-title">
      <Head forecast={withForecast()} onForecast={() => setWithForecast(!withForecast())} onFind={() => editor()?.find()} />
      <div class="editor">
        <Show when={!editor()}><pre class="editor-before mono" tabindex="0" aria-label="Manifest, while the editor is loading">{props.tab.draft()}</pre></Show>
        <div class="editor-place" ref={place} />
      </div>
      <Show when={changed() && !props.tab.invalid() && props.tab.cursor() > 0 && !props.tab.atOutcome()}><Changed workspace={props.workspace} tab={props.tab} onDone={() => editor()?.focus()} /></Show>
      <Show when={withForecast() && !props.tab.invalid() && forecast()}>{(found) => <ForecastBox forecast={found()} onGo={(problem) => editor()?.goTo(problem)} onRepair={(repair) => editor()?.repair(repair)} />}</Show>
      <Problems problems={props.tab.draftProblems()} onGo={(problem) => editor()?.goTo(problem)} onRepair={(repair) => editor()?.repair(repair)} />
      <Show when={shownRule()} keyed>{(found) => <RulePage workspace={props.workspace} found={found} />}</Show>
    </section>
  );
}

/** The title of the pane, with what the manifest can be asked. */
function Head(props: { forecast: boolean; onForecast: () => void; onFind: () => void }) {
  return (
    <header class="pane-head">
      <h2 id="manifest-title">Manifest</h2> <span class="editor-hint muted" aria-hidden="true"><kbd>Esc</kbd>, then <kbd>Tab</kbd> leaves the editor</span>
      <button type="button" class="quiet end" title="What the objects will do, and advice about them" aria-expanded={props.forecast} onClick={props.onForecast}>Forecast</button>
      <button type="button" class="quiet" title="Find and replace in the manifest (Ctrl+F in the editor)" onClick={props.onFind}>Find</button>
    </header>
  );
}

/** Whether a manifest has other objects than the one before: then it cannot be an edit of those that exist. */
async function differs(before: string, after: string): Promise<boolean> {
  return (await oracle().call('changes', { before, after })).problems.length > 0;
}

/** Takes a manifest that is pasted where no text can be: it is meant for the editor. */
function pasteAnywhere(take: (text: string) => void): void {
  function pasted(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const written = event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable="true"]') !== null;
    if (written || !isManifest(text)) return;
    event.preventDefault();
    take(text);
  }
  document.addEventListener('paste', pasted);
  onCleanup(() => document.removeEventListener('paste', pasted));
}

/** Whether the first step is shown on purpose, and not only until the step that is sought has been played. */
function atStart(tab: Tab): boolean {
  const where = tab.whereabouts();
  return where.to === 'step' && where.step === 0;
}

/** Shows the field that was asked for; one that was asked for while the editor was loading, when it is there. */
function showAskedField(editor: Editor | null, tab: Tab): void {
  const field = shownField();
  if (!field || !editor) return;
  editor.show(tab.story().runs.written(field.path, field.object));
  showField(null);
}

/** Marks problems and advice in the editor, each once, when they are found: marks move with the text. `report` gets why there is no advice. */
function useMarks(editor: () => Editor | null, tab: () => Tab, forecast: () => Forecast | Error | null, report: (message: string) => void): void {
  createEffect(() => editor()?.setProblems(tab().draftProblems()));
  createEffect(() => {
    const found = forecast();
    editor()?.setAdvice(found === null || found instanceof Error ? [] : found.advice);
    if (found instanceof Error) untrack(() => report(`The manifest could not be checked for advice. ${found.message}`));
  });
}

/** Offers what an edit in the middle of a play can mean; `onDone` is called when it goes away. */
function Changed(props: Props & { onDone: () => void }) {
  const [refused, setRefused] = createSignal<Diagnostic[]>([]);
  createEffect(on([() => props.tab.draft(), () => props.tab.at()], () => setRefused([])));
  async function apply(): Promise<void> {
    const found = await edit(props.workspace, props.tab);
    setRefused(found);
    if (found.length === 0) props.onDone();
  }
  return (
    <div class="changed" role="group" aria-label="The manifest has changed">
      <div role="alert"><For each={refused()}>{(problem) => <p class="problem"><Prose text={sentence(problem)} /></p>}</For></div>
      <Show when={refused().length === 0}><p>You changed the manifest.</p></Show>
      <button type="button" classList={{ main: refused().length === 0 }} onClick={() => void apply()}>Apply at {props.tab.clock().show(props.tab.at())}</button>
      <button type="button" onClick={() => (startOver(props.tab), props.onDone())}>Start over</button>
      <button type="button" class="quiet" onClick={() => (props.tab.setDraft(props.tab.standing()), props.onDone())}>Discard</button>
    </div>
  );
}

interface ProblemsProps {
  problems: Diagnostic[];
  onGo: (problem: Diagnostic) => void;
  onRepair: (repair: Repair) => void;
}

/** So many are listed; the editor marks the others too. */
const LISTED = 50;

/** What is wrong with the manifest, as a list below the editor: a click goes to the place, or repairs it. */
function Problems(props: ProblemsProps) {
  return (
    <Show when={props.problems.length > 0}>
      <ul class="problems" aria-label="Problems in the manifest">
        <For each={props.problems.slice(0, LISTED)}>{(problem) => <ProblemItem problem={problem} onGo={props.onGo} onRepair={props.onRepair} />}</For>
        <Show when={props.problems.length > LISTED}><li class="muted">and {props.problems.length - LISTED} more</li></Show>
      </ul>
    </Show>
  );
}

/** The manifest: the editor, what is wrong with what stands there, and what to do with a change of it. */
import { createEffect, createSignal, For, onCleanup, Show } from 'solid-js';

import { clock } from '../model/time.ts';
import type { Diagnostic } from '../protocol.ts';
import { Problem } from '../shell/Problem.tsx';
import { act, startAnother, startOver } from '../state/acts.ts';
import { point, shownField, showField } from '../state/fields.ts';
import { oracle } from '../state/oracle.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';
import type { Editor } from './yaml.ts';

interface Props {
  workspace: Workspace;
  tab: Tab;
}

/** Nothing is read while somebody types. */
const PAUSE = 250;

export function Manifest(props: Props) {
  let place: HTMLDivElement | undefined;
  const [editor, setEditor] = createSignal<Editor | null>(null);
  const [found, setFound] = createSignal<Diagnostic[]>([]);
  const errors = () => found().filter((one) => one.severity === 'error');
  const changed = () => props.tab.draft() !== props.tab.manifest();

  // What happens is shown first: the editor is large, and can wait for it.
  let loading = false;
  createEffect(() => {
    if (!props.tab.shown() || loading) return;
    loading = true;
    requestAnimationFrame(() => void load());
  });
  async function load(): Promise<void> {
    const { createEditor } = await import('./yaml.ts');
    if (place?.isConnected) setEditor(createEditor(place, { text: props.tab.draft(), onText: (text) => props.tab.setDraft(text), onPoint: point }));
  }
  onCleanup(() => editor()?.destroy());
  createEffect(() => {
    const [made, text] = [editor(), props.tab.draft()];
    if (made && made.text() !== text) made.setText(text);
  });
  createEffect(() => {
    const manifest = props.tab.draft();
    const tab = props.tab;
    const later = setTimeout(() => void check(tab, manifest), PAUSE);
    onCleanup(() => clearTimeout(later));
  });
  createEffect(() => editor()?.setProblems(found()));
  createEffect(() => showAskedField(editor(), props.tab));

  /** Reads the draft. It is played at once if it can be, and is no edit of what has happened already. */
  async function check(tab: Tab, manifest: string): Promise<void> {
    const outdated = () => tab !== props.tab || manifest !== tab.draft();
    const problems = await oracle().call('check', { manifest });
    if (outdated()) return;
    setFound(problems);
    if (manifest === tab.manifest() || problems.some((one) => one.severity === 'error')) return;
    // What is of other objects than those that are there can be no edit of them.
    const changes = await oracle().call('changes', { before: tab.manifest(), after: manifest });
    if (outdated()) return;
    if (changes.problems.length > 0) startAnother(tab);
    else if (tab.cursor() === 0 || tab.atOutcome()) startOver(tab);
  }

  return (
    <section class="manifest" aria-labelledby="manifest-title">
      <header class="pane-head"><h2 id="manifest-title">Manifest</h2></header>
      <div class="editor">
        <Show when={!editor()}><pre class="editor-before mono" tabindex="0" aria-label="Manifest, while the editor is loading">{props.tab.draft()}</pre></Show>
        <div class="editor-place" ref={place} />
      </div>
      <Show when={changed() && errors().length === 0 && props.tab.cursor() > 0 && !props.tab.atOutcome()}><Changed workspace={props.workspace} tab={props.tab} onRefused={setFound} /></Show>
      <Show when={found().length > 0}>
        <ul class="problems" aria-label="Problems in the manifest">
          <For each={found()}>{(problem) => <li class={problem.severity}><Problem problem={problem} /></li>}</For>
        </ul>
      </Show>
    </section>
  );
}

/** Shows the field that was asked for; one that was asked for while the editor was loading, when it is there. */
function showAskedField(editor: Editor | null, tab: Tab): void {
  const field = shownField();
  if (!field || !editor) return;
  const { object, path } = tab.story().runs.written(field.path, field.object);
  editor.show(object, path);
  showField(null);
}

/** Offers what an edit in the middle of a play can mean. */
function Changed(props: Props & { onRefused: (problems: Diagnostic[]) => void }) {
  async function apply(): Promise<void> {
    const { tab } = props;
    const answer = await oracle().call('changes', { before: tab.manifest(), after: tab.draft() });
    if (answer.problems.length > 0) {
      props.onRefused(answer.problems);
      return;
    }
    tab.setDraft(tab.manifest());
    if (answer.actions.length > 0) act(props.workspace, tab, ...answer.actions);
  }
  return (
    <div class="changed" role="group" aria-label="The manifest has changed">
      <p>You changed the manifest.</p>
      <button type="button" class="main" onClick={() => void apply()}>Apply at {clock(props.tab.at())}</button>
      <button type="button" onClick={() => startOver(props.tab)}>Start over</button>
      <button type="button" class="quiet" onClick={() => props.tab.setDraft(props.tab.manifest())}>Discard</button>
    </div>
  );
}

/** What pods do: the rules of the script as a table, the actions as a list, and the script itself. */
import { createEffect, createSignal, For, Index, on, onCleanup, Show } from 'solid-js';

import { conditionTypes } from '../model/proposals.ts';
import { withoutLine, withRule } from '../model/script.ts';
import type { Diagnostic } from '../protocol.ts';
import { Problem } from '../shell/Problem.tsx';
import { change, playTyped } from '../state/acts.ts';
import { createAnswer } from '../state/answers.ts';
import { oracle } from '../state/oracle.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';
import { TryPolicy } from './PolicyTrials.tsx';
import { RuleForm } from './RuleForm.tsx';
import { type Edit, ProposalLists, Rules } from './Rules.tsx';
import { ScriptText, Unplayed } from './ScriptText.tsx';

interface Props {
  workspace: Workspace;
  tab: Tab;
}

/** The script is not played while it is being typed. */
const PAUSE = 250;

/** So many actions can be removed here; there are more only in scripts that a program wrote. */
const MOST = 100;

export function PodsPane(props: Props) {
  const [problems, setProblems] = createSignal<Diagnostic[]>([]);
  const [asText, setAsText] = createSignal(props.tab.scriptDraft() !== null);
  const [adding, setAdding] = createSignal(false);

  let pane: HTMLElement | undefined;

  const edit: Edit = async (to) => {
    const { tab } = props;
    const found = await change(props.workspace, tab, to);
    if (tab === props.tab) setProblems([]);
    return found;
  };
  // What is wrong with a script is about its own session.
  createEffect(on(() => props.tab, (tab) => {
    setProblems([]);
    if (tab.scriptDraft() !== null) setAsText(true);
  }));
  const play = (): void => void playTyped(props.workspace, props.tab);
  createEffect(() => {
    if (props.tab.scriptDraft() === null) return;
    const later = setTimeout(play, PAUSE);
    onCleanup(() => clearTimeout(later));
  });
  const unmatched = createAnswer(
    () => (props.tab.complete() && props.tab.play() > 0 && props.tab.parts().rules.length > 0 ? { play: props.tab.play(), version: props.tab.version() } : null),
    ({ play }) => oracle().call('unmatched', { play }),
  );
  const matchless = () => (props.tab.complete() && props.tab.scriptDraft() === null && props.tab.parts().rules.length > 0 ? (unmatched() ?? []) : []);

  async function add(rule: string): Promise<void> {
    setProblems(await edit((script, parts) => withRule(script, parts, rule)));
    if (problems().length > 0) pane?.querySelector('.pods-inside > .problem')?.scrollIntoView({ block: 'nearest' });
    else endAdding();
  }
  function endAdding(): void {
    setProblems([]);
    setAdding(false);
    stay();
  }

  /** Keeps the focus in the pane when what had it went away. */
  function stay(): void {
    requestAnimationFrame(() => document.activeElement === document.body && pane?.querySelector<HTMLElement>('.add-rule')?.focus());
  }

  return (
    <section class="pods-pane" aria-labelledby="pods-title" ref={pane}>
      <header class="pane-head">
        <h2 id="pods-title">Pod behaviour</h2>
        <span class="end" />
        <TryPolicy workspace={props.workspace} tab={props.tab} />
        <button type="button" class="quiet" onClick={() => setAsText(!asText())}>{asText() ? 'Edit as table' : 'Edit as text'}</button>
      </header>
      <div class="pods-inside">
        <Show when={props.tab.scriptProblems().length > 0}><Unplayed tab={props.tab} asText={asText()} /></Show>
        <Show when={!asText()} fallback={<ScriptText tab={props.tab} unmatched={matchless()} onPlay={play} />}>
          <ProposalLists tab={props.tab} />
          <Rules tab={props.tab} unmatched={matchless()} onEdit={edit} onRemoved={stay} />
          <Show when={adding()} fallback={<button type="button" class="add-rule" onClick={() => setAdding(true)}>Add a rule…</button>}>
            <RuleForm which="pods" conditions={conditionTypes(props.tab.standing())} onRule={(rule) => void add(rule)} onCancel={endAdding} focused />
          </Show>
          <Actions tab={props.tab} onEdit={edit} onRemoved={stay} />
        </Show>
        <For each={problems()}>{(problem) => <p class="problem" role="alert"><Problem problem={problem} unplaced /></p>}</For>
      </div>
    </section>
  );
}

function Actions(props: { tab: Tab; onEdit: Edit; onRemoved: () => void }) {
  const time = (action: { at: number }): number => (props.tab.version(), props.tab.story().scripted(action.at));
  const go = (at: number): void => {
    const story = props.tab.story();
    const step = story.steps.findIndex((one) => one.kind === 'action' && one.at === at);
    props.tab.goTo(step < 0 ? story.stepAt(at) : step);
  };
  return (
    <Show when={props.tab.parts().actions.length > 0}>
      <h3>Actions</h3>
      <ul class="actions">
        <Index each={props.tab.parts().actions.slice(0, MOST)}>
          {(action) => (
            <li>
              <button type="button" class="link" title="Go there" onClick={() => go(time(action()))}>{props.tab.clock().show(time(action()))}</button>
              <span class="mono">{action().text}</span>
              <button type="button" class="quiet" title="Remove this action" aria-label={`Remove: ${action().text}`} onClick={() => void props.onEdit((script) => withoutLine(script, action().line)).then(() => props.onRemoved())}>✕</button>
            </li>
          )}
        </Index>
      </ul>
    </Show>
  );
}

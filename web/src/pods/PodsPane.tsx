/** What pods do: the rules of the script as a table, the actions as a list, and the script itself. */
import { createSignal, For, Show } from 'solid-js';

import { withoutAction, withoutRule, withRule, withRuleChanged, withRuleRaised } from '../model/script.ts';
import { clock } from '../model/time.ts';
import type { Diagnostic, ScriptParts } from '../protocol.ts';
import { Problem } from '../shell/Problem.tsx';
import { oracle } from '../state/oracle.ts';
import { rewrite } from '../state/acts.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';
import { RuleForm } from './RuleForm.tsx';

interface Props {
  workspace: Workspace;
  tab: Tab;
}

/** Changes the script through the meaning of its lines, if the result can be read. */
type Edit = (change: (script: string, parts: ScriptParts) => string) => Promise<boolean>;

/** So many rules, and as many actions, have fields of their own; there are more only in scripts that a program wrote. */
const MOST = 100;

export function PodsPane(props: Props) {
  const [problems, setProblems] = createSignal<Diagnostic[]>([]);
  const [asText, setAsText] = createSignal(false);
  const [adding, setAdding] = createSignal(false);

  /** Plays another script if it can be read, and shows what is wrong with it if not. */
  async function play(script: string): Promise<boolean> {
    const found = await oracle().call('checkScript', { script });
    setProblems(found);
    if (found.some((one) => one.severity === 'error')) return false;
    rewrite(props.tab, script);
    return true;
  }

  const edit: Edit = async (change) => play(await props.tab.rewritten(change));

  return (
    <section class="pods-pane" aria-labelledby="pods-title">
      <header class="pane-head">
        <h2 id="pods-title">Pod behaviour</h2>
        <button type="button" class="quiet end" aria-pressed={asText()} onClick={() => setAsText(!asText())}>{asText() ? 'As table' : 'As text'}</button>
      </header>
      <div class="pods-inside">
        <Show when={!asText()} fallback={<ScriptText script={props.tab.script()} onScript={play} />}>
          <Rules tab={props.tab} onEdit={edit} />
          <Show when={adding()} fallback={<button type="button" onClick={() => setAdding(true)}>+ Rule</button>}>
            <RuleForm which="pods" onRule={(rule) => void edit((script, parts) => withRule(script, parts, rule)).then((done) => done && setAdding(false))} />
          </Show>
          <Actions tab={props.tab} onEdit={edit} />
        </Show>
        <For each={problems()}>{(problem) => <p class="problem" role="alert"><Problem problem={problem} /></p>}</For>
      </div>
    </section>
  );
}

function Rules(props: { tab: Tab; onEdit: Edit }) {
  const rules = () => props.tab.parts().rules;
  const change = (rule: number, which: string, what: string): void => {
    const empty = which.trim() === '' || what.trim() === '';
    void props.onEdit((script, parts) => (empty ? withoutRule(script, parts, rule) : withRuleChanged(script, parts, rule, `${which.trim()}: ${what.trim()}`)));
  };
  return (
    <Show when={rules().length > 0} fallback={<p class="muted">Every pod succeeds after 5 s.</p>}>
      <table class="rules">
        <thead><tr><th scope="col">Which pods</th><th scope="col">What they do</th><th><span class="unseen">Change</span></th></tr></thead>
        <tbody>
          <For each={rules().slice(0, MOST)}>
            {(rule, place) => (
              <tr>
                <td><input class="mono" aria-label={`Which pods, rule ${place() + 1}`} value={rule.which} title={rule.which} onChange={(event) => change(place(), event.currentTarget.value, rule.what)} /></td>
                <td><input class="mono" aria-label={`What they do, rule ${place() + 1}`} value={rule.what} title={rule.what} onChange={(event) => change(place(), rule.which, event.currentTarget.value)} /></td>
                <td class="tools">
                  <button type="button" class="quiet" title="Move up: the first rule that matches wins" aria-label={`Move rule ${place() + 1} up`} disabled={place() === 0} onClick={() => void props.onEdit((script, parts) => withRuleRaised(script, parts, place()))}>↑</button>
                  <button type="button" class="quiet" title="Remove" aria-label={`Remove rule ${place() + 1}`} onClick={() => void props.onEdit((script, parts) => withoutRule(script, parts, place()))}>✕</button>
                </td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
      <p class="muted small">The first rule that matches wins.<Show when={rules().length > MOST}> To change the other {rules().length - MOST} rules, choose “As text”.</Show></p>
    </Show>
  );
}

function Actions(props: { tab: Tab; onEdit: Edit }) {
  const go = (at: number): void => {
    const story = props.tab.story();
    const step = story.steps.findIndex((one) => one.kind === 'action' && one.at === at);
    props.tab.goTo(step < 0 ? story.stepAt(at) : step);
  };
  return (
    <Show when={props.tab.parts().actions.length > 0}>
      <h3>Actions</h3>
      <ul class="actions">
        <For each={props.tab.parts().actions.slice(0, MOST)}>
          {(action, place) => (
            <li>
              <button type="button" class="link" title="Go there" onClick={() => go(action.at)}>{clock(action.at)}</button>
              <span class="mono">{action.text}</span>
              <button type="button" class="quiet" title="Remove" aria-label={`Remove: ${action.text}`} onClick={() => void props.onEdit((script, parts) => withoutAction(script, parts, place()))}>✕</button>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}

function ScriptText(props: { script: string; onScript: (script: string) => Promise<boolean> }) {
  return (
    <textarea
      class="script mono" aria-label="The script" spellcheck={false} value={props.script}
      placeholder={'index 1: exit 42 after 2s\nat 12s: scale to 3'}
      onChange={(event) => void props.onScript(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && void props.onScript(event.currentTarget.value)}
    />
  );
}

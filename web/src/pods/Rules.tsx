/** The rules of the script as a table. A cell that cannot be read is marked and says what is valid; a rule that matches nothing is dimmed. */
import { createEffect, createMemo, createSignal, For, Index, on, Show } from 'solid-js';

import { proposals } from '../model/proposals.ts';
import { withLineChanged, withoutLine, withRuleRaised } from '../model/script.ts';
import { sentence } from '../model/words.ts';
import type { Diagnostic, RuleLine, ScriptParts, UnmatchedRule } from '../protocol.ts';
import { Prose } from '../shell/Prose.tsx';
import type { Tab } from '../state/tab.ts';

/** Changes the parsed lines of the script and, if the result parses, applies it; returns the error otherwise. */
export type Edit = (change: (script: string, parts: ScriptParts) => string) => Promise<Diagnostic[]>;

interface Props {
  tab: Tab;
  /** The rules that matched nothing. */
  unmatched: UnmatchedRule[];
  onEdit: Edit;
  /** Called when a rule went away. */
  onRemoved: () => void;
}

/** What is wrong with a cell. */
interface Wrong {
  /** The line of its rule. */
  line: number;
  cell: 'which' | 'what';
  /** What stands in both cells. */
  which: string;
  what: string;
  message: string;
  /** Whether the cells have been corrected: they are shown as valid once they are played. */
  settled: boolean;
}

/** So many rules have fields of their own; there are more only in scripts that a program wrote. */
const MOST = 100;

/** So many letters of a cell are seen while both cells stand side by side. */
const BESIDE = { which: 15, what: 19 };

export function Rules(props: Props) {
  const rules = () => props.tab.parts().rules;
  const [wrong, setWrong] = createSignal<Wrong | null>(null);
  // An edit before may be played only now; what is wrong stays as long as it is about the same rule.
  createEffect(on(rules, (now) => setWrong((known) => (known && !known.settled && besideWrong(known, now.find((rule) => rule.line === known.line)) ? known : null))));
  async function change(line: number, which: string, what: string): Promise<void> {
    const [pods, does] = [which.trim(), what.trim()];
    const empty = pods === '' || does === '';
    const { tab } = props;
    // A wrong cell survives a reload as text; a text that differs in other lines stays.
    const typed = tab.scriptDraft();
    const own = typed === null || withLineChanged(typed, line, '') === withLineChanged(tab.script(), line, '');
    const [found] = await props.onEdit((script) => (empty ? withoutLine(script, line) : withLineChanged(script, line, `${pods}: ${does}`)));
    if (found) setWrong({ line, cell: found.column <= pods.length + 1 ? 'which' : 'what', which: pods, what: does, message: sentence(found), settled: false });
    else setWrong((known) => known && { ...known, settled: true });
    if (own) tab.setScriptDraft(found ? withLineChanged(tab.script(), line, `${pods}: ${does}`) : null);
    if (own && !found) tab.setScriptProblems([]);
    if (empty) props.onRemoved();
  }
  return (
    <Show when={rules().length > 0} fallback={<p class="muted">Every pod succeeds after 5 s. Commands are not run.</p>}>
      <table class="rules">
        <thead><tr><th scope="col">Which pods</th><th scope="col">What they do</th><th><span class="unseen">Change</span></th></tr></thead>
        <tbody>
          <Index each={rules().slice(0, MOST)}>
            {(rule, place) => (
              <Rule
                {...props} rule={rule()} place={place} wrong={wrong()?.line === rule().line ? wrong() : null}
                unmatchedNote={props.unmatched.find((one) => one.line === rule().line)?.message ?? ''} onChange={(which, what) => void change(rule().line, which, what)}
              />
            )}
          </Index>
        </tbody>
      </table>
      <p class="muted small">The first rule that matches wins.<Show when={rules().length > MOST}> To change the other {rules().length - MOST} rules, choose “Edit as text”.</Show></p>
    </Show>
  );
}

/** Whether the cell beside the wrong one is that of a rule. */
function besideWrong({ cell, which, what }: Wrong, rule: RuleLine | undefined): boolean {
  return cell === 'which' ? rule?.what === what : rule?.which === which;
}

function Rule(props: Props & { rule: RuleLine; place: number; wrong: Wrong | null; unmatchedNote: string; onChange: (which: string, what: string) => void }) {
  const number = () => props.place + 1;
  const note = () => capital(props.wrong?.message ?? props.unmatchedNote.replace(/[^…]$/, '$&.'));
  let row: HTMLTableRowElement | undefined;
  const inputs = () => [...(row?.querySelectorAll('input') ?? [])];
  /** Both cells count as they stand there: the other one may not be readable yet. */
  const changed = (): void => {
    const [which, what] = inputs();
    if (which && what) props.onChange(which.value, what.value);
  };
  const cell = (name: 'which' | 'what', label: string) => {
    // A text that is being typed stays while the same rule is played once more.
    const text = createMemo(() => (props.wrong ?? props.rule)[name]);
    return (
      <td>
        <input
          class="mono" list={`${name}-proposals`} aria-label={`${label}, rule ${number()}`} value={text()} title={text()} autocomplete="off" spellcheck={false}
          aria-invalid={props.wrong?.cell === name} aria-describedby={note() === '' ? undefined : `rule-note-${props.place}`} onChange={changed}
        />
      </td>
    );
  };
  const remove = (): void => void props.onEdit((script) => withoutLine(script, props.rule.line)).then(() => props.onRemoved());
  return (
    <>
      <tr ref={row} classList={{ unmatched: props.unmatchedNote !== '', long: props.rule.which.length > BESIDE.which || props.rule.what.length > BESIDE.what }}>
        {cell('which', 'Which pods')}
        {cell('what', 'What they do')}
        <td class="tools">
          <button type="button" class="quiet" title="Move up: the first rule that matches wins" aria-label={`Move rule ${number()} up`} disabled={props.place === 0} onClick={() => void props.onEdit((script, parts) => withRuleRaised(script, parts, props.rule.line))}>↑</button>
          <button type="button" class="quiet" title="Remove this rule" aria-label={`Remove rule ${number()}`} onClick={remove}>✕</button>
        </td>
      </tr>
      <Show when={note() !== ''}>
        <tr class="note"><td colspan="3"><p id={`rule-note-${props.place}`} class={props.wrong ? 'problem' : 'muted small'} role={props.wrong ? 'alert' : undefined}><Prose text={note()} /></p></td></tr>
      </Show>
    </>
  );
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What fields for rules propose: they name these lists. */
export function ProposalLists(props: { tab: Tab }) {
  const all = createMemo(() => (props.tab.version(), proposals(props.tab.story(), props.tab.standing())));
  return (
    <>
      <datalist id="which-proposals"><For each={all().which}>{(one) => <option value={one} />}</For></datalist>
      <datalist id="what-proposals"><For each={all().what}>{(one) => <option value={one} />}</For></datalist>
    </>
  );
}

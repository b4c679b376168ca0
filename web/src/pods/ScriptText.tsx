/** The script as text. It is played while it is typed, after a pause; at once when the field is left, or by Ctrl+Enter. A rule that matches nothing is dimmed. */
import { createSignal, For, onMount, Show } from 'solid-js';

import type { UnmatchedRule } from '../protocol.ts';
import { Problem } from '../shell/Problem.tsx';
import { Prose } from '../shell/Prose.tsx';
import type { Tab } from '../state/tab.ts';

interface Props {
  tab: Tab;
  /** The rules that matched nothing. */
  unmatched: UnmatchedRule[];
  /** Plays the script as it is typed, at once. */
  onPlay: () => void;
}

/** The height of a line in pixels, and where the first one begins. */
const [LINE, TOP] = [20, 7];

export function ScriptText(props: Props) {
  let area: HTMLTextAreaElement | undefined;
  const [scrolled, setScrolled] = createSignal(0);
  onMount(() => area?.focus());
  return (
    <>
      <div class="script-box">
        <textarea
          class="script mono" aria-label="Script" spellcheck={false} wrap="off" ref={area} placeholder={'index 1: exit 42 after 2s\nat 12s: scale to 3'} value={props.tab.scriptDraft() ?? props.tab.script()}
          onInput={(event) => props.tab.setScriptDraft(event.currentTarget.value)} onBlur={() => props.onPlay()} onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
          onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && props.onPlay()}
        />
        <div class="script-veils" aria-hidden="true"><For each={props.unmatched}>{({ line }) => <span style={{ top: `${TOP + (line - 1) * LINE - scrolled()}px` }} />}</For></div>
      </div>
      <Show when={props.unmatched.length > 0}><ul class="script-notes"><For each={props.unmatched}>{({ line, message }) => <li class="muted small">Line {line}: <Prose text={message} /></li>}</For></ul></Show>
    </>
  );
}

/** What is wrong with the script as it is typed; beside the table, how it stands as text. */
export function Unplayed(props: { tab: Tab; asText: boolean }) {
  function discard(): void {
    props.tab.setScriptDraft(null);
    props.tab.setScriptProblems([]);
  }
  return (
    <div class="unplayed">
      <For each={props.tab.scriptProblems()}>{(problem) => <p class="problem" role="alert"><Problem problem={problem} /></p>}</For>
      <Show when={!props.asText}><p class="muted small">These rules are the last ones that could be played. Your text is kept: choose “Edit as text” to correct it. <button type="button" class="link" onClick={discard}>Discard the text</button></p></Show>
    </div>
  );
}

/** The script as text. It is played while it is typed, after a pause; at once when the field is left, or by Ctrl+Enter. */
import { createEffect, on, onCleanup, onMount } from 'solid-js';

interface Props {
  script: string;
  /** Plays a script; ends when that was done, or refused. */
  onScript: (script: string) => Promise<void>;
}

/** The script is not played while it is being typed. */
const PAUSE = 250;

export function ScriptText(props: Props) {
  let area: HTMLTextAreaElement | undefined;
  let later: ReturnType<typeof setTimeout> | undefined;
  /** What was sent last, and all that is not played yet: none of it replaces what was typed since. */
  let latest = props.script;
  const sent: string[] = [];

  async function play(): Promise<void> {
    clearTimeout(later);
    latest = area?.value ?? latest;
    sent.push(latest);
    await props.onScript(latest).finally(() => sent.shift());
  }
  function typed(): void {
    clearTimeout(later);
    later = setTimeout(() => void play(), PAUSE);
  }
  function left(): void {
    if (area && area.value !== latest) void play();
  }
  createEffect(on(() => props.script, (script) => {
    if (!area || sent.includes(script)) return;
    clearTimeout(later);
    latest = script;
    area.value = script;
  }));
  onMount(() => area?.focus());
  onCleanup(() => clearTimeout(later));
  return (
    <textarea
      class="script mono" aria-label="Script" spellcheck={false} ref={area} placeholder={'index 1: exit 42 after 2s\nat 12s: scale to 3'}
      onInput={typed} onBlur={left} onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && void play()}
    />
  );
}

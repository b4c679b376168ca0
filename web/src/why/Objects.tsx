/** The objects after a step, as YAML, folded until they are asked for. */
import { createSignal, For, Show } from 'solid-js';

import type { ObjectName } from '../protocol.ts';
import { createAnswer } from '../state/answers.ts';
import { oracle } from '../state/oracle.ts';
import type { Tab } from '../state/tab.ts';

export function Objects(props: { tab: Tab }) {
  const [open, setOpen] = createSignal(false);
  const place = () => (open() && props.tab.step() ? { play: props.tab.play(), step: props.tab.cursor() } : null);
  const answer = createAnswer(place, (asked) => oracle().ask('objects', asked));
  const names = () => answer() ?? [];
  return (
    <details class="objects" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary><h3>Objects</h3></summary>
      <For each={names().slice(0, 200)}>{(name) => <Object tab={props.tab} name={name} />}</For>
      <Show when={names().length > 200}><p class="muted">and {names().length - 200} more</p></Show>
    </details>
  );
}

function Object(props: { tab: Tab; name: ObjectName }) {
  const [open, setOpen] = createSignal(false);
  const place = () => {
    if (!open() || !props.tab.step()) return null;
    const { kind, namespace, name } = props.name;
    return { play: props.tab.play(), step: props.tab.cursor(), kind, namespace, name };
  };
  const yaml = createAnswer(place, (asked) => oracle().ask('yaml', asked));
  return (
    <details class="object" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="mono">{props.name.kind.toLowerCase()}/{props.name.name} <span class="muted">version {props.name.resourceVersion}</span></summary>
      <pre class="yaml" tabindex="0">{yaml() ?? ''}</pre>
    </details>
  );
}

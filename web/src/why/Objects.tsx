/** The objects after a step, as YAML, folded until they are opened; what is unfolded stays so from step to step. */
import { createSignal, Index, Show } from 'solid-js';

import type { ObjectName } from '../protocol.ts';
import { createAnswer } from '../state/answers.ts';
import { oracle } from '../state/oracle.ts';
import type { Tab } from '../state/tab.ts';

export function Objects(props: { tab: Tab }) {
  const [open, setOpen] = createSignal(false);
  const [unfolded, setUnfolded] = createSignal<readonly string[]>([]);
  const place = () => (open() && props.tab.step() && props.tab.play() > 0 ? { play: props.tab.play(), step: props.tab.cursor() } : null);
  const answer = createAnswer(place, (where) => oracle().call('objects', where));
  const names = () => answer() ?? [];
  const toggle = (key: string, unfold: boolean): void => {
    setUnfolded((keys) => [...keys.filter((other) => other !== key), ...(unfold ? [key] : [])]);
  };
  return (
    <details class="objects" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary><h3>Objects</h3></summary>
      <Index each={names().slice(0, 200)}>
        {(name) => {
          const key = () => `${name().kind}/${name().namespace}/${name().name}`;
          return <Object tab={props.tab} name={name()} open={unfolded().includes(key())} onToggle={(unfold) => toggle(key(), unfold)} />;
        }}
      </Index>
      <Show when={names().length > 200}><p class="muted">and {names().length - 200} more</p></Show>
    </details>
  );
}

function Object(props: { tab: Tab; name: ObjectName; open: boolean; onToggle: (open: boolean) => void }) {
  const place = () => {
    if (!props.open || !props.tab.step() || props.tab.play() === 0) return null;
    const { kind, namespace, name } = props.name;
    return { play: props.tab.play(), step: props.tab.cursor(), kind, namespace, name };
  };
  const yaml = createAnswer(place, (where) => oracle().call('yaml', where));
  return (
    <details class="object" open={props.open} onToggle={(event) => event.currentTarget.open !== props.open && props.onToggle(event.currentTarget.open)}>
      <summary class="mono">{props.name.kind.toLowerCase()}/{props.tab.story().names.of(props.name)} <span class="muted">resourceVersion {props.name.resourceVersion}</span></summary>
      <pre class="yaml" tabindex="0">{yaml() ?? ''}</pre>
    </details>
  );
}

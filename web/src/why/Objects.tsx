/** The objects after a step, as YAML: listed where there is room, and each folded until it is opened; what is unfolded stays so from step to step. */
import { createMemo, createSignal, Index, onMount, Show } from 'solid-js';

import type { ObjectName } from '../protocol.ts';
import { matches } from '../shell/media.ts';
import { createAnswer } from '../state/answers.ts';
import { embedded } from '../state/embedded.ts';
import { oracle } from '../state/oracle.ts';
import { painted } from '../state/painted.ts';
import { isFlag, kept } from '../state/settings.ts';
import type { Tab } from '../state/tab.ts';

/** The objects of more pods than these are listed on request: there are new ones with each step. */
const FEW = 20;

export function Objects(props: { tab: Tab }) {
  /** Whether a person wants them listed; null until one has chosen. */
  const [chosen, setChosen] = kept<boolean | null>('objects', null, (value) => value === null || isFlag(value));
  const roomy = matches('(min-width: 901px) and (min-height: 800px)');
  const [seen, setSeen] = createSignal(false);
  onMount(() => void painted().then(() => setSeen(true)));
  const few = createMemo(() => (props.tab.version(), props.tab.story().bars.rows().length <= FEW));
  const open = () => chosen() ?? (seen() && roomy() && few() && !embedded);
  const [unfolded, setUnfolded] = createSignal<readonly string[]>([]);
  const place = createMemo(() => (open() && props.tab.step() && props.tab.play() > 0 ? { play: props.tab.play(), step: props.tab.cursor() } : null));
  const [answered, setAnswered] = createSignal<ReturnType<typeof place>>(null);
  const answer = createAnswer(place, (where) => oracle().call('objects', where).finally(() => setAnswered(where)));
  const names = () => answer() ?? [];
  const toggle = (key: string, unfold: boolean): void => {
    setUnfolded((keys) => [...keys.filter((other) => other !== key), ...(unfold ? [key] : [])]);
  };
  return (
    <details class="objects" aria-busy={place() !== null && answered() !== place()} open={open()}>
      {/* A choice holds at once: the event `toggle` comes later, and not at all if the page is left before. */}
      <summary onClick={(event) => (event.preventDefault(), setChosen(!open()))}><h3>Objects</h3></summary>
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
      <summary class="mono">{props.name.kind.toLowerCase()}/{props.tab.story().names.of(props.name)}</summary>
      <pre class="yaml" tabindex="0">{yaml() ?? ''}</pre>
    </details>
  );
}

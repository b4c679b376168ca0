/** The final outcome of each CronJob and Job, above the timeline; a link leads to the step that decided it. */
import { createMemo, createSignal, For, Show } from 'solid-js';

import type { ObjectOutcome } from '../model/outcome.ts';
import type { State } from '../protocol.ts';
import { SIGNS } from '../shell/signs.tsx';
import { embedded } from '../state/embedded.ts';
import type { Tab } from '../state/tab.ts';

interface Props {
  tab: Tab;
  /** Which of two timelines it is; empty if there is only one. */
  side: string;
  onGo: (step: number) => void;
}

/** More lines than these would leave too little room for the timeline. */
const MOST = 3;

/** The states, those that need attention first. */
const STATES: State[] = ['failed', 'stuck', 'running', 'suspended', 'deleted', 'complete'];

export function OutcomeLines(props: Props) {
  // What was recorded stands above.
  const known = createMemo(() => (props.tab.version(), props.tab.story().outcomes.filter(({ kind, object }) => kind === 'CronJob' || !props.tab.story().recordedEnd(object))));
  /** Of more than are shown, what went wrong comes first. */
  const all = createMemo(() => (known().length > MOST ? known().toSorted((one, other) => STATES.indexOf(one.state) - STATES.indexOf(other.state)) : known()));
  const [whole, setWhole] = createSignal(false);
  const counts = (): string => {
    const states = STATES.map((state) => ({ state, count: all().filter((outcome) => outcome.state === state).length }));
    return `${all().length} outcomes: ${states.filter(({ count }) => count > 0).map(({ state, count }) => `${count} ${state}`).join(', ')}`;
  };
  /** Whether nothing that a person wrote has pods succeed. */
  const assumed = () => !props.tab.recording && props.tab.parts().rules.length === 0 && all().some(({ kind, state }) => state === 'complete' || (kind === 'CronJob' && state === 'running'));
  const names = () => props.tab.story().names;
  return (
    <section class="outcomes" classList={{ stale: props.tab.stale() !== '' }} aria-label={`Outcome of ${props.tab.title() || 'the session'}`}>
      <Show when={props.side}><span class="side" aria-hidden="true">{props.side}</span></Show>
      <Show when={props.tab.problems().length === 0}>
        <Show when={all().length > MOST}><p class="outcome-counts">{counts()}</p></Show>
        <For each={all().slice(0, whole() ? all().length : MOST)} fallback={<Show when={!props.tab.story().past}><p class="muted">No Jobs or CronJobs.</p></Show>}>
          {(outcome) => <Line {...props} outcome={outcome} name={all().length > 1 ? `${outcome.kind.toLowerCase()}/${names().of(outcome.object)}` : ''} />}
        </For>
        <Show when={assumed()}><p class="muted assumed">Commands are not run: every pod is assumed to succeed after 5 s.{embedded ? '' : ' To change that, add a rule under “Pod behaviour”.'}</p></Show>
        <Show when={all().length > MOST}><p class="muted"><button type="button" class="link" aria-expanded={whole()} onClick={() => setWhole(!whole())}>{whole() ? 'Show fewer' : `Show all ${all().length}`}</button></p></Show>
      </Show>
    </section>
  );
}

function Line(props: Props & { outcome: ObjectOutcome; name: string }) {
  const time = (step: number): string => props.tab.clock().show(props.tab.story().steps[step]?.at ?? 0);
  return (
    <p class={`outcome-line ${props.outcome.state}`}>
      <span class="outcome-sign" aria-hidden="true">{SIGNS[props.outcome.state]()}</span>
      <span class="outcome-text" title={props.outcome.facts.join(' · ')}><Show when={props.name}><span class="mono">{props.name}</span> </Show><strong>{props.outcome.facts[0]}</strong><For each={props.outcome.facts.slice(1)}>{(fact) => <span> · {fact}</span>}</For></span>
      <Show when={props.outcome.decided}>
        {(decided) => <button type="button" class="link" onClick={() => props.onGo(decided().step)}>{decided().question}: {time(decided().step)} →</button>}
      </Show>
    </p>
  );
}

/** What a step changed of an object's spec and status, leaf by leaf; what the controllers need to keep count, and the times of conditions, are folded away. */
import { createMemo, createSignal, For, Show } from 'solid-js';

import { counted } from '../model/words.ts';
import type { Change } from '../protocol.ts';

/** A value that is longer is cut: the indexes of a large Job fill pages, and laying them out would make dragging the cursor slow. */
const MOST = 160;

/** Each condition has both times, and they repeat the clock; pods that are not counted yet are named by their UIDs. */
const DETAILS = /^status\.(conditions.*\.last(Probe|Transition)Time$|uncountedTerminatedPods)/;

export function Changes(props: { changes: Change[]; kind: string; name: string }) {
  const details = createMemo(() => props.changes.filter((change) => DETAILS.test(change.path)));
  return (
    <>
      <h3>Changes to {props.kind}/{props.name}</h3>
      <List changes={props.changes.filter((change) => !DETAILS.test(change.path))} />
      <Show when={details().length > 0}>
        <details>
          <summary>Condition timestamps and pods being counted</summary>
          <List changes={details()} />
        </details>
      </Show>
    </>
  );
}

function List(props: { changes: Change[] }) {
  return (
    <dl class="changes mono">
      <For each={props.changes}>
        {(change) => (
          <div>
            <dt>{change.path}</dt>
            <Show when={change.before !== null}><dd class="before"><span class="unseen">before: </span>− <Cut text={change.before ?? ''} /></dd></Show>
            <Show when={change.after !== null}><dd class="after"><span class="unseen">after: </span>+ <Cut text={change.after ?? ''} /></dd></Show>
          </div>
        )}
      </For>
    </dl>
  );
}

/** A value, shown in full on request. */
function Cut(props: { text: string }) {
  const [whole, setWhole] = createSignal(false);
  return (
    <Show when={props.text.length > MOST && !whole()} fallback={props.text}>
      {props.text.slice(0, MOST)}… <button type="button" class="link" onClick={() => setWhole(true)}>Show in full ({counted(props.text.length, 'character')})</button>
    </Show>
  );
}

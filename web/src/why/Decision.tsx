/** One decision: what was done or left alone, the fields behind it, and where Kubernetes documents it. */
import { For, onCleanup, Show } from 'solid-js';

import { shortName } from '../model/names.ts';
import { word } from '../model/sentence.ts';
import { MARKS } from '../model/words.ts';
import type { DecisionEntry, Part } from '../protocol.ts';
import { embedded } from '../state/embedded.ts';
import { type Field, pointed, setReasons, showField, touch } from '../state/fields.ts';
import type { Tab } from '../state/tab.ts';

interface Props {
  tab: Tab;
  decision: DecisionEntry;
  onRetries: () => void;
}

export function Decision(props: Props) {
  /** The fields behind it, where they are written. */
  const written = (): Field[] => props.decision.fields.map((path) => props.tab.story().runs.written(path, props.decision.about));
  const lit = () => {
    const field = pointed();
    return field !== null && written().some((one) => touch(one, field));
  };
  onCleanup(() => setReasons([]));
  return (
    <li class="decision" classList={{ lit: lit(), waits: props.decision.role !== 'action' }} onPointerEnter={() => setReasons(written())} onPointerLeave={() => setReasons([])}>
      <span class="mark" role="img" aria-label={props.decision.role}>{MARKS[props.decision.role]}</span>
      <div>
        <p class="sentence"><For each={props.decision.parts}>{(part) => <Piece part={part} decision={props.decision} />}</For></p>
        <p class="source">
          <For each={props.decision.fields}>
            {(field) => (
              <Show when={!embedded} fallback={<span class="field mono">{field}</span>}>
                <button type="button" class="field mono" title="Show this field in the manifest" onClick={() => showField({ path: field, object: props.decision.about })}>{field}</button>
              </Show>
            )}
          </For>
          <Show when={props.decision.url}>
            {(href) => <a href={href()} target="_blank" rel="noreferrer">{props.decision.heading} ↗</a>}
          </Show>
          <Show when={typeof props.decision.values['delay'] === 'number'}><button type="button" class="link" onClick={() => props.onRetries()}>How the delays grow</button></Show>
          <Show when={typeof props.decision.values['toAmount'] === 'number'}><button type="button" class="link" onClick={() => props.onRetries()}>How it grows by attempt</button></Show>
        </p>
      </div>
    </li>
  );
}

/** A part of a sentence as what it is: a time, an object, or a field that leads to its line. */
function Piece(props: { part: Part; decision: DecisionEntry }) {
  const text = () => word(props.part);
  const { part } = props;
  if (typeof part === 'string') return <>{text()}</>;
  if ('time' in part) return <time dateTime={part.time} title={part.time}>{text()}</time>;
  if ('object' in part) return <span class="mono" title={`${part.object.kind} ${part.object.namespace}/${part.object.name}`}>{shortName(text())}</span>;
  // A page that is a part of another has no manifest beside it.
  if (embedded) return <span class="mono">{text()}</span>;
  return <button type="button" class="link mono" title={`Show ${part.field} in the manifest`} onClick={() => showField({ path: part.field, object: props.decision.about })}>{text()}</button>;
}

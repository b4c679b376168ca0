/** One decision: what was done or left alone, on which fields it rests, and where Kubernetes documents it. */
import { For, Show } from 'solid-js';

import { address } from '../model/pages.ts';
import type { DecisionEntry } from '../protocol.ts';
import { ask, pointed, touches } from '../state/fields.ts';

export function Decision(props: { decision: DecisionEntry; onCurve: () => void }) {
  const lit = () => {
    const path = pointed();
    return path !== null && props.decision.fields.some((field) => touches(field, path));
  };
  return (
    <li class="decision" classList={{ lit: lit(), waits: !props.decision.acts }}>
      <span class="mark" role="img" aria-label={props.decision.acts ? 'done' : 'not done'}>{props.decision.acts ? '●' : '○'}</span>
      <div>
        <p class="sentence">{props.decision.sentence}</p>
        <p class="source">
          <For each={props.decision.fields}>
            {(field) => (
              <button type="button" class="field mono" title="Show it in the manifest" onClick={() => ask({ path: field, job: props.decision.about })}>{field}</button>
            )}
          </For>
          <span class="rule" title="The rule of the specification that the controller follows">{props.decision.rule}</span>
          <Show when={address(props.decision.page, props.decision.heading)}>
            {(href) => <a href={href()} target="_blank" rel="noreferrer">{props.decision.heading} ↗</a>}
          </Show>
          <Show when={typeof props.decision.values['delay'] === 'number'}><button type="button" class="link" onClick={() => props.onCurve()}>How the delays grow</button></Show>
        </p>
      </div>
    </li>
  );
}

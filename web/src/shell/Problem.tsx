/** What is wrong with a manifest or a script: where, what, and what to do. */
import { Show } from 'solid-js';

import type { Diagnostic } from '../protocol.ts';

export function Problem(props: { problem: Diagnostic }) {
  return (
    <>
      <b>Line {props.problem.line}:</b> {props.problem.message}<Show when={props.problem.remedy}> – <span class="muted">{props.problem.remedy}</span></Show>
    </>
  );
}

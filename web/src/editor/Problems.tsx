/** What is wrong with the manifest, as a list below the editor: a click goes to the place, or repairs it. */
import { For, Show } from 'solid-js';

import type { Diagnostic, Repair } from '../protocol.ts';
import { Problem } from '../shell/Problem.tsx';

interface Props {
  problems: Diagnostic[];
  onGo: (problem: Diagnostic) => void;
  onRepair: (repair: Repair) => void;
}

/** So many are listed; the editor marks the others too. */
const MOST = 50;

export function Problems(props: Props) {
  return (
    <Show when={props.problems.length > 0}>
      <ul class="problems" aria-label="Problems in the manifest">
        <For each={props.problems.slice(0, MOST)}>
          {(problem) => (
            <li class={problem.severity}>
              <button type="button" class="place" title="Show this line in the editor" onClick={() => props.onGo(problem)}><Problem problem={problem} /></button>
              <Show when={problem.repair}>
                {(repair) => <button type="button" class="repair" title="Apply this fix (Ctrl+. on the line in the editor)" onClick={() => props.onRepair(repair())}>{repair().label}</button>}
              </Show>
            </li>
          )}
        </For>
        <Show when={props.problems.length > MOST}><li class="muted">and {props.problems.length - MOST} more</li></Show>
      </ul>
    </Show>
  );
}

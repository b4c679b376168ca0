/** An item of a list of problems: a click goes to its place, repairs it, or shows the page of its rule. */
import { Show } from 'solid-js';

import type { Diagnostic, Repair } from '../protocol.ts';
import { Problem } from '../shell/Problem.tsx';
import { showRule } from '../state/shownRule.ts';

interface Props {
  problem: Diagnostic;
  onGo: (problem: Diagnostic) => void;
  onRepair: (repair: Repair) => void;
}

export function ProblemItem(props: Props) {
  return (
    <li class={props.problem.severity}>
      <button type="button" class="place" title="Show this line in the editor" onClick={() => props.onGo(props.problem)}><Problem problem={props.problem} /></button>
      <Show when={props.problem.repair}>
        {(repair) => <button type="button" class="repair" title="Apply this fix (Ctrl+. on the line in the editor)" onClick={() => props.onRepair(repair())}>{repair().label}</button>}
      </Show>
      <Show when={props.problem.rule}>
        {(rule) => <button type="button" class="link rule" title="What this rule reports, and why" onClick={() => showRule({ rule: rule(), severity: props.problem.severity })}>{rule()}</button>}
      </Show>
    </li>
  );
}

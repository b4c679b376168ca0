/** What is wrong with a manifest or a script: where, what, and what to do. */
import { Show } from 'solid-js';

import { faulty } from '../model/words.ts';
import type { Diagnostic } from '../protocol.ts';
import { Prose } from './Prose.tsx';

interface Props {
  problem: Diagnostic;
  /** Whether the text with the problem stands elsewhere, so that its lines say nothing. */
  unplaced?: boolean;
}

export function Problem(props: Props) {
  return (
    <>
      <Show when={!props.unplaced}><b>Line {props.problem.line}:</b> </Show><Prose text={faulty(props.problem)} /><Show when={props.problem.remedy}>{(remedy) => <> – <span class="muted"><Prose text={remedy()} /></span></>}</Show>
    </>
  );
}

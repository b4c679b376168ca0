/** What differs between two sessions, and the first thing that happens otherwise because of it. */
import { createEffect, createMemo, For, onCleanup, Show } from 'solid-js';

import { clock } from '../model/time.ts';
import { differences, divergence, type Divergence } from '../model/divergence.ts';
import type { Tab } from '../state/tab.ts';

interface Props {
  left: Tab;
  right: Tab;
  /** Gets where the sessions diverge, as soon as it is known. */
  onParting: (parting: Divergence | null) => void;
  onGo: () => void;
  onClose: () => void;
}

/** More lines than these help nobody. */
const MOST = 6;

export function Parting(props: Props) {
  const lines = createMemo(() => [...differences(props.left.manifest(), props.right.manifest()), ...differences(props.left.script(), props.right.script())]);
  const complete = () => props.right.complete() && props.left.complete();
  const parting = createMemo(() => (complete() ? divergence(props.left.story().steps, props.right.story().steps) : null));
  createEffect(() => props.onParting(parting()));
  onCleanup(() => props.onParting(null));
  return (
    <aside class="parting-box" aria-label="Comparison">
      <div class="parting-lines mono">
        <For each={lines().slice(0, MOST)}>{(line) => <p><span aria-hidden="true">{line.side === 'left' ? 'A' : 'B'}</span> <span class="unseen">{line.side === 'left' ? 'first: ' : 'second: '}</span>{line.text.trim()}</p>}</For>
        <Show when={lines().length === 0}><p>Both sessions are identical so far.</p></Show>
        <Show when={lines().length > MOST}><p>and {lines().length - MOST} more lines</p></Show>
      </div>
      <Show when={parting()} fallback={<p class="muted">{complete() ? 'Both sessions play out identically.' : 'One session is still playing.'}</p>}>
        {(found) => (
          <div class="parting-first">
            <p><b>They diverge at {clock(props.left.story().steps[found().left.step]?.at ?? 0)}.</b> <button type="button" class="link" onClick={() => props.onGo()}>Go there</button></p>
            <p><span class="side">A</span> {found().left.text ?? 'Nothing else happens.'}</p>
            <p><span class="side">B</span> {found().right.text ?? 'Nothing else happens.'}</p>
          </div>
        )}
      </Show>
      <button type="button" class="quiet" aria-label="Stop comparing" onClick={() => props.onClose()}>✕</button>
    </aside>
  );
}

/** What differs between two sessions, and the first thing that happens differently because of it. */
import { createMemo, For, Show } from 'solid-js';

import { differences, type Divergence, type Reason, type Side } from '../model/divergence.ts';
import { counted } from '../model/words.ts';
import type { Tab } from '../state/tab.ts';

interface Props {
  left: Tab;
  right: Tab;
  /** Null until both were played. */
  divergence: Divergence | null;
  onGo: () => void;
  /** Looks at a decision in one of the lanes. */
  onReason: (tab: Tab, reason: Reason) => void;
  onClose: () => void;
}

/** More lines than these do not help. */
const MOST = 6;

export function Comparison(props: Props) {
  const lines = createMemo(() => [...differences(props.left.manifest(), props.right.manifest()), ...differences(props.left.script(), props.right.script())]);
  const every = (holds: (tab: Tab) => boolean): boolean => holds(props.left) && holds(props.right);
  const same = (): string => {
    if (!every((tab) => tab.failure() === null)) return 'They can be compared once both have been simulated.';
    if (!every((tab) => tab.complete())) return 'Still playing…';
    return every((tab) => tab.story().ended) ? 'They play out the same.' : 'They are the same so far.';
  };
  return (
    <aside class="comparison" aria-label="Comparison">
      <div class="comparison-lines">
        <For each={lines().slice(0, MOST)}>{(line) => <p class="mono"><span aria-hidden="true">{line.side === 'left' ? 'A' : 'B'}</span> <span class="unseen">{line.side === 'left' ? 'first: ' : 'second: '}</span>{line.text.trim()}</p>}</For>
        <Show when={lines().length === 0}><p>Both have the same manifest and pod behaviour.</p></Show>
        <Show when={lines().length > MOST}><p>and {counted(lines().length - MOST, 'more line')}</p></Show>
      </div>
      <Show when={props.divergence} fallback={<p class="muted">{same()}</p>}>
        {(found) => (
          <div class="comparison-first">
            <p><b>They diverge at {props.left.clock().show(found().at)}.</b> <button type="button" class="link" onClick={() => props.onGo()}>Go there</button></p>
            <SideLine name="A" side={found().left} onReason={(reason) => props.onReason(props.left, reason)} />
            <SideLine name="B" side={found().right} onReason={(reason) => props.onReason(props.right, reason)} />
          </div>
        )}
      </Show>
      <button type="button" class="quiet" aria-label="Stop comparing" onClick={() => props.onClose()}>✕</button>
    </aside>
  );
}

/** What happens on one side, and the decision behind it, which may come later. */
function SideLine(props: { name: string; side: Side; onReason: (reason: Reason) => void }) {
  return (
    <div class="side-cell">
      <p title={props.side.text ?? ''}><span class="side">{props.name}</span> {props.side.text ?? 'Nothing else happens.'}</p>
      <Show when={props.side.reason}>{(reason) => <p class="side-reason"><button type="button" class="link" title={`Go there: ${reason().text}`} onClick={() => props.onReason(reason())}>{reason().text}</button></p>}</Show>
    </div>
  );
}

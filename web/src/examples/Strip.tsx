/** The text of the example and the way into the tour, in a strip that can be closed. */
import { Show } from 'solid-js';

import { Prose } from '../shell/Prose.tsx';
import type { Tab } from '../state/tab.ts';

export function Strip(props: { tab: Tab; onTour: () => void }) {
  return (
    <Show when={props.tab.prose()}>
      <aside class="strip" aria-label="About this example">
        <p><Prose text={props.tab.prose()} /> <button type="button" class="link" onClick={() => props.onTour()}>Take the tour</button></p>
        <button type="button" class="quiet" aria-label="Close this description" onClick={() => props.tab.setProse('')}>✕</button>
      </aside>
    </Show>
  );
}

/** What part of time is in view: what was recorded, if much comes after it, or else all of it until it is zoomed; and then always a part with the cursor in it. */
import { createEffect, createMemo, createSignal, on } from 'solid-js';

import type { Tab } from '../state/tab.ts';
import { turned, type View, whole } from './scale.ts';

/** What was recorded has the timeline for itself if all of it is so many times as long. */
const MUCH = 4;

/** `lanes` share the view; `tab` is the current one. */
export function useView(lanes: () => Tab[], tab: () => Tab, lastAt: () => number) {
  /** Undefined until somebody has chosen one. */
  const [chosen, setView] = createSignal<View | null | undefined>();
  const recorded = createMemo(() => {
    const [lane, other] = lanes();
    const until = (lane?.version(), lane?.story().past?.until);
    return until !== undefined && until > 0 && !other && lastAt() > MUCH * until ? whole(until) : null;
  }, null, { equals: (before, after) => before?.to === after?.to });
  const view = createMemo(() => (chosen() === undefined ? recorded() : (chosen() ?? null)));
  const at = createMemo(() => tab().at());
  createEffect(() => {
    for (const lane of lanes()) lane.story();
    setView(undefined);
  });
  createEffect(on(at, (now) => {
    const shown = view();
    const next = shown && turned(shown, now, whole(lastAt()));
    if (next !== shown) setView(next);
  }));
  return { view, setView };
}

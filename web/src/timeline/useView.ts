/** What part of time is in view: all of it until it is zoomed, and then always a part with the cursor in it. */
import { createEffect, createMemo, createSignal, on } from 'solid-js';

import type { Tab } from '../state/tab.ts';
import { turned, type View, whole } from './scale.ts';

/** `lanes` share the view; `tab` is the current one. */
export function useView(lanes: () => Tab[], tab: () => Tab, lastAt: () => number) {
  const [view, setView] = createSignal<View | null>(null);
  const at = createMemo(() => tab().at());
  createEffect(() => {
    for (const lane of lanes()) lane.story();
    setView(null);
  });
  createEffect(on(at, (now) => setView((known) => known && turned(known, now, whole(lastAt())))));
  return { view, setView };
}

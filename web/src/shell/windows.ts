/** Which of the windows over the page is open; one at a time. */
import { createSignal } from 'solid-js';

export type WindowName = 'examples' | 'help' | 'compare' | 'retries' | 'tour';

export type Windows = ReturnType<typeof createWindows>;

export function createWindows() {
  const [shown, setShown] = createSignal<WindowName | null>(null);
  return { shown, open: (name: WindowName) => setShown(name), close: () => setShown(null) };
}

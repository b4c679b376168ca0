/** Where a list is scrolled to. The list follows once a frame, however many steps follow one another: it has to be laid out for that. */
import { createSignal, onCleanup, onMount } from 'solid-js';

export function useScroll(area: () => HTMLElement | undefined) {
  const [top, setTop] = createSignal(0);
  let frame = 0;
  function settle(): void {
    cancelAnimationFrame(frame);
    frame = 0;
    const list = area();
    if (list) list.scrollTop = top();
  }
  // Where the first view is built, there are no frames to cancel.
  onMount(() => onCleanup(() => cancelAnimationFrame(frame)));
  return {
    top,
    /** Scrolls with the next frame. */
    scroll: (to: number): void => {
      setTop(to);
      frame ||= requestAnimationFrame(settle);
    },
    /** Scrolls at once to where the next frame would. */
    settle,
    /** Takes over where a person has scrolled to. */
    scrolled: (): void => {
      if (frame === 0) setTop(area()?.scrollTop ?? 0);
    },
  };
}

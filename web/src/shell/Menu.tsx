/** A button that opens a list of things to do. */
import { createSignal, type JSX, Show } from 'solid-js';

import type { Place } from './Popup.tsx';

interface Props {
  label: string;
  class?: string;
  /** The list at its place; `close` closes it. */
  children: (place: Place, close: () => void) => JSX.Element;
}

export function Menu(props: Props) {
  const [place, setPlace] = createSignal<Place | null>(null);
  let button: HTMLButtonElement | undefined;
  function toggle(): void {
    const edge = button?.getBoundingClientRect();
    setPlace(place() || !edge ? null : { x: edge.left, y: edge.bottom + 4, above: edge.top - 4 });
  }
  return (
    <>
      <button type="button" ref={button} class={props.class} aria-haspopup="dialog" aria-expanded={place() !== null} onClick={toggle}>
        {props.label} <span aria-hidden="true" class="caret">▾</span>
      </button>
      <Show when={place()} keyed>{(at) => props.children(at, () => setPlace(null))}</Show>
    </>
  );
}

/** A button that opens a list of things to do. */
import { createSignal, type JSX, Show } from 'solid-js';

import { Popup } from './Popup.tsx';

interface Props {
  label: JSX.Element;
  name: string;
  class?: string;
  /** What is in the list; `close` closes it. */
  children: (close: () => void) => JSX.Element;
}

export function Menu(props: Props) {
  const [place, setPlace] = createSignal<{ x: number; y: number } | null>(null);
  let button: HTMLButtonElement | undefined;
  function toggle(): void {
    const edge = button?.getBoundingClientRect();
    setPlace(place() || !edge ? null : { x: edge.left, y: edge.bottom + 4 });
  }
  return (
    <>
      <button type="button" ref={button} class={props.class} aria-haspopup="dialog" aria-expanded={place() !== null} onClick={toggle}>
        {props.label} <span aria-hidden="true" class="caret">▾</span>
      </button>
      <Show when={place()}>
        {(at) => (
          <Popup x={at().x} y={at().y} label={props.name} onClose={() => setPlace(null)}>
            <div class="menu">{props.children(() => setPlace(null))}</div>
          </Popup>
        )}
      </Show>
    </>
  );
}

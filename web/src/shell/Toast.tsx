/** A short message that goes away by itself. */
import { createEffect, onCleanup, Show } from 'solid-js';

const SHOWN = 5000;

export function Toast(props: { message: string; onEnd: () => void }) {
  createEffect(() => {
    if (props.message === '') return;
    const later = setTimeout(() => props.onEnd(), SHOWN);
    onCleanup(() => clearTimeout(later));
  });
  return <div class="toast-place" role="status" aria-live="polite"><Show when={props.message}><p class="toast">{props.message}</p></Show></div>;
}

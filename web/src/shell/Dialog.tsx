/** A modal window over the page. */
import { type JSX, onCleanup, onMount } from 'solid-js';

export function Dialog(props: { title: string; onClose: () => void; class?: string; children: JSX.Element }) {
  let dialog: HTMLDialogElement | undefined;
  let left = false;
  onMount(() => dialog?.showModal());
  // A choice removes the dialog without closing it, and only closing gives the focus back.
  onCleanup(() => {
    left = true;
    dialog?.close();
  });
  function beside(event: MouseEvent): void {
    if (event.target === dialog) dialog?.close();
  }
  return (
    <dialog ref={dialog} class={`dialog ${props.class ?? ''}`} aria-label={props.title} onClose={() => left || props.onClose()} onClick={beside}>
      <div class="dialog-inside">
        <header class="dialog-head">
          <h2>{props.title}</h2>
          <button type="button" class="quiet" aria-label="Close" onClick={() => dialog?.close()}>✕</button>
        </header>
        {props.children}
      </div>
    </dialog>
  );
}

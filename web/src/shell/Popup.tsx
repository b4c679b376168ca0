/** A list of things to do over the page, at a place; a click beside it or Escape closes it. */
import { createEffect, type JSX, onCleanup, onMount } from 'solid-js';

/** Where it is on the screen, in pixels. */
export interface Place {
  x: number;
  y: number;
  /** The top edge of the button that opened it, if one did: without room below the button, the popup opens above it. */
  above?: number;
}

interface Props {
  place: Place;
  label: string;
  onClose: () => void;
  children: JSX.Element;
}

/** Keeps so far from the edges of the screen. */
const EDGE = 8;

export function Popup(props: Props) {
  let popup: HTMLDivElement | undefined;
  const before = document.activeElement;
  onMount(() => {
    popup?.showPopover();
    popup?.querySelector<HTMLElement>('button, input, select, [tabindex="0"]')?.focus({ preventScroll: true });
  });
  createEffect(() => {
    if (!popup) return;
    popup.style.left = `${Math.max(EDGE, Math.min(props.place.x, innerWidth - popup.offsetWidth - EDGE))}px`;
    const { y, above } = props.place;
    const fits = y + popup.offsetHeight + EDGE <= innerHeight;
    const wanted = fits || above === undefined ? y : above - popup.offsetHeight;
    const top = Math.max(EDGE, Math.min(wanted, innerHeight - popup.offsetHeight - EDGE));
    popup.style.top = `${top}px`;
    // It scrolls when something more appears in it.
    popup.style.maxHeight = `${innerHeight - top - EDGE}px`;
  });
  function leave(): void {
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  }
  function toggled(event: ToggleEvent): void {
    if (event.newState !== 'closed') return;
    leave();
    props.onClose();
  }
  // A choice removes the popup without an event.
  onCleanup(() => popup?.contains(document.activeElement) && leave());
  return (
    <div class="popup" popover="auto" role="dialog" aria-label={props.label} ref={popup} onToggle={toggled}>
      <div class="menu">{props.children}</div>
    </div>
  );
}

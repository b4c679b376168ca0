/** Keeps the focus on the page: when what has it goes away, what stands in its place gets it, and never the body. */
import { onCleanup, onMount } from 'solid-js';

/** Something that had the focus: it and what it is in, with its place among what can have the focus there. */
interface Held {
  element: Element;
  name: string;
  around: { area: Element; place: number }[];
}

const FOCUSABLE = 'button, a[href], input, select, textarea, summary, [contenteditable="true"], [tabindex="0"]';
/** What opens over the page and closes again. */
const OVER = 'dialog, [popover], .tour';
/** How long a redraw may take, in milliseconds. */
const AGAIN = 2000;

export function useFocus(): void {
  /** What has the focus, and what had it before something opened over the page. */
  let [held, below]: [Held | null, Held | null] = [null, null];
  /** What stands in for something that may be drawn again when its session was played. */
  let standIn: { of: Held; element: Element; until: number } | null = null;

  function remember(): void {
    const element = document.activeElement;
    if (!element || element === document.body) return;
    if (element !== standIn?.element) standIn = null;
    held = hold(element);
    if (!element.closest(OVER)) below = held;
  }
  function changed(): void {
    if (standIn) comeBack(standIn);
    // What is drawn again at once is there after two frames: its place is measured in the first.
    else if (held && !usable(held.element)) requestAnimationFrame(() => requestAnimationFrame(recover));
  }
  function comeBack({ of, element, until }: NonNullable<typeof standIn>): void {
    const again = document.activeElement === element && performance.now() < until ? sameName(of) : undefined;
    if (again) standIn = null;
    focus(again);
  }
  function recover(): void {
    if (!held || (document.activeElement ?? document.body) !== document.body || document.querySelector('dialog[open]') || usable(held.element)) return;
    const lost = held.element.closest(OVER) && below ? below : held;
    const next = (held !== lost ? (inPlace(held) ?? (usable(lost.element) ? lost.element : undefined)) : undefined) ?? sameName(lost);
    const other = next ?? inPlace(lost) ?? first();
    if (!next && other) standIn = { of: lost, element: other, until: performance.now() + AGAIN };
    focus(other);
  }
  /** A click on nothing takes the focus away on purpose. */
  function left(): void {
    setTimeout(() => {
      if (document.activeElement !== document.body || !held) return;
      if (usable(held.element)) held = below = null;
      else changed();
    });
  }
  onMount(() => {
    // Before anything is done the places are those that a person sees.
    for (const name of ['focusin', 'keydown', 'pointerdown'] as const) addEventListener(name, remember, true);
    addEventListener('focusout', left);
    const observer = new MutationObserver(changed);
    observer.observe(document.body, { childList: true, subtree: true });
    onCleanup(() => {
      for (const name of ['focusin', 'keydown', 'pointerdown'] as const) removeEventListener(name, remember, true);
      removeEventListener('focusout', left);
      observer.disconnect();
    });
  });
}

function focus(element: Element | undefined): void {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}

function hold(element: Element): Held {
  const all = [...document.querySelectorAll(FOCUSABLE)];
  const place = all.indexOf(element);
  const around: Held['around'] = [];
  // What is over the page has its own: the page below it is left to what had the focus there.
  const most = element.closest(OVER)?.parentElement ?? document.body;
  for (let area = element.parentElement; area && area !== most; area = area.parentElement) {
    const from = all.findIndex((one) => area?.contains(one));
    around.push({ area, place: Math.max(0, place - from) });
  }
  return { element, name: named(element), around };
}

/** What has the same name, in the nearest of what is around it. */
function sameName({ name, around }: Held): Element | undefined {
  for (const { area } of around) {
    const inside = area.isConnected ? [...area.querySelectorAll(FOCUSABLE)] : [];
    const found = inside.find((one) => named(one) === name && usable(one));
    if (found) return found;
  }
  return undefined;
}

/** What stands where it was, in the nearest of what is around it. */
function inPlace({ around }: Held): Element | undefined {
  for (const { area, place } of around) {
    const inside = area.isConnected ? [...area.querySelectorAll(FOCUSABLE)] : [];
    const found = inside.slice(place).find(usable) ?? inside.slice(0, place).findLast(usable);
    if (found) return found;
  }
  return undefined;
}

/** Where it begins: at the cursor of the timeline. */
function first(): Element | undefined {
  return [...document.querySelectorAll('.handle'), ...document.querySelectorAll(FOCUSABLE)].find(usable);
}

function named(element: Element): string {
  return element.getAttribute('aria-label') ?? element.textContent ?? '';
}

function usable(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled') && element.checkVisibility({ visibilityProperty: true });
}

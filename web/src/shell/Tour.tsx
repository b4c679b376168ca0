/** A guided first run: a few hints, each beside what it is about. It is taken from an example's description or from the help. */
import { createEffect, createSignal, onCleanup, Show } from 'solid-js';

const HINTS: { at: string; title: string; text: string }[] = [
  { at: '.manifest', title: 'This is the Job', text: 'Its manifest is what you would apply with kubectl. Edit it, or paste your own.' },
  { at: '.pods-pane', title: 'You choose what its pods do', text: 'They can succeed, fail or hang. Write rules for them; the first rule that matches a pod wins.' },
  { at: '.plots', title: 'This is what happens', text: 'Each index, or each pod, has a row. Drag the line to move through time; click a pod to act on it.' },
  { at: '.transport', title: 'Step by step', text: 'The arrow keys go back and forward, one step at a time. Space plays and pauses.' },
  { at: '.why', title: 'And this is why', text: 'Each decision in one sentence, with the fields behind it and a link to the Kubernetes documentation.' },
];

const WIDTH = 288;
const GAP = 12;

export function Tour(props: { onEnd: () => void; onShow: (selector: string) => void }) {
  const [place, setPlace] = createSignal(0);
  const hint = () => HINTS[place()];
  let card: HTMLDivElement | undefined;
  createEffect(() => {
    const shown = hint();
    if (!shown) return;
    props.onShow(shown.at);
    // To place it and to focus it takes a layout: it comes with that of the next frame.
    const frame = requestAnimationFrame(() => {
      if (card) beside(card, document.querySelector(shown.at));
      card?.querySelector<HTMLElement>('.main')?.focus({ preventScroll: true });
    });
    onCleanup(() => cancelAnimationFrame(frame));
  });
  const next = (): void => {
    if (place() === HINTS.length - 1) props.onEnd();
    else setPlace(place() + 1);
  };
  return (
    <Show when={hint()}>
      {(shown) => (
        <div class="tour" role="dialog" aria-label="A short tour" ref={card} onKeyDown={(event) => event.key === 'Escape' && props.onEnd()}>
          <p class="muted small">{place() + 1} of {HINTS.length}</p>
          <h3>{shown().title}</h3>
          <p>{shown().text}</p>
          <p class="buttons">
            <button type="button" class="main" onClick={next}>{place() === HINTS.length - 1 ? 'Done' : 'Next'}</button>
            <button type="button" class="quiet" onClick={() => props.onEnd()}>Skip</button>
          </p>
        </div>
      )}
    </Show>
  );
}

/** Puts the card at the side of something that has room for it, and else over its lower edge. */
function beside(card: HTMLElement, about: Element | null): void {
  if (!about) return;
  const edge = about.getBoundingClientRect();
  const right = edge.right + GAP + WIDTH < innerWidth;
  const left = edge.left - GAP - WIDTH > 0;
  const x = right ? edge.right + GAP : left ? edge.left - GAP - WIDTH : Math.max(GAP, Math.min(edge.left + GAP, innerWidth - WIDTH - GAP));
  const y = right || left ? edge.top + GAP : edge.top + edge.height / 2;
  card.style.left = `${x}px`;
  card.style.top = `${Math.max(GAP, Math.min(y, innerHeight - card.offsetHeight - GAP))}px`;
}

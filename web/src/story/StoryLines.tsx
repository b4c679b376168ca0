/** The lines of the story that are in view, with those of the step under the cursor marked. */
import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount } from 'solid-js';
import { isServer } from 'solid-js/web';

import type { Clock } from '../model/clock.ts';
import { lineWords, placeOf, type StoryLine } from '../model/lines.ts';
import { withShortPods } from '../model/names.ts';

interface Props {
  lines: StoryLine[];
  clock: Clock;
  /** Whether there are several Jobs. */
  several: boolean;
  /** The step under the cursor. */
  step: number;
  onGo: (step: number) => void;
}

/** How high the list is taken to be when the page is built, in pixels. */
const UNMEASURED = 440;

export function StoryLines(props: Props) {
  let area: HTMLDivElement | undefined;
  const [height, setHeight] = createSignal(isServer ? UNMEASURED : 0);
  /** How high a line is: on a phone, higher. */
  const [row, setRow] = createSignal(22);
  const { top, scroll, settle, scrolled } = useScroll(() => area);
  /** The line that the arrow keys have chosen; null while it is the one under the cursor. */
  const [chosen, setChosen] = createSignal<number | null>(null);
  const later = createMemo(() => placeOf(props.lines, props.step + 1));
  const here = createMemo(() => Math.min(placeOf(props.lines, props.step), Math.max(0, later() - 1)));
  const active = () => Math.min(chosen() ?? here(), props.lines.length - 1);
  /** As wide as the latest time with its tenths, so that nothing moves sideways while the lines scroll. */
  const time = () => `${props.clock.show(Math.floor((props.lines.at(-1)?.at ?? 0) / 1000) * 1000 + 900).length}ch`;
  const first = createMemo(() => Math.floor(top() / row()));
  const shown = createMemo(() => props.lines.slice(first(), first() + Math.ceil(height() / row()) + 1));

  onMount(() => {
    if (!area) return;
    const place = area;
    const measured = new ResizeObserver(() => {
      setRow(Number.parseInt(getComputedStyle(place).getPropertyValue('--row'), 10));
      setHeight(place.clientHeight);
      settle();
    });
    measured.observe(place);
    onCleanup(() => measured.disconnect());
  });

  /** Scrolls no further than it takes to see these lines, and one around them; the first one in view is whole. */
  function reveal(from: number, until: number): void {
    if (!area || height() === 0) return;
    const fit = Math.floor(height() / row());
    const [above, below] = [(from - 1) * row(), (until + 1 - fit) * row()];
    const to = top() > above ? above : top() < below ? Math.min(above, below) : top();
    const next = Math.max(0, Math.min(to, (props.lines.length - fit) * row()));
    if (next !== top()) scroll(next);
  }
  createEffect(on([here, later, height, row], () => {
    setChosen(null);
    reveal(here(), Math.max(later(), here() + 1));
  }));

  function keys(event: KeyboardEvent): void {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    const line = props.lines[active()];
    if (by === undefined) {
      if (line) props.onGo(line.step);
      return;
    }
    setChosen(Math.max(0, Math.min(active() + by, props.lines.length - 1)));
    reveal(active(), active() + 1);
  }
  return (
    <div class="story-lines" role="listbox" tabindex="0" aria-label="What happened" aria-activedescendant={`story-line-${active()}`} ref={area} onScroll={scrolled} onKeyDown={keys}>
      <div class="story-inside" role="presentation" style={{ height: `${props.lines.length * row() + (height() % row())}px`, '--time': time() }}>
        <div role="presentation" style={{ transform: `translateY(${first() * row()}px)` }}>
          <For each={shown()}>
            {(line, place) => <StoryRow line={line} clock={props.clock} several={props.several} place={first() + place()} of={props.lines.length} step={props.step} last={first() + place() === later() - 1} active={first() + place() === active()} onGo={props.onGo} />}
          </For>
        </div>
      </div>
    </div>
  );
}

interface RowProps {
  line: StoryLine;
  clock: Clock;
  several: boolean;
  place: number;
  of: number;
  step: number;
  /** Whether the lines after it are of later steps. */
  last: boolean;
  active: boolean;
  onGo: (step: number) => void;
}

function StoryRow(props: RowProps) {
  const { line } = props;
  const { mark, text } = lineWords(line);
  return (
    <div
      class="story-line" data-kind={line.kind} classList={{ here: line.step === props.step, later: line.step > props.step, last: props.last, active: props.active, bad: line.bad }}
      role="option" id={`story-line-${props.place}`} aria-selected={line.step === props.step} aria-posinset={props.place + 1} aria-setsize={props.of} title={text} onClick={() => props.onGo(line.step)}
    >
      <span class="story-time">{props.clock.show(line.at)}</span> <span class="mark">{mark}</span> <span class="story-text">{withShortPods(text, props.several)}</span>
    </div>
  );
}

/** Where a list is scrolled to. The list follows once a frame, however many steps follow one another: it has to be laid out for that. */
function useScroll(area: () => HTMLElement | undefined) {
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

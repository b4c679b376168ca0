/** What the pointer does on a timeline: it drags the cursor, picks what is under it, and shows a hint. */
import { createSignal, onCleanup, onMount } from 'solid-js';

import { type Band, bandSentence } from '../model/bands.ts';
import type { Tab } from '../state/tab.ts';
import { heatHint, hitHint, markHint } from './hint.ts';
import { heatHit, hitAt } from './hit.ts';
import type { MarkLane } from './lanes.ts';
import { bandAt, following, marksAt, timeAt } from './pointing.ts';
import type { Scale } from './scale.ts';
import type { Pick } from './Timeline.tsx';
import type { Line } from './tree.ts';

interface Pointed {
  tab: () => Tab;
  /** The element whose left edge is that of all that is drawn. */
  plot: () => HTMLElement | undefined;
  scale: () => Scale;
  lines: () => Line[];
  /** The lanes above the rows. */
  bands: () => { bands: Band[] }[];
  /** The lanes below the rows. */
  marks: () => MarkLane[];
  lastAt: () => number;
  onPick: (pick: Pick) => void;
}

export function usePointer({ tab, plot, scale, lines, bands, marks: markLanes, lastAt, onPick }: Pointed) {
  const [hint, setHint] = createSignal('');
  const under = (event: MouseEvent) => hitAt(event, lines(), scale(), lastAt());
  const marks = (event: MouseEvent) => marksAt(event, tab().story().marks, markLanes(), scale());
  const scrubbing = useScrubbing(plot, (x) => tab().goToTime(timeAt(tab().story(), scale(), x, lastAt())));
  /** The current step before the pointer was pressed. */
  let before = 0;

  /** Goes to a step, and not to where the pointer is. */
  function goTo(step: number): void {
    scrubbing.stop();
    tab().goTo(step);
  }

  return {
    hint,
    down: (event: PointerEvent): void => {
      before = tab().cursor();
      scrubbing.down(event);
    },
    move: (event: PointerEvent): void => {
      const [hit, mapped] = [under(event), heatHit(event, lines(), scale())];
      const band = bandAt(event, bands(), scale(), lastAt());
      setHint(hit ? hitHint(hit, tab().clock()) : mapped ? heatHint(mapped, tab().clock()) : band ? bandSentence(band, tab().story(), lastAt()) : markHint(marks(event), tab().cursor(), tab().clock()));
    },
    leave: (): void => {
      setHint('');
    },
    click: (event: MouseEvent): void => {
      if (scrubbing.moved()) return;
      const mark = following(marks(event), before);
      if (mark) return goTo(mark.step);
      const hit = under(event);
      if (!hit || 'wait' in hit) return;
      if ('change' in hit) goTo(hit.change.step);
      else if ('run' in hit) goTo(hit.run.job?.created.step ?? hit.run.decided.step);
      else {
        // What can be done there names its time.
        scrubbing.finish();
        onPick({ ...hit, x: event.clientX, y: event.clientY });
      }
    },
  };
}

/** Lets the pointer drag the cursor, at most once a frame. */
function useScrubbing(plot: () => HTMLElement | undefined, to: (x: number) => void) {
  let pressed: { x: number; moved: boolean } | null = null;
  let frame = 0;
  let latest = 0;
  const arrive = (): void => {
    frame = 0;
    to(latest - (plot()?.getBoundingClientRect().left ?? 0));
  };
  const follow = (event: PointerEvent): void => {
    if (!pressed) return;
    pressed.moved ||= Math.abs(event.clientX - pressed.x) > 4;
    latest = event.clientX;
    frame ||= requestAnimationFrame(arrive);
  };
  const release = (): void => {
    removeEventListener('pointermove', follow);
    removeEventListener('pointerup', release);
    removeEventListener('pointercancel', release);
  };
  // Where the first view is built, there are no events.
  onMount(() => onCleanup(release));
  return {
    moved: () => pressed?.moved ?? false,
    /** Makes the pending move of the cursor at once. */
    finish: (): void => {
      if (frame === 0) return;
      cancelAnimationFrame(frame);
      arrive();
    },
    /** Cancels the pending move of the cursor. */
    stop: (): void => {
      cancelAnimationFrame(frame);
      frame = 0;
    },
    down: (event: PointerEvent): void => {
      if (event.button !== 0 || (event.target as Element).closest('button, .gutter')) return;
      pressed = { x: event.clientX, moved: false };
      follow(event);
      addEventListener('pointermove', follow);
      addEventListener('pointerup', release);
      addEventListener('pointercancel', release);
    },
  };
}

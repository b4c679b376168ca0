/** Which part of virtual time is in view, and where a time is on the screen. */
import { type Clock, ELAPSED } from '../model/clock.ts';

/** Milliseconds since the start, from the left edge to the right. */
export interface View {
  from: number;
  to: number;
}

export interface Scale {
  view: View;
  /** In pixels. */
  width: number;
  /** How times are shown. */
  clock: Clock;
  /** Where a time is, in pixels from the left edge. */
  x(at: number): number;
  /** Which time is at a place. */
  time(x: number): number;
}

const SHORTEST = 200;
/** This share of a view that was turned to lies before the time for which it was. */
const EDGE = 0.1;

export function scale(view: View, width: number, clock: Clock = ELAPSED): Scale {
  const span = view.to - view.from;
  return {
    view,
    width,
    clock,
    x: (at) => ((at - view.from) / span) * width,
    time: (x) => view.from + (x / width) * span,
  };
}

/** All of a play, with room at both ends for what stands there. */
export function whole(lastAt: number): View {
  const length = Math.max(1000, lastAt);
  return { from: -length * 0.02, to: length * 1.06 };
}

/** A view that shows more (factor above 1) or less of time, with one time staying where it is. */
export function zoomed(view: View, factor: number, around: number, most: View): View {
  const span = Math.max(SHORTEST, (view.to - view.from) * factor);
  if (span >= most.to - most.from) return most;
  const share = (around - view.from) / (view.to - view.from);
  return within({ from: around - share * span, to: around + (1 - share) * span }, most);
}

/** A view that is moved by so many milliseconds, and stays inside of what there is. */
export function moved(view: View, by: number, most: View): View {
  return within({ from: view.from + by, to: view.to + by }, most);
}

/** A view with a time in it: the same, or the next or a former one, as a page is turned. */
export function turned(view: View, at: number, most: View): View {
  if (view.from <= at && at <= view.to) return view;
  const span = view.to - view.from;
  const from = at - span * (at > view.to ? EDGE : 1 - EDGE);
  return within({ from, to: from + span }, most);
}

function within(view: View, most: View): View {
  const by = Math.max(0, most.from - view.from) - Math.max(0, view.to - most.to);
  return { from: view.from + by, to: view.to + by };
}

/** The time, the band and the marks under the pointer. */
import type { Band } from '../model/bands.ts';
import type { Mark, Story } from '../model/story.ts';
import { interval } from '../model/time.ts';
import { LANE, type MarkLane } from './lanes.ts';
import type { Scale } from './scale.ts';

/** A pointer is this imprecise, in pixels. */
const BLUR = 4;
/** A pointer this close to a mark, in pixels, points to it. */
const NEAR = 6;

/** The time at the place in view that is nearest: as round as can be without another step than there. */
export function timeAt(story: Story, { view, width, time }: Scale, x: number, last: number): number {
  const at = (place: number): number => Math.floor(Math.max(0, Math.min(time(Math.max(0, Math.min(place, width))), last)));
  // A pointer stands on whole pixels: one that is less than a pixel before a step is on it.
  const step = story.stepAt(at(x + 1));
  const from = story.steps[step]?.at ?? 0;
  const unit = interval(view.to - view.from, width / BLUR);
  const round = Math.round(at(x) / unit) * unit;
  if (round < from) return from;
  return story.stepAt(round) === step && round <= last ? round : Math.max(from, at(x));
}

/** The marks that lie on one another where the pointer is, in the order of their steps. */
export function marksAt(event: MouseEvent, marks: Mark[], lanes: MarkLane[], scale: Scale): Mark[] {
  const canvas = event.target instanceof Element && event.target.closest('.marks') ? event.target.getBoundingClientRect() : null;
  const lane = canvas && lanes[Math.floor((event.clientY - canvas.top) / LANE)];
  if (!lane) return [];
  const distance = (mark: Mark): number => Math.abs(scale.x(mark.at) - (event.clientX - canvas.left));
  const near = marks.filter((mark) => lane.kinds.includes(mark.kind) && distance(mark) < NEAR);
  const nearest = near.reduce((known, mark) => Math.min(known, distance(mark)), NEAR);
  return near.filter((mark) => distance(mark) < nearest + 1);
}

/** The band under the pointer. */
export function bandAt(event: MouseEvent, lanes: { bands: Band[] }[], scale: Scale, last: number): Band | undefined {
  const canvas = event.target instanceof Element && event.target.closest('.bands') ? event.target.getBoundingClientRect() : null;
  const x = event.clientX - (canvas?.left ?? 0);
  return canvas ? lanes[Math.floor((event.clientY - canvas.top) / LANE)]?.bands.findLast((band) => scale.x(band.from.at) - 2 <= x && x <= scale.x(band.until?.at ?? last) + 2) : undefined;
}

/** Of marks that lie on one another, the one after that of a step, so that each is reached in turn. */
export function following(marks: Mark[], step: number): Mark | undefined {
  return marks[(marks.findLastIndex((mark) => mark.step === step) + 1) % marks.length];
}

/** Draws what is above and below the bars: what holds for the whole Job, and where decisions, writes and actions were. */
import { type Band, bandText } from '../model/bands.ts';
import type { Names } from '../model/names.ts';
import type { Mark, MarkKind } from '../model/story.ts';
import { fitted, flash, type Ink, outlined, timer } from './canvas.ts';
import type { Palette } from './palette.ts';
import type { Scale } from './scale.ts';

export const LANE = 18;

export interface BandLane {
  label: string;
  /** The parts of the label: the object, if it must be named, and the title. */
  object: string;
  title: string;
  bands: Band[];
}

/** The lanes of bands, and what they are called: with the object as soon as there is more than one Job. */
export function bandLanes(bands: Band[], names: Names): BandLane[] {
  const lanes = new Map<string, BandLane>();
  for (const band of bands) {
    const lane = lanes.get(band.lane);
    if (lane) lane.bands.push(band);
    else {
      const object = names.several && band.about ? names.of(band.about) : '';
      lanes.set(band.lane, { label: `${object} ${band.title}`.trim(), object, title: band.title, bands: [band] });
    }
  }
  return [...lanes.values()];
}

/** More lanes than these leave no room for pods. */
const FEW_LANES = 6;

/** The lanes that are left when those of Jobs that have finished are folded, because there are many; all of them if there are few. */
export function foldedLanes(lanes: BandLane[]): BandLane[] {
  if (lanes.length <= FEW_LANES) return lanes;
  const finished = new Set(lanes.filter(({ title }) => title === 'Complete' || title === 'Failed').map(({ object }) => object));
  return lanes.filter(({ object, bands }) => !finished.has(object) || bands.some(({ kind }) => kind !== 'state'));
}

export function drawBands(ink: Ink, lanes: { bands: Band[] }[], scale: Scale, colours: Palette | null, last: number): void {
  if (!colours) return;
  ink.font = `10px ${colours.font}`;
  ink.textBaseline = 'middle';
  for (const [place, lane] of lanes.entries()) {
    const begins = lane.bands.map(({ from }) => scale.x(from.at)).sort((one, other) => one - other);
    for (const band of lane.bands) {
      const next = begins.find((begin) => begin > scale.x(band.from.at)) ?? scale.width;
      drawBand(ink, band, { alone: lane.bands.length === 1, next }, scale, colours, last, place * LANE);
    }
  }
}

/** A band that is too short for its words has them beside it, where there is room before the `next` one; with others in its lane, it has its sign alone where there is none. */
function drawBand(ink: Ink, band: Band, { alone, next }: { alone: boolean; next: number }, scale: Scale, colours: Palette, last: number, y: number): void {
  const delay = band.kind === 'delay';
  const [from, until] = [scale.x(band.from.at), scale.x(band.until?.at ?? last)];
  const [left, right] = [Math.max(0, from), Math.min(scale.width, Math.max(until, from + 3))];
  if (right < left) return;
  ink.fillStyle = delay ? colours.waiting : colours.band;
  ink.globalAlpha = delay ? 0.35 : 1;
  ink.fillRect(left, y + 2, right - left, LANE - 5);
  ink.globalAlpha = 1;
  ink.fillStyle = delay ? colours.waiting : band.kind === 'fault' ? colours.bad : colours.muted;
  ink.fillRect(left, y + 2, 2, LANE - 5);
  // What is a fault, and no part of the Job, has an outline and a flash.
  outlined(ink, band.kind === 'fault' ? colours.bad : colours.outline, left, y + 2, right - left, LANE - 5);
  const sign = delay ? timer : band.kind === 'fault' ? flash : null;
  const icon = sign ? 14 : 0;
  const [full, short] = [bandText(band, last, scale.clock), delay ? bandText({ ...band, planned: band.until?.at ?? last }, last, scale.clock) : band.label];
  const wide = (words: string): number => ink.measureText(words).width + icon + 10;
  const fits = (words: string): boolean => wide(words) <= right - left || wide(words) <= next - right - 5;
  const text = alone ? full : [full, short].find(fits) ?? '';
  const beside = next - right - 5 >= wide(text) ? right + 5 : alone && from > wide(text) ? left - wide(text) : left + 6;
  const place = right - left >= wide(text) ? left + 6 : beside;
  const room = place === left + 6 ? right - left - 10 - icon : Infinity;
  if (room > 8) sign?.(ink, place + 4, y + LANE / 2, delay ? colours.text : colours.bad);
  ink.fillStyle = colours.text;
  ink.fillText(fitted(ink, text, room), place + icon, y + LANE / 2);
}

/** A lane of marks: what it is called, and what is in it, from what is drawn first to what lies over it. */
export interface MarkLane {
  label: string;
  kinds: MarkKind[];
}

export const MARK_LANES: MarkLane[] = [
  { label: 'decisions', kinds: ['waits', 'does'] },
  { label: 'writes', kinds: ['write', 'refused'] },
  { label: 'actions', kinds: ['action', 'difference', 'complaint'] },
];

/** All marks in one lane, where there is little room: they differ in their shapes, too. */
export const ONE_MARK_LANE: MarkLane[] = [{ label: 'marks', kinds: ['write', 'waits', 'does', 'action', 'difference', 'refused', 'complaint'] }];

export function drawMarks(ink: Ink, marks: Mark[], scale: Scale, colours: Palette | null, lanes = MARK_LANES): void {
  if (!colours) return;
  const seen = marks.filter(({ at }) => scale.x(at) >= -6 && scale.x(at) <= scale.width + 6);
  for (const [place, { kinds }] of lanes.entries()) {
    for (const kind of kinds) {
      for (const mark of seen) if (mark.kind === kind) drawMark(ink, kind, scale.x(mark.at), place * LANE + LANE / 2, colours);
    }
  }
}

function drawMark(ink: Ink, kind: MarkKind, x: number, y: number, colours: Palette): void {
  ink.lineWidth = 1.5;
  ink.beginPath();
  switch (kind) {
    case 'does':
      ink.fillStyle = colours.text;
      ink.arc(x, y, 3.5, 0, 2 * Math.PI);
      ink.fill();
      return;
    case 'waits':
      ink.strokeStyle = colours.text;
      ink.fillStyle = colours.surface;
      ink.arc(x, y, 3, 0, 2 * Math.PI);
      ink.fill();
      ink.stroke();
      return;
    case 'write':
      ink.fillStyle = colours.muted;
      ink.fillRect(x - 0.75, y - 5, 1.5, 10);
      return;
    case 'refused':
    case 'complaint':
      ink.strokeStyle = colours.failed;
      ink.lineWidth = 2;
      ink.moveTo(x - 4, y - 4);
      ink.lineTo(x + 4, y + 4);
      ink.moveTo(x + 4, y - 4);
      ink.lineTo(x - 4, y + 4);
      ink.stroke();
      return;
    case 'difference':
      ink.strokeStyle = colours.action;
      for (const [from, to] of [[[-4, -2], [4, -2]], [[-4, 2], [4, 2]], [[-3, 5.5], [3, -5.5]]] as const) {
        ink.moveTo(x + from[0], y + from[1]);
        ink.lineTo(x + to[0], y + to[1]);
      }
      ink.stroke();
      return;
    case 'action':
      ink.fillStyle = colours.action;
      ink.moveTo(x, y - 6);
      ink.lineTo(x + 5, y);
      ink.lineTo(x, y + 6);
      ink.lineTo(x - 5, y);
      ink.fill();
  }
}

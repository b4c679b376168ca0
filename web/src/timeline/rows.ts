/** Draws rows of pods: filled by phase, and never distinguished by colour alone. */
import { type Bar, end, ended, type Moment, type Phase, type Row } from '../model/bars.ts';
import { waitText } from '../model/words.ts';
import type { Restart } from '../protocol.ts';
import { fitted, hatching, type Ink, lock, outlined, timer } from './canvas.ts';
import type { Palette } from './palette.ts';
import type { Scale } from './scale.ts';

/** How high a row is: for a finger, higher. */
export const ROW = typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches ? 44 : 28;
const BAR = 16;
/** No bar is narrower, however short its pod lived. */
const THIN = 3;
/** So much room the end of a bar may need behind it. */
const CHIP = 56;
/** What stands on a bar without a record. */
const ESTIMATED = 'estimated';
/** So much room is left around it, in pixels: a sign of how the pod ended may stand on the same bar. */
const WORDS_END = 40;
/** The width of a timer without words, in pixels. */
const CLOCK = 20;
/** The opacity of a pod that no longer exists; its outline stays solid. */
const FAINT = 0.4;

/** What rows are drawn with. */
export interface Drawing {
  ink: Ink;
  scale: Scale;
  colours: Palette;
  pending: CanvasPattern | string;
  /** Laid over what is estimated. */
  estimated: CanvasPattern | string;
  /** Where time ends, for what goes on. */
  last: number;
}

/** What a canvas draws rows with. */
export function startDrawing(ink: Ink, scale: Scale, colours: Palette, last: number): Drawing {
  ink.font = `600 10px ${colours.font}`;
  ink.textBaseline = 'middle';
  return { ink, scale, colours, pending: hatching(ink, colours.pending), estimated: hatching(ink, colours.surface), last };
}

/** A row of pods, without the line below it. */
export function drawPods(drawing: Drawing, row: Row, y: number): void {
  const { scale } = drawing;
  const middle = y + ROW / 2 - 0.5;
  const ends = row.bars.map((bar, place) => {
    const next = row.bars[place + 1]?.phases[0];
    return { at: bar.ended?.at ?? Infinity, right: drawBar(drawing, bar, middle, next ? scale.x(next.at) : Infinity) };
  });
  for (const wait of row.waits) drawWait(drawing, wait, middle, Math.max(...ends.filter(({ at }) => at <= wait.from).map(({ right }) => right)));
}

interface Waiting {
  from: number;
  until: number;
  planned: number;
  /** Whether an object that has finished is kept for this long. */
  kept?: boolean;
}

/** A time in which something waits: a dotted line, and its end where there is room. It covers nothing before `free`, in pixels. */
export function drawWait(drawing: Drawing, wait: Waiting, y: number, free = drawing.scale.x(wait.from)): void {
  dotted(drawing, wait, y, free);
  drawWaitEnd(drawing, wait, y, free);
}

function dotted({ ink, scale, colours }: Drawing, { from, until }: Waiting, y: number, free = scale.x(from)): void {
  if (scale.x(until) < free || scale.x(until) < 0 || scale.x(from) > scale.width) return;
  ink.strokeStyle = colours.waiting;
  ink.lineWidth = 1.5;
  ink.setLineDash([2, 4]);
  ink.beginPath();
  ink.moveTo(Math.max(scale.x(from), free), y);
  ink.lineTo(scale.x(until), y);
  ink.stroke();
  ink.setLineDash([]);
}

/** The end of a wait in words, with what was planned, or else the timer alone: as much as there is room for. What comes `first` in the wait leaves room for the end of a pod. */
function drawWaitEnd({ ink, scale, colours }: Drawing, wait: Waiting, y: number, free: number, first = false): void {
  const [from, until] = [Math.max(scale.x(wait.from), free), scale.x(wait.until)];
  if (until < 0 || from > scale.width) return;
  const width = (text: string): number => ink.measureText(text).width + 14;
  const texts = [waitText(wait.until, wait.planned, scale.clock), waitText(wait.until, wait.until, scale.clock)];
  const room = Math.min(until - scale.x(wait.from) - CHIP, until - from - 8);
  const text = (wait.kept ? texts.map((one) => `kept ${one}`).concat(texts) : texts).find((one) => room >= width(one));
  if (text === undefined && until - from < CLOCK) return;
  const left = text === undefined ? (from + until) / 2 + 2 : first ? from + 20 : until - width(text);
  ink.fillStyle = colours.surface;
  ink.fillRect(left - 12, y - 7, text === undefined ? CLOCK : width(text) + 8, 14);
  timer(ink, left - 2, y, colours.muted);
  if (text === undefined) return;
  ink.fillStyle = colours.muted;
  ink.fillText(text, left + 6, y + 0.5);
}

/** Draws a pod; returns the right edge of its end. */
function drawBar(drawing: Drawing, bar: Bar, middle: number, room: number): number {
  const { scale, last } = drawing;
  const endsAt = end(bar);
  const until = endsAt ?? last;
  if (scale.x(until) < -60 || scale.x(bar.phases[0]?.at ?? 0) > scale.width) return scale.x(until);
  const top = middle - BAR / 2;
  for (const [place, phase] of bar.phases.entries()) {
    if (ended(phase.phase)) break;
    const ends = Math.min(bar.phases[place + 1]?.at ?? until, bar.deleting?.at ?? until);
    if (phase.phase === 'Waiting') drawInPlace(drawing, { from: phase.at, until: ends, planned: phase.planned ?? ends }, middle);
    else drawPhase(drawing, phase.phase, phase.at, ends, top, bar.gone !== null && bar.ended === null);
    if (phase.phase === 'Pending') drawWords(drawing, pendingReason(bar, bar.phases[place + 1]), phase.at, ends, top);
    if (phase.estimated || bar.phases[place + 1]?.estimated) drawEstimated(drawing, phase.at, ends, top);
  }
  if (bar.deleting && bar.deleting.at <= until) drawDeleting(drawing, bar.deleting.at, until, endsAt !== null, top);
  for (const restart of bar.restarts) drawRestart(drawing, bar, restart, middle);
  drawHeld(drawing, bar, middle);
  return drawEnd(drawing, bar, middle, room);
}

function drawPhase({ ink, scale, colours, pending }: Drawing, phase: Phase, from: number, until: number, top: number, gone: boolean): void {
  const [x, width] = [scale.x(from), Math.max(THIN, scale.x(until) - scale.x(from))];
  if (until < from) return;
  if (phase === 'Pending') {
    ink.fillStyle = pending;
    ink.fillRect(x, top, width, BAR);
    ink.strokeStyle = colours.pending;
    ink.lineWidth = 1;
    ink.strokeRect(x + 0.5, top + 0.5, Math.max(1, width - 1), BAR - 1);
    return;
  }
  // Nothing behind it shines through.
  if (gone) {
    ink.fillStyle = colours.surface;
    ink.fillRect(x, top, width, BAR);
  }
  ink.fillStyle = colours.running;
  ink.globalAlpha = gone ? FAINT : 1;
  ink.fillRect(x, top, width, BAR);
  ink.globalAlpha = 1;
  outlined(ink, gone ? colours.running : colours.outline, x, top, width, BAR);
  if (phase !== 'Ready') return;
  ink.fillStyle = colours.text;
  ink.fillRect(x, top, width, 2);
}

/** Why a pod is pending until its next phase; empty if nothing is known. */
function pendingReason({ views }: Bar, next: Moment | undefined): string {
  return views.findLast(({ step }) => step < (next?.step ?? Infinity))?.view.reason ?? '';
}

/** What nothing recorded is hatched, and says so where there is room. */
function drawEstimated(drawing: Drawing, from: number, until: number, top: number): void {
  const { ink, scale, estimated } = drawing;
  const [x, right] = [Math.max(0, scale.x(from)), Math.min(scale.width, scale.x(until))];
  if (right <= x) return;
  ink.fillStyle = estimated;
  ink.fillRect(x, top, right - x, BAR);
  drawWords(drawing, ESTIMATED, from, until, top);
}

/** Words in a bar, where there is room for them and for the sign at its end. */
function drawWords({ ink, scale, colours }: Drawing, words: string, from: number, until: number, top: number): void {
  if (words === '') return;
  const [x, right] = [Math.max(0, scale.x(from)), Math.min(scale.width, scale.x(until))];
  const width = ink.measureText(words).width + 8;
  if (right - x < width + WORDS_END) return;
  ink.fillStyle = colours.surface;
  ink.fillRect(x + 6, top + 2, width, BAR - 4);
  ink.fillStyle = colours.text;
  ink.fillText(words, x + 10, top + BAR / 2 + 0.5);
}

/** A bar that is being deleted is cut at its edge. */
export function drawDeleting({ ink, scale, colours }: Drawing, from: number, until: number, cut: boolean, top: number, height = BAR): void {
  const x = scale.x(from);
  const right = Math.max(x + THIN, scale.x(until));
  ink.fillStyle = colours.deleting;
  ink.beginPath();
  ink.moveTo(x, top);
  ink.lineTo(right, top);
  ink.lineTo(cut ? Math.max(x, right - 5) : right, top + height);
  ink.lineTo(x, top + height);
  ink.fill();
}

/** A pod that waits to restart a container: thin and dotted, with a timer. */
function drawInPlace(drawing: Drawing, wait: Waiting, middle: number): void {
  for (const side of [-THIN, THIN]) dotted(drawing, wait, middle + side);
  drawWaitEnd(drawing, wait, middle, drawing.scale.x(wait.from), true);
}

/** Where a container ended that is started again in its pod: what failed has a cross, and its exit code where there is room. */
function drawRestart({ ink, scale, colours }: Drawing, bar: Bar, { at, exitCode }: Restart, middle: number): void {
  const x = scale.x(at);
  const before = [...bar.phases, ...bar.restarts].reduce((latest, one) => (one.at < at ? Math.max(latest, one.at) : latest), 0);
  const width = (text: string): number => ink.measureText(text).width + 8;
  const text = exitCode === 0 ? undefined : [`✗ ${exitCode ?? ''}`.trim(), '✗'].find((one) => x - scale.x(before) >= width(one));
  const top = middle - BAR / 2;
  if (text === undefined) {
    ink.fillStyle = exitCode === 0 ? colours.surface : colours.failed;
    ink.fillRect(x - THIN, top - 1, THIN, BAR + 2);
  } else {
    ink.fillStyle = colours['failed-chip'];
    ink.fillRect(x - width(text), top - 1, width(text), BAR + 2);
    outlined(ink, colours.outline, x - width(text), top - 1, width(text), BAR + 2);
    ink.fillStyle = colours['failed-sign'];
    ink.fillText(text, x - width(text) + 4, middle + 0.5);
  }
  ink.fillStyle = colours.text;
  ink.fillRect(x - 0.5, top - 2, 1.5, BAR + 4);
}

/** After its end, a pod is held by the tracking finalizer until it was counted. */
function drawHeld({ ink, scale, colours, last }: Drawing, bar: Bar, middle: number): void {
  const endsAt = end(bar);
  if (endsAt === null || !bar.ended) return;
  const until = bar.released?.at ?? bar.gone?.at ?? last;
  const [from, to] = [scale.x(endsAt), scale.x(until)];
  if (to - from < 12) return;
  ink.fillStyle = colours.muted;
  ink.fillRect(from, middle - 0.5, to - from, 1.5);
  lock(ink, to - 4, middle, colours.muted);
}

function drawEnd({ ink, scale, colours }: Drawing, bar: Bar, middle: number, room: number): number {
  if (!bar.ended) return -Infinity;
  const succeeded = bar.phases.at(-1)?.phase === 'Succeeded';
  const text = succeeded ? '✓' : `✗ ${bar.reason !== '' && bar.exitCode === null ? bar.reason : (bar.exitCode ?? '')}`.trim();
  const [x, start] = [scale.x(bar.ended.at), scale.x(bar.phases[0]?.at ?? 0)];
  const width = ink.measureText(text).width + 8;
  const left = x - width;
  // The sign of a short pod stands beside it: nothing is drawn longer than it took.
  if (left - start <= 8) {
    ink.fillStyle = succeeded ? colours.succeeded : colours.failed;
    ink.fillRect(x - THIN, middle - BAR / 2 - 1, THIN + 1, BAR + 2);
    if (x + width > room) return x;
    ink.fillStyle = succeeded ? colours.good : colours.bad;
    ink.fillText(fitted(ink, text, width), x + 4, middle + 0.5);
    return x + width;
  }
  ink.fillStyle = succeeded ? colours.succeeded : colours['failed-chip'];
  ink.fillRect(left, middle - BAR / 2 - 1, width, BAR + 2);
  outlined(ink, colours.outline, left, middle - BAR / 2 - 1, width, BAR + 2);
  ink.fillStyle = succeeded ? colours.chip : colours['failed-sign'];
  ink.fillText(fitted(ink, text, width), left + 4, middle + 0.5);
  return x;
}

/** Draws very many rows as a map: a stripe for each, by phase, all of them in view. What waits is hatched, success begins with a gap, and nothing covers a failure. */
import { end, ended, type Row } from '../model/bars.ts';
import { hatching, type Ink } from './canvas.ts';
import type { Palette } from './palette.ts';
import type { Scale } from './scale.ts';

/** From so many rows on, the map is what is shown first. */
export const MANY = 200;

/** A failure is at least so wide and high, however soon its pod is replaced, and begins with a dark edge: colour is not all that shows it. */
const [WIDE, HIGH, EDGE] = [5, 3, 2];

export function drawHeat(ink: Ink, rows: Row[], scale: Scale, colours: Palette, last: number, height: number): void {
  // Where several rows share a line of pixels, the last of them is seen, and the failures of all.
  const lines = linesOf(rows, height);
  const tall = height / lines;
  const phases = { Pending: hatching(ink, colours.pending), Running: colours.running, Ready: colours.running, Waiting: hatching(ink, colours.waiting), Succeeded: colours.succeeded, Failed: colours.failed };
  const fill = (colour: CanvasPattern | string, from: number, until: number, y: number): void => {
    ink.fillStyle = colour;
    ink.fillRect(scale.x(from), y, Math.max(1, scale.x(until) - scale.x(from)), tall);
  };
  for (let line = 0; line < lines; line++) {
    const row = sharing(rows, line, lines).at(-1);
    const y = line * tall;
    for (const [number, bar] of row?.bars.entries() ?? []) {
      const until = row?.bars[number + 1]?.phases[0]?.at ?? last;
      for (const [step, phase] of bar.phases.entries()) {
        fill(phases[phase.phase], phase.at, ended(phase.phase) ? until : Math.min(bar.phases[step + 1]?.at ?? until, bar.gone?.at ?? until), y);
        if (phase.phase !== 'Succeeded') continue;
        ink.fillStyle = colours.surface;
        ink.fillRect(scale.x(phase.at), y, EDGE, tall);
      }
      if (bar.deleting) fill(colours.deleting, bar.deleting.at, end(bar) ?? until, y);
    }
  }
  for (let line = 0; line < lines; line++) {
    const high = Math.max(tall, HIGH);
    const y = Math.max(0, Math.min(height - high, line * tall + (tall - high) / 2));
    drawFailures(ink, sharing(rows, line, lines).flatMap((row) => failures(row, last)), scale, colours, { y, high });
  }
}

/** The row that is seen at a height: of those that share a line of pixels, one that has failed there, and else the last. */
export function heatRow(rows: Row[], y: number, height: number, at: number): Row | undefined {
  const lines = linesOf(rows, height);
  const shared = sharing(rows, Math.floor((y / height) * lines), lines);
  return shared.find((row) => failures(row, Infinity).some(({ from, until }) => from <= at && at < until)) ?? shared.at(-1);
}

/** How many lines of pixels rows have in a height. */
function linesOf(rows: Row[], height: number): number {
  return Math.min(rows.length, Math.floor(height));
}

/** The rows that share a line of pixels. */
function sharing(rows: Row[], line: number, lines: number): Row[] {
  const firstOf = (place: number): number => Math.floor((place * rows.length) / lines);
  return rows.slice(firstOf(line), firstOf(line + 1));
}

/** The failures of one line of pixels, which may be those of several rows. */
function drawFailures(ink: Ink, failed: { from: number; until: number }[], scale: Scale, colours: Palette, { y, high }: { y: number; high: number }): void {
  ink.fillStyle = colours.failed;
  for (const { from, until } of failed) ink.fillRect(scale.x(from), y, Math.max(WIDE, scale.x(until) - scale.x(from)), high);
  ink.fillStyle = colours.text;
  for (const { from } of failed) ink.fillRect(scale.x(from), y, EDGE, high);
}

/** The times in which the pod of a row has failed and no other has followed it. */
function failures(row: Row, last: number): { from: number; until: number }[] {
  return row.bars.flatMap(({ phases }, number) => {
    const failed = phases.at(-1);
    return failed?.phase === 'Failed' ? [{ from: failed.at, until: row.bars[number + 1]?.phases[0]?.at ?? last }] : [];
  });
}

/** Draws very many rows as a map: a stripe for each, coloured by phase, all of them in view. */
import { end, ended, type Row } from '../model/bars.ts';
import type { Ink } from './canvas.ts';
import type { Palette } from './palette.ts';
import type { Scale } from './scale.ts';

/** From so many rows on, the map is what is shown first. */
export const MANY = 200;

export function drawHeat(ink: Ink, rows: Row[], scale: Scale, colours: Palette, last: number, height: number): void {
  // Where several rows share a line of pixels, only the last of them would be seen.
  const lines = Math.min(rows.length, Math.floor(height));
  const tall = height / lines;
  const phases = { Pending: colours.pending, Running: colours.running, Ready: colours.running, Succeeded: colours.succeeded, Failed: colours.failed };
  const fill = (colour: string, from: number, until: number, y: number): void => {
    ink.fillStyle = colour;
    ink.fillRect(scale.x(from), y, Math.max(1, scale.x(until) - scale.x(from)), tall);
  };
  for (let line = 0; line < lines; line++) {
    const row = rows[Math.floor(((line + 1) * rows.length) / lines) - 1];
    const y = line * tall;
    for (const [number, bar] of row?.bars.entries() ?? []) {
      const until = row?.bars[number + 1]?.phases[0]?.at ?? last;
      for (const [step, phase] of bar.phases.entries()) {
        fill(phases[phase.phase], phase.at, ended(phase.phase) ? until : Math.min(bar.phases[step + 1]?.at ?? until, bar.gone?.at ?? until), y);
      }
      if (bar.deleting) fill(colours.deleting, bar.deleting.at, end(bar) ?? until, y);
    }
  }
}

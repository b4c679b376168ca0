/** Draws the lines that are in view, each as what it is. */
import type { Ink } from './canvas.ts';
import type { Palette } from './palette.ts';
import { drawPods, type Drawing, ROW, startDrawing } from './rows.ts';
import { drawCronJob, drawJob } from './runs.ts';
import type { Scale } from './scale.ts';
import type { Line } from './tree.ts';

/** `top` pixels of the lines lie above the view. */
export function drawLines(ink: Ink, lines: Line[], scale: Scale, colours: Palette, last: number, top: number, height: number): void {
  const drawing = startDrawing(ink, scale, colours, last);
  const first = Math.floor(top / ROW);
  for (const [place, line] of lines.slice(first, first + Math.ceil(height / ROW) + 1).entries()) {
    drawLine(drawing, line, (first + place) * ROW - top);
  }
}

function drawLine(drawing: Drawing, line: Line, y: number): void {
  const { ink, scale, colours } = drawing;
  ink.fillStyle = colours.line;
  ink.fillRect(0, y + ROW - 1, scale.width, 1);
  switch (line.kind) {
    case 'cronJob':
      return drawCronJob(drawing, line.cronJob, y);
    case 'job':
      return drawJob(drawing, line.job, y);
    case 'pods':
      return drawPods(drawing, line.row, y);
  }
}

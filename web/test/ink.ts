/** An ink that remembers what it was asked to draw. */
import type { Ink } from '../src/timeline/canvas.ts';
import type { Palette } from '../src/timeline/palette.ts';

interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
  fill: Ink['fillStyle'];
  alpha: number;
}

export type Recorder = Ink & { rects: Rect[]; texts: { text: string; x: number; fill: Ink['fillStyle'] }[]; lines: { from: [number, number]; to: [number, number]; dashed: boolean }[] };

/** Colours that are their own names. */
export const PALETTE = new Proxy({} as Palette, { get: (_, name) => String(name) });

export function recorder(): Recorder {
  let from: [number, number] = [0, 0];
  let dashed = false;
  const ink: Recorder = {
    rects: [], texts: [], lines: [],
    fillStyle: '', strokeStyle: '', lineWidth: 1, globalAlpha: 1, font: '', textBaseline: 'middle',
    beginPath: () => undefined, arc: () => undefined, fill: () => undefined, stroke: () => undefined, strokeRect: () => undefined,
    moveTo: (x, y) => void (from = [x, y]),
    lineTo: (x, y) => {
      ink.lines.push({ from, to: [x, y], dashed });
      from = [x, y];
    },
    setLineDash: (dashes) => void (dashed = [...dashes].length > 0),
    fillRect: (x, y, width, height) => void ink.rects.push({ x, y, width, height, fill: ink.fillStyle, alpha: ink.globalAlpha }),
    fillText: (text, x) => void ink.texts.push({ text, x, fill: ink.fillStyle }),
    measureText: (text) => ({ width: 6 * text.length }),
    hatching: () => 'hatched',
  };
  return ink;
}

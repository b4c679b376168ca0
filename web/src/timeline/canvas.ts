/** A canvas that is as sharp as the screen, and shapes that are drawn in more than one place. */

type Drawn = Pick<CanvasRenderingContext2D, 'fillStyle' | 'strokeStyle' | 'lineWidth' | 'globalAlpha' | 'font' | 'textBaseline' | 'beginPath' | 'moveTo' | 'lineTo' | 'setLineDash' | 'fillRect' | 'strokeRect'>;

/** What draws: a canvas, or what writes the same as SVG (`svgInk.ts`), which has all that is named here. */
export interface Ink extends Drawn {
  arc(x: number, y: number, radius: number, from: number, to: number): void;
  fill(): void;
  stroke(): void;
  fillText(text: string, x: number, y: number): void;
  measureText(text: string): { width: number };
  /** Slanted lines as a fill, where patterns are not made of canvases. */
  hatching?(colour: string): string;
}

/** Empties the canvas, gives it a size in CSS pixels, and hands out what draws on it. */
export function fresh(canvas: HTMLCanvasElement, width: number, height: number): Ink | null {
  const density = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  const ink = canvas.getContext('2d');
  ink?.scale(density, density);
  return ink;
}

/** Slanted lines on nothing, as a fill. */
export function hatching(ink: Ink, colour: string): CanvasPattern | string {
  if (ink.hatching) return ink.hatching(colour);
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const lines = tile.getContext('2d');
  if (!lines) return colour;
  lines.strokeStyle = colour;
  lines.lineWidth = 1.5;
  lines.beginPath();
  for (const shift of [-6, 0, 6]) {
    lines.moveTo(shift, 6);
    lines.lineTo(shift + 6, 0);
  }
  lines.stroke();
  return lines.createPattern(tile, 'repeat') ?? colour;
}

/** A small closed lock, at most 8 pixels high, with its middle at a place. */
export function lock(ink: Ink, x: number, y: number, colour: string): void {
  ink.fillStyle = colour;
  ink.strokeStyle = colour;
  ink.lineWidth = 1.2;
  ink.fillRect(x - 3, y - 0.5, 6, 4.5);
  ink.beginPath();
  ink.arc(x, y - 0.5, 2, Math.PI, 0);
  ink.stroke();
}

/** An outline inside of a rectangle, unless its colour is none. */
export function outlined(ink: Ink, colour: string, x: number, y: number, width: number, height: number): void {
  if (colour === 'rgba(0, 0, 0, 0)' || width < 2) return;
  ink.strokeStyle = colour;
  ink.lineWidth = 1;
  ink.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
}

/** A line of text that ends with … where it does not fit. */
export function fitted(ink: Ink, text: string, width: number): string {
  if (ink.measureText(text).width <= width) return text;
  let short = text;
  while (short.length > 1 && ink.measureText(`${short}…`).width > width) short = short.slice(0, -1);
  return short.length > 1 ? `${short}…` : '';
}

/** A flash of lightning, 10 pixels high, with its middle at a place. */
export function flash(ink: Ink, x: number, y: number, colour: string): void {
  ink.fillStyle = colour;
  ink.beginPath();
  ink.moveTo(x + 1.5, y - 5);
  for (const [right, down] of [[-3.5, 1], [-0.5, 1], [-1.5, 5], [3.5, -1], [0.5, -1]] as const) ink.lineTo(x + right, y + down);
  ink.fill();
}

/** A small clock, 10 pixels high, with its middle at a place. */
export function timer(ink: Ink, x: number, y: number, colour: string): void {
  ink.strokeStyle = colour;
  ink.lineWidth = 1.3;
  ink.beginPath();
  ink.arc(x, y + 0.5, 4, 0, 2 * Math.PI);
  ink.moveTo(x, y - 2);
  ink.lineTo(x, y + 0.8);
  ink.lineTo(x + 2, y + 1.8);
  ink.moveTo(x - 1.5, y - 5);
  ink.lineTo(x + 1.5, y - 5);
  ink.stroke();
}

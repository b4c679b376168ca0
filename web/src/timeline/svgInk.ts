/** Draws as a canvas does, and writes it as SVG: the timeline as a picture has the same shapes as on the page. */
import type { Ink } from './canvas.ts';

/** A letter is about so wide, as a share of its height; which fonts a reader has is not known. */
const [LETTER, BOLD] = [0.55, 0.6];
/** From the middle of a line of text down to its baseline, as a share of its height. */
const BASELINE = 0.35;

export class SvgInk implements Ink {
  fillStyle: Ink['fillStyle'] = '#000000';
  strokeStyle: Ink['strokeStyle'] = '#000000';
  lineWidth = 1;
  globalAlpha = 1;
  /** Its family is that of the whole picture. */
  font = '10px sans-serif';
  textBaseline: CanvasTextBaseline = 'alphabetic';
  private path = '';
  private dashes: number[] = [];
  private readonly patterns = new Map<string, string>();
  private readonly elements: string[] = [];

  beginPath(): void {
    this.path = '';
  }

  moveTo(x: number, y: number): void {
    this.path += `M${round(x)} ${round(y)}`;
  }

  lineTo(x: number, y: number): void {
    this.path += `${this.path === '' ? 'M' : 'L'}${round(x)} ${round(y)}`;
  }

  /** An arc, clockwise. */
  arc(x: number, y: number, radius: number, from: number, to: number): void {
    const turn = 2 * Math.PI;
    const angle = to - from >= turn ? turn : (((to - from) % turn) + turn) % turn;
    const on = (share: number): [number, number] => [x + radius * Math.cos(from + share * angle), y + radius * Math.sin(from + share * angle)];
    this.lineTo(...on(0));
    // In two halves: an arc of SVG cannot end where it begins.
    for (const [endX, endY] of [on(0.5), on(1)]) this.path += `A${radius} ${radius} 0 0 1 ${round(endX)} ${round(endY)}`;
  }

  fill(): void {
    this.elements.push(`<path d="${this.path}"${this.filled()}/>`);
  }

  stroke(): void {
    this.elements.push(`<path d="${this.path}"${this.stroked()}/>`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.elements.push(`<rect${place(x, y, width, height)}${this.filled()}/>`);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.elements.push(`<rect${place(x, y, width, height)}${this.stroked()}/>`);
  }

  fillText(text: string, x: number, y: number): void {
    const { size, weight } = this.letters();
    const base = this.textBaseline === 'middle' ? y + size * BASELINE : y;
    this.elements.push(`<text x="${round(x)}" y="${round(base)}" font-size="${size}"${weight > 400 ? ` font-weight="${weight}"` : ''}${this.filled()}>${escaped(text)}</text>`);
  }

  measureText(text: string): { width: number } {
    const { size, weight } = this.letters();
    return { width: [...text].length * size * (weight > 400 ? BOLD : LETTER) };
  }

  setLineDash(dashes: Iterable<number>): void {
    this.dashes = [...dashes];
  }

  hatching(colour: string): string {
    const known = this.patterns.get(colour) ?? `hatching-${this.patterns.size + 1}`;
    this.patterns.set(colour, known);
    return `url(#${known})`;
  }

  /** Draws inside of a rectangle, whose corner is the origin; what is outside of it is not seen. */
  within(x: number, y: number, width: number, height: number, draw: () => void): void {
    this.elements.push(`<svg${place(x, y, width, height)}>`);
    draw();
    this.elements.push('</svg>');
  }

  /** All that was drawn, as elements of SVG. */
  drawn(): string {
    const patterns = [...this.patterns].map(([colour, id]) => `<pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 1L1 -1M0 6L6 0M5 7L7 5" stroke="${escaped(colour)}" stroke-width="1.5"/></pattern>`);
    return [...(patterns.length > 0 ? [`<defs>${patterns.join('')}</defs>`] : []), ...this.elements].join('\n');
  }

  private letters(): { size: number; weight: number } {
    const [, weight = '400', size = '10'] = /^(?:(\d+) )?([\d.]+)px/.exec(this.font) ?? [];
    return { size: Number(size), weight: Number(weight) };
  }

  private filled(): string {
    return ` fill="${escaped(String(this.fillStyle))}"${this.faded()}`;
  }

  private stroked(): string {
    const dashes = this.dashes.length > 0 ? ` stroke-dasharray="${this.dashes.join(' ')}"` : '';
    return ` fill="none" stroke="${escaped(String(this.strokeStyle))}" stroke-width="${this.lineWidth}"${dashes}${this.faded()}`;
  }

  private faded(): string {
    return this.globalAlpha < 1 ? ` opacity="${this.globalAlpha}"` : '';
  }
}

/** A text as it may stand in XML. Characters that XML cannot have are left out. */
export function escaped(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function place(x: number, y: number, width: number, height: number): string {
  return ` x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`;
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}

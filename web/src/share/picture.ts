/** The timeline as a self-contained picture: the outcomes of the Jobs, the rows and marks of the page, and a legend. */
import type { ObjectOutcome } from '../model/outcome.ts';
import type { Story } from '../model/story.ts';
import { fitted, timer } from '../timeline/canvas.ts';
import { drawLines } from '../timeline/drawing.ts';
import { drawHeat, MANY } from '../timeline/heat.ts';
import { bandLanes, drawBands, drawMarks, LANE, MARK_LANES } from '../timeline/lanes.ts';
import type { Palette } from '../timeline/palette.ts';
import { ROW } from '../timeline/rows.ts';
import { scale, type Scale, whole } from '../timeline/scale.ts';
import { escaped, SvgInk } from '../timeline/svgInk.ts';
import { label, type Line, lines, podRows } from '../timeline/tree.ts';
import { drawLegend } from './legend.ts';

export interface Pictured {
  title: string;
  story: Story;
  /** The current step: of CronJobs with many Jobs, those that exist then have rows. */
  step: number;
  /** Whether it is for paper: without the title and the outcomes of the Jobs, which stand beside the picture, and so narrow that what is written in it can be read there. */
  bare?: boolean;
}

/** In pixels. */
const [WIDTH, PRINTED, EDGE, GUTTER] = [960, 720, 16, 136];
const [TEXT, AXIS, HEAT] = [20, 24, 400];

/** A picture that is being drawn. */
interface Sheet extends Pictured {
  ink: SvgInk;
  colours: Palette;
  scale: Scale;
  /** How wide the picture is, and the part of it that is over the axis of time. */
  width: number;
  plot: number;
}

/** The timelines of sessions as an SVG document, one below the other by the same axis; `source` is what made it. */
export function picture(lanes: Pictured[], source: string, colours: Palette): string {
  const ink = new SvgInk();
  const width = lanes.some(({ bare }) => bare) ? PRINTED : WIDTH;
  const plot = width - 2 * EDGE - GUTTER;
  const sheets: Sheet[] = lanes.map((lane) => ({ ...lane, ink, colours, width, plot, scale: scale(whole(Math.max(...lanes.map(({ story }) => story.lastAt))), plot, lane.story.clock) }));
  let y = EDGE;
  for (const sheet of sheets) y = drawTimes(sheet, lines(sheet.story, sheet.step, new Set()), sheet.bare ? y : drawHead(sheet, y)) + EDGE;
  y = drawLegend(ink, lanes.map(({ story }) => story), colours, { x: EDGE, y: y - EDGE / 2, width: width - 2 * EDGE });
  font({ ink, colours }, '10px', colours.muted);
  ink.fillText(source, EDGE, y + TEXT / 2);
  const height = y + TEXT + EDGE / 2;
  const words = lanes.flatMap(({ title, story }) => [title, ...story.outcomes.map(inWords)]).filter((text) => text !== '');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${escaped(colours.font)}">`,
    `<title>${escaped(words.join('. '))}</title>`,
    `<rect width="${width}" height="${height}" fill="${escaped(colours.surface)}"/>`,
    ink.drawn(),
    '</svg>\n',
  ].join('\n');
}

/** The outcome of a Job or a CronJob, in one sentence. */
export function inWords({ kind, object, facts }: ObjectOutcome): string {
  return `${kind} ${object.name}: ${facts.join(', ')}`;
}

function font({ ink, colours }: Pick<Sheet, 'ink' | 'colours'>, size: string, colour: string): void {
  ink.font = `${size} ${colours.font}`;
  ink.textBaseline = 'middle';
  ink.fillStyle = colour;
}

/** Draws the title and the outcome of each Job and CronJob. Like the functions below, it returns the y coordinate where it ends. */
function drawHead(sheet: Sheet, top: number): number {
  const { ink, colours, story, title, width } = sheet;
  let y = top;
  font(sheet, '600 16px', colours.text);
  for (const line of title === '' ? [] : wrapped(ink, title, width - 2 * EDGE)) {
    ink.fillText(line, EDGE, y + 12);
    y += 24;
  }
  for (const outcome of story.outcomes) {
    drawSign(sheet, outcome, EDGE + 6, y + TEXT / 2);
    font(sheet, '13px', colours.text);
    for (const line of wrapped(ink, inWords(outcome), width - 2 * EDGE - TEXT)) {
      ink.fillText(line, EDGE + TEXT, y + TEXT / 2);
      y += TEXT;
    }
  }
  return y + EDGE / 2;
}

/** The outcome of a Job, as a symbol. */
function drawSign(sheet: Sheet, { state }: ObjectOutcome, x: number, y: number): void {
  const { ink, colours } = sheet;
  font(sheet, '700 14px', state === 'failed' ? colours.bad : state === 'complete' ? colours.good : colours.text);
  switch (state) {
    case 'failed':
    case 'complete':
    case 'deleted':
      return ink.fillText({ failed: '✗', complete: '✓', deleted: '✕' }[state], x - 5, y);
    case 'stuck':
      return timer(ink, x, y, colours.text);
    case 'suspended':
      ink.fillRect(x - 4, y - 5, 3, 10);
      return ink.fillRect(x + 1, y - 5, 3, 10);
    case 'running':
      ink.beginPath();
      ink.moveTo(x - 4, y - 5);
      ink.lineTo(x + 5, y);
      ink.lineTo(x - 4, y + 5);
      ink.fill();
  }
}

/** All that is over the axis of time: bands, rows and marks, with their names. */
function drawTimes(sheet: Sheet, rows: Line[], top: number): number {
  const { ink, colours, story, scale, plot: wide } = sheet;
  const bands = bandLanes(story.bands, story.names);
  const many = rows.length > MANY && rows[0]?.kind === 'pods';
  const tall = many ? HEAT : rows.length * ROW;
  const at = { bands: top + AXIS, rows: top + AXIS + bands.length * LANE, marks: top + AXIS + bands.length * LANE + tall + 4 };
  const bottom = at.marks + MARK_LANES.length * LANE;
  drawAxis(sheet, top, bottom);
  font(sheet, '11px', colours.muted);
  const name = (text: string, middle: number): void => ink.fillText(fitted(ink, text, GUTTER - EDGE / 2), EDGE, middle);
  for (const [place, lane] of bands.entries()) name(lane.label, at.bands + (place + 0.5) * LANE);
  for (const [place, lane] of MARK_LANES.entries()) name(lane.label, at.marks + (place + 0.5) * LANE);
  ink.fillStyle = colours.text;
  if (many) name(`${rows.length} rows`, at.rows + ROW / 2);
  else for (const [place, row] of rows.entries()) name(label(row, story), at.rows + (place + 0.5) * ROW);
  const plot = (y: number, height: number, draw: () => void): void => ink.within(EDGE + GUTTER, y, wide, height, draw);
  plot(at.bands, bands.length * LANE, () => drawBands(ink, bands, scale, colours, story.lastAt));
  plot(at.rows, tall, () => {
    if (many) drawHeat(ink, podRows(rows), scale, colours, story.lastAt, tall);
    else drawLines(ink, rows, scale, colours, story.lastAt, 0, tall);
  });
  plot(at.marks, MARK_LANES.length * LANE, () => drawMarks(ink, story.marks, scale, colours));
  return bottom;
}

/** The times, and a line down from each. */
function drawAxis(sheet: Sheet, top: number, bottom: number): void {
  const { ink, colours, scale, width, plot } = sheet;
  font(sheet, '11px', colours.muted);
  for (const { at, label } of scale.clock.ticks(scale.view.from, scale.view.to, plot)) {
    const x = EDGE + GUTTER + scale.x(at);
    ink.fillStyle = colours.line;
    ink.fillRect(x, top + 4, 1, bottom - top - 4);
    ink.fillStyle = colours.muted;
    ink.fillText(label, x + 4, top + AXIS / 2);
  }
  ink.fillStyle = colours.line;
  ink.fillRect(EDGE, top + AXIS - 1, width - 2 * EDGE, 1);
}

/** A text in lines of at most this width. */
function wrapped(ink: SvgInk, text: string, width: number): string[] {
  const found: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${found.at(-1) ?? ''} ${word}`.trimStart();
    if (found.length > 0 && ink.measureText(longer).width <= width) found[found.length - 1] = longer;
    else found.push(word);
  }
  return found;
}

/** Contrast of the colours in the style sheet, as WCAG 2.2 AA asks for it: 4.5 for text, 3 for what is drawn. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const sheet = readFileSync(new URL('../src/styles/tokens.css', import.meta.url), 'utf8');
const colours = new Map([...sheet.matchAll(/--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g)].map(([, name = '', light = '', dark = '', both]) => [name, { light: both ?? light, dark: both ?? dark }]));

const TEXT: [ground: string[], text: string[]][] = [
  [['surface', 'page', 'raised', 'hover'], ['text', 'muted', 'accent', 'bad']],
  [['surface', 'raised'], ['good', 'key', 'value']],
  [['band', 'lit', 'selection'], ['text']],
  [['succeeded', 'failed'], ['chip']],
  [['accent'], ['on-accent']],
];
const DRAWN: [ground: string[], drawn: string[]][] = [
  [['surface'], ['pending', 'running', 'succeeded', 'failed', 'deleting', 'waiting', 'action', 'accent', 'edge', 'muted', 'text', 'bad']],
  // The row of a CronJob, with its runs.
  [['band'], ['running', 'succeeded', 'failed', 'waiting', 'text', 'bad']],
];

/** What is written on the timeline, where it may lie after the cursor. */
const WRITTEN: [ground: string[], text: string[]][] = [
  [['surface', 'band'], ['text']],
  [['surface'], ['muted', 'good', 'bad']],
  [['succeeded', 'failed'], ['chip']],
];

type Colour = [red: number, green: number, blue: number];

describe.each(['light', 'dark'] as const)('in the %s', (theme) => {
  const below = (pairs: [string[], string[]][], least: number, seen = (colour: Colour) => colour) =>
    pairs.flatMap(([grounds, signs]) => grounds.flatMap((ground) => signs.filter((sign) => contrast(seen(colour(ground)), seen(colour(sign))) < least).map((sign) => `${sign} on ${ground}`)));
  const colour = (name: string) => parsed(colours.get(name)?.[theme] ?? expect.fail(`unknown colour: ${name}`));
  /** How a colour looks after the cursor. */
  const later = (before: Colour) => before.map((part, place) => part + ((shade(theme)[place] ?? NaN) - part) * (shade(theme)[3] ?? NaN)) as Colour;

  test('all text can be read', () => expect(below(TEXT, 4.5)).toEqual([]));
  test('all that is drawn can be seen', () => expect(below(DRAWN, 3)).toEqual([]));
  test('what is later than the cursor can be read and seen, too', () => expect([...below(WRITTEN, 4.5, later), ...below(DRAWN, 3, later)]).toEqual([]));
});

/** What lies over the time after the cursor: a colour, and its opacity. */
function shade(theme: 'light' | 'dark'): number[] {
  const [, light = '', dark = ''] = /--future: light-dark\(rgb\((.*?)\), rgb\((.*?)\)\)/.exec(sheet) ?? expect.fail('--future is not light-dark(rgb(…), rgb(…))');
  const [red = NaN, green = NaN, blue = NaN, percent = NaN] = (theme === 'light' ? light : dark).match(/\d+/g)?.map(Number) ?? [];
  return [red, green, blue, percent / 100];
}

function parsed(colour: string): Colour {
  return [1, 3, 5].map((place) => Number.parseInt(colour.slice(place, place + 2), 16)) as Colour;
}

function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

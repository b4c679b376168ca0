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

describe.each(['light', 'dark'] as const)('in the %s', (theme) => {
  const below = (pairs: [string[], string[]][], least: number) =>
    pairs.flatMap(([grounds, signs]) => grounds.flatMap((ground) => signs.filter((sign) => contrast(colour(ground), colour(sign)) < least).map((sign) => `${sign} on ${ground}`)));
  const colour = (name: string) => colours.get(name)?.[theme] ?? expect.fail(`unknown colour: ${name}`);

  test('all text can be read', () => expect(below(TEXT, 4.5)).toEqual([]));
  test('all that is drawn can be seen', () => expect(below(DRAWN, 3)).toEqual([]));
});

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => Number.parseInt(colour.slice(place, place + 2), 16) / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** What the decisions of a play show of retries: how long was waited before each, and what containers have had by attempt. */
import type { Step } from '../protocol.ts';
import { key, type Named } from './names.ts';
import { spoken } from './time.ts';
import { counted } from './words.ts';

/** A number by another, with its text. */
export interface CurvePoint {
  x: number;
  y: number;
  text: string;
}

/** A curve: its points by `x`, and what is counted there. */
export interface CurveData {
  title: string;
  /** What `x` counts: `failure`. */
  noun: string;
  /** What decisions say. */
  points: CurvePoint[];
  /** What its line goes through. */
  line: CurvePoint[];
}

/** The values of the decisions about an object. */
function values(steps: Step[], about: Named): Record<string, unknown>[] {
  const entries = steps.flatMap((step) => step.entries);
  return entries.flatMap((entry) => (entry.type === 'decision' && key(entry.about) === key(about) ? [entry.values] : []));
}

/** The delays before retries, each number of failures once, for each index and each line of the annotation; none if nothing was delayed. */
export function delays(steps: Step[], about: Named): CurveData[] {
  const found = new Map<string, Map<number, CurvePoint>>();
  for (const { failures, delay, index, line } of values(steps, about)) {
    if (typeof failures !== 'number' || typeof delay !== 'number') continue;
    const title = `Delay before the next pod${typeof index === 'number' ? ` of index ${index}` : ''}${typeof line === 'number' ? `, by line ${line}` : ''}`;
    const points = found.get(title) ?? new Map<number, CurvePoint>();
    found.set(title, points.set(failures, { x: failures, y: delay, text: spoken(delay) }));
  }
  return curves(found, 'failure', (points) => points);
}

/** What containers have had of a resource by attempt, for each index; none if nothing has grown. */
export function growth(steps: Step[], about: Named): CurveData[] {
  const found = new Map<string, Map<number, CurvePoint>>();
  for (const { resource, container, index, attempt, from, to, fromAmount, toAmount } of values(steps, about)) {
    if (typeof attempt !== 'number' || typeof fromAmount !== 'number' || typeof toAmount !== 'number') continue;
    const title = `${capital(String(resource))} of container ${String(container)}${typeof index === 'number' ? `, index ${index}` : ''}`;
    const points = found.get(title) ?? new Map<number, CurvePoint>([[1, { x: 1, y: fromAmount, text: String(from) }]]);
    found.set(title, points.set(attempt, { x: attempt, y: toAmount, text: String(to) }));
  }
  return curves(found, 'attempt', stepped);
}

/** Curves of points that are found by title and `x`. */
function curves(found: Map<string, Map<number, CurvePoint>>, noun: string, through: (points: CurvePoint[]) => CurvePoint[]): CurveData[] {
  return [...found].map(([title, unsorted]) => {
    const points = [...unsorted.values()].sort((one, other) => one.x - other.x);
    return { title, noun, points, line: through(points) };
  });
}

/** Points between which each value is kept until right before the next one: two for each at most, however far apart they are. */
function stepped(points: CurvePoint[]): CurvePoint[] {
  return points.flatMap((point, place) => {
    const before = points[place - 1];
    return before && before.x < point.x - 1 ? [{ ...before, x: point.x - 1 }, point] : [point];
  });
}

/** A curve in words. */
export function curveText({ noun, points }: CurveData): string {
  return points.map(({ x, text }) => `${noun === 'attempt' ? `attempt ${x}` : counted(x, noun)}: ${text}`).join('; ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

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
  points: CurvePoint[];
}

/** The values of the decisions about an object. */
function values(steps: Step[], about: Named): Record<string, unknown>[] {
  const entries = steps.flatMap((step) => step.entries);
  return entries.flatMap((entry) => (entry.type === 'decision' && key(entry.about) === key(about) ? [entry.values] : []));
}

/** The delays before retries, each number of failures once; null if nothing was delayed. */
export function delays(steps: Step[], about: Named): CurveData | null {
  const found = new Map<number, number>();
  for (const { failures, delay } of values(steps, about)) {
    if (typeof failures === 'number' && typeof delay === 'number') found.set(failures, delay);
  }
  const points = [...found].sort(([one], [other]) => one - other).map(([x, y]) => ({ x, y, text: spoken(y) }));
  return points.length === 0 ? null : { title: 'Delay before the next pod', noun: 'failure', points };
}

/** What containers have had of a resource by attempt, for each index; none if nothing has grown. */
export function growth(steps: Step[], about: Named): CurveData[] {
  const found = new Map<string, CurvePoint[]>();
  for (const { resource, container, index, attempt, from, to, fromAmount, toAmount } of values(steps, about)) {
    if (typeof attempt !== 'number' || typeof fromAmount !== 'number' || typeof toAmount !== 'number') continue;
    const title = `${capital(String(resource))} of container ${String(container)}${typeof index === 'number' ? `, index ${index}` : ''}`;
    const points = found.get(title) ?? [{ x: 1, y: fromAmount, text: String(from) }];
    found.set(title, [...points.filter(({ x }) => x !== attempt), { x: attempt, y: toAmount, text: String(to) }]);
  }
  return [...found].map(([title, points]) => ({ title, noun: 'attempt', points: filled(points) }));
}

/** Points for each `x` from the first to the last: where none is known, the one before it. */
function filled(points: CurvePoint[]): CurvePoint[] {
  const sorted = points.toSorted((one, other) => one.x - other.x);
  return sorted.flatMap((point, place) => {
    const end = sorted[place + 1]?.x ?? point.x + 1;
    return Array.from({ length: end - point.x }, (_, more) => ({ ...point, x: point.x + more }));
  });
}

/** A curve in words. */
export function curveText({ noun, points }: CurveData): string {
  return points.map(({ x, text }) => `${noun === 'attempt' ? `attempt ${x}` : counted(x, noun)}: ${text}`).join('; ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Where two plays part: the first thing that a person would see in one and not in the other. */
import type { Step } from '../protocol.ts';
import { clock } from './time.ts';

/** One side at the place where the plays part. */
export interface Side {
  step: number;
  /** Its time and its words; null where the play has ended. */
  text: string | null;
}

export interface Divergence {
  left: Side;
  right: Side;
}

/** What a person sees, in order. Requests follow from decisions, and what is routine adds nothing. */
function seen(steps: Step[]): { step: number; text: string }[] {
  return steps.flatMap((step, number) =>
    step.entries
      .filter((entry) => entry.type !== 'request' && entry.type !== 'event' && !(entry.type === 'decision' && entry.minor))
      .map((entry) => ({ step: number, text: `${clock(step.at)} ${entry.text}` })),
  );
}

/** Null if both plays are the same. */
export function divergence(left: Step[], right: Step[]): Divergence | null {
  const [one, other] = [seen(left), seen(right)];
  const place = one.findIndex((entry, number) => entry.text !== other[number]?.text);
  const first = place < 0 ? one.length : place;
  if (place < 0 && other.length <= one.length) return null;
  const side = (all: { step: number; text: string }[], steps: Step[]): Side => ({ step: all[first]?.step ?? steps.length - 1, text: all[first]?.text ?? null });
  return { left: side(one, left), right: side(other, right) };
}

/** A line that only one of two texts has. */
export interface Difference {
  side: 'left' | 'right';
  text: string;
}

/** The lines in which two texts differ, by their longest common subsequence. */
export function differences(left: string, right: string): Difference[] {
  const [one, other] = [left.trimEnd().split('\n'), right.trimEnd().split('\n')];
  const common = Array.from({ length: one.length + 1 }, () => new Array<number>(other.length + 1).fill(0));
  const at = (row: number, column: number): number => common[row]?.[column] ?? 0;
  for (let row = one.length - 1; row >= 0; row--) {
    for (let column = other.length - 1; column >= 0; column--) {
      const cells = common[row];
      if (cells) cells[column] = one[row] === other[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const found: Difference[] = [];
  let [row, column] = [0, 0];
  while (row < one.length || column < other.length) {
    if (row < one.length && column < other.length && one[row] === other[column]) {
      row++;
      column++;
    } else if (row < one.length && (column === other.length || at(row + 1, column) >= at(row, column + 1))) {
      found.push({ side: 'left', text: one[row++] ?? '' });
    } else {
      found.push({ side: 'right', text: other[column++] ?? '' });
    }
  }
  return found;
}

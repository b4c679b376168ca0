/** Where two plays diverge: the first thing that a person would see in one and not in the other. */
import type { Story } from './story.ts';

/** One side at the moment at which the plays diverge. */
export interface Side {
  /** The step that brings the difference; the last step by then, where the difference is that nothing happens yet. */
  step: number;
  /** What happens next, with its time; null where the play has ended. */
  text: string | null;
  /** The first decision from then on, if what happens next is none: the reason may come a step later. */
  reason: Reason | null;
}

/** A decision, with its time, and the step in which it is made. */
export interface Reason {
  at: number;
  step: number;
  text: string;
}

export interface Divergence {
  /** Milliseconds since the beginning. */
  at: number;
  left: Side;
  right: Side;
}

/** Something that a person sees. */
interface Seen extends Reason {
  /** Its text with numbers for the names of its objects: those of two sessions may differ only in these. */
  numbered: string;
  decided: boolean;
}

/** What a person sees, in order. Requests follow from decisions, and what is routine adds nothing. */
function seen({ steps, names }: Story): Seen[] {
  const numbered = names.numbered();
  return steps.flatMap(({ at, entries }, step) =>
    entries
      .filter((entry) => entry.type !== 'request' && entry.type !== 'event' && !(entry.type === 'decision' && entry.minor))
      .map((entry) => ({ at, step, text: entry.text, numbered: numbered(entry.text), decided: entry.type === 'decision' })),
  );
}

/** Null if both plays are the same up to the point that both have reached. */
export function divergence(left: Story, right: Story): Divergence | null {
  const [one, other] = [seen(left), seen(right)];
  const place = one.findIndex((entry, number) => !same(entry, other[number]));
  const first = place < 0 ? one.length : place;
  const [here, there] = [one[first], other[first]];
  const at = Math.min(here?.at ?? Infinity, there?.at ?? Infinity);
  if (at === Infinity || (!here && awaits(left, at)) || (!there && awaits(right, at))) return null;
  return { at, left: side(left, one.slice(first), at), right: side(right, other.slice(first), at) };
}

/** Whether two look the same: times are shown to the tenth of a second. */
function same(one: Seen, other: Seen | undefined): boolean {
  return one.numbered === other?.numbered && Math.floor(one.at / 100) === Math.floor(other.at / 100);
}

/** Whether a play may yet show something at a time, because it was not played that far. */
function awaits(story: Story, at: number): boolean {
  return !story.ended && story.lastAt <= at;
}

/** A side, with what happens on it from there. */
function side(story: Story, seen: Seen[], at: number): Side {
  const [next] = seen;
  const words = ({ at: when, text }: Seen): string => `${story.clock.show(when)} ${text}`;
  const reason = next?.decided ? undefined : seen.find((one) => one.decided);
  return {
    step: next?.at === at ? next.step : Math.max(0, story.stepAt(at)), text: next ? words(next) : null,
    reason: reason ? { at: reason.at, step: reason.step, text: words(reason) } : null,
  };
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

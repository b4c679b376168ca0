/** What happened as lines, in the manner of `jobsmith simulate`: one for each thing that a person can see. */
import type { Entry, Step } from '../protocol.ts';
import type { Clock } from './clock.ts';
import { rendered } from './sentence.ts';
import { MARKS } from './words.ts';

export const LINE_KINDS = ['decisions', 'objects', 'requests', 'actions'] as const;

/** Decisions of the controllers; the outcomes of pods, Jobs and CronJobs; requests and Events; and what people did. */
export type LineKind = (typeof LINE_KINDS)[number];

export interface StoryLine {
  step: number;
  at: number;
  kind: LineKind;
  /** Whether it went wrong. */
  bad: boolean;
  /** What it shows; of what people did, its text. */
  shows: Entry | string;
}

/** Which lines are shown. */
export interface LineFilter {
  kinds: ReadonlySet<LineKind>;
  /** What is searched for: all words have to occur. */
  words: string;
}

/** The lines of a step. Routine decisions have none. */
export function linesOf({ at, action, entries }: Step, step: number): StoryLine[] {
  const done: StoryLine[] = action === undefined ? [] : [{ step, at, kind: 'actions', bad: false, shows: action }];
  return [...done, ...entries.filter((entry) => entry.type !== 'decision' || !entry.minor).map((entry) => ({ step, at, kind: kindOf(entry), bad: failed(entry), shows: entry }))];
}

function kindOf({ type }: Entry): LineKind {
  switch (type) {
    case 'decision':
      return 'decisions';
    case 'request':
    case 'event':
      return 'requests';
    case 'complaint':
    case 'difference':
      return 'actions';
    case 'cronJob':
    case 'job':
    case 'pod':
      return 'objects';
  }
}

function failed(entry: Entry): boolean {
  return entry.type === 'complaint' || (entry.type === 'request' && entry.outcome !== 'done') || (entry.type === 'decision' && entry.role === 'invalid');
}

/** A line in words: its mark, which may be empty, and its text. */
export function lineWords({ shows }: StoryLine): { mark: string; text: string } {
  if (typeof shows === 'string') return { mark: '◆', text: shows };
  if (shows.type === 'complaint') return { mark: '!', text: shows.text };
  if (shows.type === 'difference') return { mark: '≠', text: shows.text };
  if (shows.type !== 'decision') return { mark: '', text: outcomeWords(shows) };
  return { mark: MARKS[shows.role], text: shows.named + rendered(shows.parts) };
}

/** What happened in words, with what nothing recorded marked. */
export function outcomeWords(entry: Exclude<Entry, { type: 'decision' }>): string {
  return 'estimated' in entry && entry.estimated ? `${entry.text} (estimated)` : entry.text;
}

/** What is shown of lines that may still grow. */
export interface Listing {
  filter: LineFilter;
  of: readonly StoryLine[];
  /** How many of them were looked through. */
  looked: number;
  shown: StoryLine[];
}

/** Lines, and how their times are shown. */
interface Timed {
  lines: readonly StoryLine[];
  clock: Clock;
}

/** The lines that a filter lets through; with the listing before, only those that came since are looked through. */
export function listing({ lines: of, clock }: Timed, filter: LineFilter, before?: Listing): Listing {
  const [shown, looked] = before?.of === of && before.filter === filter ? [before.shown, before.looked] : [[], 0];
  const words = filter.words.toLowerCase().split(/\s+/).filter((word) => word !== '');
  for (let place = looked; place < of.length; place++) {
    const line = of[place];
    if (line && fits(line, filter.kinds) && words.every((word) => searched(line, clock).includes(word))) shown.push(line);
  }
  return { filter, of, looked: of.length, shown };
}

/** A request that went wrong explains what is decided next, so it is shown with the decisions, too. */
function fits({ kind, bad }: StoryLine, kinds: ReadonlySet<LineKind>): boolean {
  return kinds.has(kind) || (kind === 'requests' && bad && kinds.has('decisions'));
}

function searched({ at, shows }: StoryLine, clock: Clock): string {
  return `${clock.show(at)} ${typeof shows === 'string' ? shows : shows.text}`.toLowerCase();
}

/** The place of the first line that is not of an earlier step; the number of lines if there is none. */
export function placeOf(lines: readonly StoryLine[], step: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.step ?? 0) < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

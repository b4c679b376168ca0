/** What windows keep in this browser: their tabs, with drafts and cursors. Each window has a record of its own, so that none overwrites another's. */
import { type Recording, recording } from '../model/recording.ts';
import { atCursor, readSession } from '../session.ts';
import type { Opening } from './tab.ts';

/** All that a window has open; the tabs that are shown, by their places. */
export interface Kept {
  tabs: Opening[];
  current: number;
  /** -1 if no tab is beside the current one. */
  other: number;
}

/** What is needed of the browser's storage. */
export type Records = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** What the keys of the records begin with; the script in `index.html` knows it, too. */
export const PREFIX = 'playground.window.';

/** A longer recording is a file that is opened again: it would leave no room for anything else. */
const LONGEST = 1_000_000;

/** Whether a recording is there again after the page is loaded again. */
export function fits({ text }: Recording): boolean {
  return text.length <= LONGEST;
}

/** Records of so many windows are kept; of more, those that were written last. */
const MOST = 20;

/** Writes the record of a window; throws what the storage throws. */
export function write(records: Records, id: string, { tabs, current, other }: Kept, now: number): void {
  const fitting = tabs.filter(({ recording: recorded }) => !recorded || fits(recorded));
  const at = (place: number): number => fitting.findIndex((one) => one === tabs[place]);
  const written = fitting.map(({ session, seek, prose, recording: recorded }) => ({ session, prose, outcome: seek.to === 'outcome', recording: recorded?.text }));
  records.setItem(PREFIX + id, JSON.stringify({ saved: now, current: at(current), other: at(other), tabs: written }));
}

/** What a window has kept; null if nothing that can be read. */
export function find(records: Records, id: string): Kept | null {
  try {
    const value = JSON.parse(records.getItem(PREFIX + id) ?? 'null') as { current: unknown; other: unknown; tabs: Record<string, unknown>[] };
    const tabs = value.tabs.map(opening);
    return tabs.length === 0 ? null : { tabs, current: place(value.current, tabs) ?? 0, other: place(value.other, tabs) ?? -1 };
  } catch {
    return null;
  }
}

/** The windows that have kept something, the one that was written last first. The records of very old ones are removed. */
export function windows(records: Records): string[] {
  const keys = Array.from({ length: records.length }, (_, place) => records.key(place) ?? '').filter((key) => key.startsWith(PREFIX));
  const sorted = keys.map((key) => ({ key, saved: saved(records.getItem(key)) })).sort((one, other) => other.saved - one.saved);
  for (const { key } of sorted.slice(MOST)) records.removeItem(key);
  return sorted.slice(0, MOST).map(({ key }) => key.slice(PREFIX.length));
}

function saved(text: string | null): number {
  return Number(/^\{"saved":(\d+)/.exec(text ?? '')?.[1] ?? 0);
}

function opening({ session: value, prose, outcome, recording: text }: Record<string, unknown>): Opening {
  const session = readSession(value);
  const recorded = typeof text === 'string' ? recording(text) : null;
  return { session, seek: outcome === true ? { to: 'outcome' } : atCursor(session), prose: typeof prose === 'string' ? prose : '', ...(recorded ? { recording: recorded } : {}) };
}

function place(value: unknown, tabs: Opening[]): number | undefined {
  return typeof value === 'number' && tabs[value] ? value : undefined;
}

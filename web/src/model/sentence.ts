/** Sentences of decisions as plain text, with their times as the session shows them. */
import type { Part, Step } from '../protocol.ts';
import type { Clock } from './clock.ts';
import { DAY } from './zone.ts';

/** The sentence as plain text. */
export function rendered(parts: Part[]): string {
  return parts.map(word).join('');
}

/** One part as plain text. */
export function word(part: Part): string {
  return typeof part === 'string' ? part : part.text;
}

/** A sentence as plain text with its times as they are written here, in milliseconds since the start. */
export function written(parts: Part[], time: (at: number) => string, start: number): string {
  return parts.map((part) => (Number.isNaN(timeOf(part, start)) ? word(part) : time(timeOf(part, start)))).join('');
}

/** The time that a part is, in milliseconds since the start; not a number if it is none. */
function timeOf(part: Part, start: number): number {
  return typeof part !== 'string' && 'time' in part ? Date.parse(part.time) - start : NaN;
}

/** A sentence with its times by a clock; the worker writes them as time since the start, however long that is. The same sentence if none changes. */
export function timed(parts: Part[], clock: Clock, start: number): Part[] {
  const at = (part: Part): number => timeOf(part, start);
  const shows = (part: Part): boolean => (clock.zone !== null ? !Number.isNaN(at(part)) : at(part) >= DAY);
  return parts.some(shows) ? parts.map((part) => (typeof part !== 'string' && shows(part) ? { ...part, text: clock.show(at(part)) } : part)) : parts;
}

/** A step with the times in its sentences by a clock. */
export function retimed(step: Step, clock: Clock, start: number): Step {
  const entries = step.entries.map((entry) => {
    const parts = entry.type === 'decision' ? timed(entry.parts, clock, start) : [];
    if (entry.type !== 'decision' || parts === entry.parts) return entry;
    return { ...entry, parts, text: entry.frame.join(rendered(parts)) };
  });
  return { ...step, entries, ...(step.awaits ? { awaits: timed(step.awaits, clock, start) } : {}) };
}

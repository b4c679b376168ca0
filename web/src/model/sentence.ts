/** Sentences of decisions in words: times since the start, as everywhere else on the page. */
import type { Part } from '../protocol.ts';
import { clock, since, spoken } from './time.ts';

/** The sentence as plain text; `start` is in milliseconds of the epoch. */
export function rendered(parts: Part[], start: number): string {
  return parts.map((part) => word(part, start)).join('');
}

/** One part as plain text. */
export function word(part: Part, start: number): string {
  if (typeof part === 'string') return part;
  if ('time' in part) return clock(since(part.time, start));
  if ('milliseconds' in part) return spoken(part.milliseconds);
  if ('object' in part) return part.object.name;
  return part.field.split('.').at(-1) ?? part.field;
}

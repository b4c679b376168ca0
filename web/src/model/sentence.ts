/** Sentences of decisions as plain text. */
import type { Part } from '../protocol.ts';

/** The sentence as plain text. */
export function rendered(parts: Part[]): string {
  return parts.map(word).join('');
}

/** One part as plain text. */
export function word(part: Part): string {
  return typeof part === 'string' ? part : part.text;
}

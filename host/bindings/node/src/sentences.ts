/** The sentences of decisions as plain text. */
import { rfc3339 } from './timestamps.js';
import type { Decision, TextPart, Timestamp } from './types.js';

/** The sentence of a decision, or of its parts, with times as `clock` writes them: RFC 3339 unless it is given. */
export function sentence(decision: Decision | TextPart[], clock: (time: Timestamp) => string = rfc3339): string {
  return (Array.isArray(decision) ? decision : decision.sentence).map((part) => words(part, clock)).join('');
}

function words(part: TextPart, clock: (time: Timestamp) => string): string {
  switch (part.tag) {
    case 'text':
      return part.val;
    case 'time':
      return clock(part.val);
    case 'duration':
      return seconds(part.val);
    case 'object':
      return part.val.name;
    case 'field':
      return part.val.slice(part.val.lastIndexOf('.') + 1);
  }
}

/** Milliseconds in seconds, with a tenth only where there is one. */
function seconds(milliseconds: bigint): string {
  return `${Math.trunc(Number(milliseconds) / 100) / 10} s`;
}

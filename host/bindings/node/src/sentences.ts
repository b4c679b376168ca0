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
      return duration(part.val);
    case 'object':
      return part.val.name;
    case 'field':
      return part.val.slice(part.val.lastIndexOf('.') + 1);
  }
}

/** Units in tenths of a second. */
const UNITS = [['d', 864_000], ['h', 36_000], ['m', 600]] as const;

/** A length of time: `90 s`, and from two minutes on `2m40s`, `1h`, `1d12h`. */
function duration(milliseconds: bigint): string {
  const tenths = Math.trunc(Number(milliseconds) / 100);
  let [words, left] = [tenths < 0 ? '-' : '', Math.abs(tenths)];
  if (left < 1200) return `${words}${left / 10} s`;
  for (const [unit, length] of UNITS) {
    if (left >= length) words += `${Math.trunc(left / length)}${unit}`;
    left %= length;
  }
  return left > 0 ? `${words}${left / 10}s` : words;
}

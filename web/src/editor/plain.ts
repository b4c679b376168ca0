/** Text as the editor holds it: one sort of line end, no byte order mark. */

export function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\uFEFF', '');
}

/** What turns one text into another: the stretch in which they differ. */
export function difference(before: string, after: string): { from: number; to: number; insert: string } {
  const least = Math.min(before.length, after.length);
  let from = 0;
  while (from < least && before[from] === after[from]) from++;
  let end = 0;
  while (end < least - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

/** Text as the editor holds it: one kind of line ending, no byte order mark. */

export function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\uFEFF', '');
}

/** Whether a text has an object of Kubernetes, and not only a part of one. */
export function isManifest(text: string): boolean {
  return /^(apiVersion|kind):/m.test(text) || /^\s*\{\s*"(apiVersion|kind)"/.test(text);
}

/** The change that turns one text into another: the stretch where they differ. */
export function difference(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let end = 0;
  while (end < shorter - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

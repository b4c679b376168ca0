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

/** The change that puts a further document below the one around a place, with the cursor behind it; null if the text is none: it does not begin with `---`. */
export function added(before: string, place: number, text: string): { changes: { from: number; insert: string }; selection: { anchor: number } } | null {
  if (!/^\s*---\s*\n/.test(text)) return null;
  const next = /^---(?=\s|$)/m.exec(before.slice(place));
  const from = next ? place + next.index : before.length;
  const insert = `${before.slice(0, from).endsWith('\n') ? '' : '\n'}${text.trim()}\n`;
  return { changes: { from, insert }, selection: { anchor: from + insert.length - 1 } };
}

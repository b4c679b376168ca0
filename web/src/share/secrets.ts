/** Leaves the Secrets out of a manifest that goes elsewhere: they are never played, and a link is read by many. */

const KIND = /\bkind["']?\s*:\s*["']?Secret(List)?\b/;
const LEFT_OUT = '# A Secret was left out here.';

/** The manifest without its Secrets. What cannot be told apart from one is left out with it. */
export function withoutSecrets(manifest: string): string {
  if (!KIND.test(manifest)) return manifest;
  return manifest.split(/(?<=^---.*\n)|(?=^---)/m).map((part) => (KIND.test(part) ? cleaned(part) : part)).join('');
}

/** A document in which there is a Secret. */
function cleaned(document: string): string {
  return withoutItems(document) ?? `${LEFT_OUT}\n`;
}

/** A list in JSON or in block style without the Secrets among its items; null for anything else. */
function withoutItems(document: string): string | null {
  try {
    const list = JSON.parse(document) as { items?: unknown[] };
    return list.items ? `${JSON.stringify({ ...list, items: list.items.filter((item) => !KIND.test(JSON.stringify(item))) }, null, 2)}\n` : null;
  } catch {
    // It is YAML.
  }
  const lines = document.split('\n');
  const start = lines.findIndex((line) => /^items:\s*$/.test(line));
  const indent = /^( *)- /.exec(lines[start + 1] ?? '')?.[1]?.length;
  if (start < 0 || indent === undefined) return null;
  const items: string[][] = [];
  let end = start + 1;
  for (; end < lines.length && isWithin(lines[end] ?? '', indent); end++) {
    const line = lines[end] ?? '';
    if (line.startsWith(`${' '.repeat(indent)}- `)) items.push([]);
    items.at(-1)?.push(line);
  }
  const kept = items.map((item) => (KIND.test(item.join('\n')) ? [`${' '.repeat(indent)}${LEFT_OUT}`] : item));
  const left = [...lines.slice(0, start + 1), ...kept.flat(), ...lines.slice(end)].join('\n');
  return KIND.test(left) ? null : left;
}

/** Whether a line belongs to the items of a list that are so far indented. */
function isWithin(line: string, indent: number): boolean {
  return line.trim() === '' || line.startsWith(' '.repeat(indent + 1)) || line.startsWith(`${' '.repeat(indent)}-`);
}

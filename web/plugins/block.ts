/** Writes manifests in block style, as people do: scenario files are in flow style, which is shorter. */
import { yamlLanguage } from '@codemirror/lang-yaml';
import type { SyntaxNode } from '@lezer/common';

/** A list of plain values stays on its line up to this length, as people write commands and exit codes. */
const SHORT = 60;

/** The same manifest with a line for each field; comments and block scalars stay as they are. */
export function blockStyle(manifest: string): string {
  const found: SyntaxNode[] = [];
  yamlLanguage.parser.parse(manifest).iterate({
    enter: ({ node }) => {
      if (!isFlow(node)) return true;
      found.push(node);
      return false;
    },
  });
  let written = manifest;
  for (const node of found.toReversed()) {
    const text = block(node, manifest, column(node, manifest));
    if (text === null) continue;
    // What follows a key begins on the next line.
    const before = isAfterKey(node) ? written.slice(0, node.from).trimEnd() : written.slice(0, node.from);
    written = before + (isAfterKey(node) ? text : text.trimStart()) + written.slice(node.to);
  }
  return written;
}

function isFlow({ name }: SyntaxNode): boolean {
  return name === 'FlowMapping' || name === 'FlowSequence';
}

function isAfterKey({ parent }: SyntaxNode): boolean {
  return parent?.name === 'Pair';
}

/** How far the fields of a map are indented that stands in place of this one. */
function column({ from, parent, name }: SyntaxNode, manifest: string): number {
  const line = manifest.slice(manifest.lastIndexOf('\n', from - 1) + 1, from);
  if (parent?.name !== 'Pair') return line.length;
  const indent = /^[\s-]*/.exec(line)?.[0].length ?? 0;
  return name === 'FlowMapping' ? indent + 2 : indent;
}

/** The lines of a map or a list, each after a line end; null if it stays as it is. */
function block(node: SyntaxNode, manifest: string, indent: number): string | null {
  const items = node.getChildren(node.name === 'FlowMapping' ? 'Pair' : 'Item');
  const text = manifest.slice(node.from, node.to);
  const plain = node.name === 'FlowSequence' && !items.some((item) => item.firstChild && isFlow(item.firstChild)) && text.length <= SHORT;
  if (items.length === 0 || plain) return null;
  const start = `\n${' '.repeat(indent)}`;
  if (node.name === 'FlowSequence') {
    return items.map((item) => `${start}- ${(item.firstChild && isFlow(item.firstChild) && block(item.firstChild, manifest, indent + 2)?.trimStart()) || manifest.slice(item.from, item.to)}`).join('');
  }
  return items.map((pair) => `${start}${field(pair, manifest, indent)}`).join('');
}

/** A field of a map: its key, and its value behind it or on the lines below. */
function field(pair: SyntaxNode, manifest: string, indent: number): string {
  const value = pair.lastChild;
  const below = value && isFlow(value) ? block(value, manifest, value.name === 'FlowMapping' ? indent + 2 : indent) : null;
  return value && below !== null ? manifest.slice(pair.from, value.from).trimEnd() + below : manifest.slice(pair.from, pair.to);
}

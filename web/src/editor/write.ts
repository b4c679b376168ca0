/** Writes one field of an object's spec into a manifest, and leaves the rest of its text as it is. */
import type { Tree } from '@lezer/common';

import type { ObjectRef } from '../protocol.ts';
import { objectNode, pairOf, pairs, type Text, valueNode } from './locate.ts';

/** The manifest with another value for a field of the spec; null if the object has no spec of its own there, as in a List. */
export function withSpecField(tree: Tree, source: string, object: ObjectRef, field: string, value: string): string | null {
  const textOf: Text = (node) => source.slice(node.from, node.to);
  const document = objectNode(tree, object, textOf);
  const spec = document && pairOf(document, 'spec', textOf);
  const first = spec && pairs(spec)[0];
  if (!spec || !first) return null;
  // JSON takes names and values only in quotation marks, and YAML takes them, too.
  const flow = first.parent?.name === 'FlowMapping';
  const text = flow ? `"${value}"` : value;
  const known = pairOf(spec, field, textOf);
  const old = known && valueNode(known);
  if (old) return source.slice(0, old.from) + text + source.slice(old.to);
  const colon = known?.getChild(':');
  if (colon) return `${source.slice(0, colon.to)} ${text}${source.slice(colon.to)}`;
  const column = first.from - (source.lastIndexOf('\n', first.from - 1) + 1);
  const written = flow ? `"${field}": ${text}, ` : `${field}: ${text}\n${' '.repeat(column)}`;
  return source.slice(0, first.from) + written + source.slice(first.from);
}

/** Writes one field of an object's spec into a manifest, and leaves the rest of its text as it is. */
import type { Tree } from '@lezer/common';

import type { ObjectRef } from '../protocol.ts';
import { objectNode, pairOf, pairs, type Text } from './locate.ts';

/** The manifest with another value for a field of the spec; null if the object has no spec of its own there, as in a List. */
export function withSpecField(tree: Tree, source: string, object: ObjectRef, field: string, value: string): string | null {
  const text: Text = (node) => source.slice(node.from, node.to);
  const document = objectNode(tree, object, text);
  const spec = document && pairOf(document, 'spec', text);
  const first = spec && pairs(spec)[0];
  if (!spec || !first) return null;
  const known = pairOf(spec, field, text)?.lastChild;
  if (known) return source.slice(0, known.from) + value + source.slice(known.to);
  const column = first.from - (source.lastIndexOf('\n', first.from - 1) + 1);
  // JSON takes names and values only in quotation marks, and YAML takes them, too.
  const written = first.parent?.name === 'FlowMapping' ? `"${field}": "${value}", ` : `${field}: ${value}\n${' '.repeat(column)}`;
  return source.slice(0, first.from) + written + source.slice(first.from);
}

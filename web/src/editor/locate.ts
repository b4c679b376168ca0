/** Finds fields of a manifest in its text, and the field at a place, by the tree of the YAML parser. */
import type { SyntaxNode, Tree } from '@lezer/common';

import { key } from '../model/names.ts';
import type { ObjectRef } from '../protocol.ts';

export interface Span {
  from: number;
  to: number;
}

export type Text = (node: SyntaxNode) => string;

function bare(text: string): string {
  return text.trim().replace(/^(['"])(.*)\1$/s, '$2');
}

function keyOf(pair: SyntaxNode, text: Text): string {
  const key = pair.getChild('Key');
  return key ? bare(text(key)) : '';
}

/** The pairs of the mapping that a document or a pair holds. */
export function pairs(holder: SyntaxNode): SyntaxNode[] {
  const mapping = holder.getChild('BlockMapping') ?? holder.getChild('FlowMapping');
  return mapping?.getChildren('Pair') ?? [];
}

/** The pair with a key in the mapping that a document or a pair holds. */
export function pairOf(holder: SyntaxNode, key: string, text: Text): SyntaxNode | undefined {
  return pairs(holder).find((pair) => keyOf(pair, text) === key);
}

function valueOf(pair: SyntaxNode | undefined, text: Text): string {
  const last = pair?.lastChild;
  return last && last.name !== 'Key' && last.name !== ':' ? bare(text(last)) : '';
}

/** The document of an object; the first one if none has its kind, name and namespace. */
export function documentOf(tree: Tree, object: ObjectRef, text: Text): SyntaxNode | undefined {
  const documents = tree.topNode.getChildren('Document');
  const named = documents.find((document) => {
    const metadata = pairOf(document, 'metadata', text);
    if (!metadata || valueOf(pairOf(document, 'kind', text), text) !== object.kind) return false;
    const value = (field: string): string => valueOf(pairOf(metadata, field, text), text);
    return key({ namespace: value('namespace') || 'default', name: value('name') }) === key(object);
  });
  return named ?? documents[0];
}

/** Where a field such as `spec.backoffLimit` stands; where it is not written, the nearest field that would hold it. */
export function locate(tree: Tree, source: string, object: ObjectRef, path: string): Span | null {
  const text: Text = (node) => source.slice(node.from, node.to);
  let holder = documentOf(tree, object, text);
  let found: SyntaxNode | null = null;
  for (const key of path.split('.')) {
    const pair: SyntaxNode | undefined = holder && pairOf(holder, key, text);
    if (!pair) break;
    found = pair.getChild('Key') ?? pair;
    holder = pair;
  }
  return found ? { from: found.from, to: found.to } : null;
}

/** The path of the field at a place, without the places in lists: `spec.podFailurePolicy.rules.action`. */
export function pathAt(tree: Tree, source: string, place: number): string | null {
  const keys: string[] = [];
  for (let node: SyntaxNode | null = tree.resolveInner(place, 1); node; node = node.parent) {
    if (node.name === 'Pair') keys.unshift(keyOf(node, (one) => source.slice(one.from, one.to)));
  }
  return keys.length > 0 ? keys.join('.') : null;
}

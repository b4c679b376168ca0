/** Finds fields of a manifest in its text, and the field at a place, by the tree of the YAML parser. */
import type { SyntaxNode, Tree } from '@lezer/common';

import { key } from '../model/names.ts';
import type { ObjectRef } from '../protocol.ts';
import type { Field } from '../state/fields.ts';

export interface Span {
  from: number;
  to: number;
  /** Whether the field itself is there, and not only its nearest parent. */
  exact: boolean;
}

export type Text = (node: SyntaxNode) => string;

function bare(text: string): string {
  return text.trim().replace(/^(['"])(.*)\1$/s, '$2');
}

function keyOf(pair: SyntaxNode, text: Text): string {
  const key = pair.getChild('Key');
  return key ? bare(text(key)) : '';
}

/** The list or map of a document, a pair or an item, without its tag and its anchor. */
function content(node: SyntaxNode): SyntaxNode | null {
  const marked = node.getChild('Tagged') ?? node.getChild('Anchored');
  if (marked) return content(marked);
  return node.getChild('BlockMapping') ?? node.getChild('FlowMapping') ?? node.getChild('BlockSequence') ?? node.getChild('FlowSequence');
}

/** The pairs of the map of a document, a pair or an item. */
export function pairs(node: SyntaxNode): SyntaxNode[] {
  return content(node)?.getChildren('Pair') ?? [];
}

/** The pair with a key in that map. */
export function pairOf(node: SyntaxNode, key: string, text: Text): SyntaxNode | undefined {
  return pairs(node).find((pair) => keyOf(pair, text) === key);
}

function itemsOf(node: SyntaxNode | undefined): SyntaxNode[] {
  return (node && content(node)?.getChildren('Item')) ?? [];
}

/** The value of a pair, if it has one. */
export function valueNode(pair: SyntaxNode): SyntaxNode | null {
  const last = pair.lastChild;
  return last && !['Key', ':', 'Comment'].includes(last.name) ? last : null;
}

function valueOf(pair: SyntaxNode | undefined, text: Text): string {
  const value = pair && valueNode(pair);
  return value ? bare(text(value)) : '';
}

/** Whether this is a `List`, which holds objects instead of being one. */
function isList(node: SyntaxNode, text: Text): boolean {
  return /^(|Job|CronJob|Pod)List$/.test(valueOf(pairOf(node, 'kind', text), text));
}

/** The nodes of the objects: each document, or each item of a `List` in it. */
function objects(nodes: SyntaxNode[], text: Text): SyntaxNode[] {
  return nodes.flatMap((node) => (isList(node, text) ? objects(itemsOf(pairOf(node, 'items', text)), text) : [node]));
}

/** The kind of an object; an item of a `JobList` may leave it to the list. */
function kindOf(node: SyntaxNode, text: Text): string {
  const own = valueOf(pairOf(node, 'kind', text), text);
  if (own !== '' || node.name !== 'Item' || !inList(node, text)) return own;
  let document = node;
  while (document.parent && document.name !== 'Document') document = document.parent;
  return valueOf(pairOf(document, 'kind', text), text).replace(/List$/, '');
}

function named(node: SyntaxNode, text: Text): ObjectRef {
  const metadata = pairOf(node, 'metadata', text);
  const value = (field: string): string => valueOf(metadata && pairOf(metadata, field, text), text);
  return { kind: kindOf(node, text), namespace: value('namespace') || 'default', name: value('name') };
}

/** The node of an object; the first one if none has its kind, name and namespace. */
export function objectNode(tree: Tree, object: ObjectRef, text: Text): SyntaxNode | undefined {
  const all = objects(tree.topNode.getChildren('Document'), text);
  const found = all.find((node) => {
    const one = named(node, text);
    return one.kind === object.kind && key(one) === key(object);
  });
  return found ?? all[0];
}

/** Where the first Job begins, or else the first CronJob; 0 if there is neither. */
export function firstJob(tree: Tree, source: string): number {
  const text: Text = (node) => source.slice(node.from, node.to);
  const all = objects(tree.topNode.getChildren('Document'), text);
  const found = all.find((node) => kindOf(node, text) === 'Job') ?? all.find((node) => kindOf(node, text) === 'CronJob');
  return (found && pairs(found)[0]?.from) ?? 0;
}

/** The steps of a path: names, and in brackets places in lists as numbers, or names with dots in them. */
function steps(path: string): string[] {
  return [...path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map((step) => step[1] ?? step[2] ?? '');
}

/** Where a field such as `spec.podFailurePolicy.rules[1]` is, or the line of a text, such as `metadata.annotations[jobsmith.dev/on-failure]:2`; if it is missing, its nearest parent. */
export function locate(tree: Tree, source: string, object: ObjectRef, path: string): Span | null {
  const text: Text = (node) => source.slice(node.from, node.to);
  const [, fieldPath = path, line = ''] = /^(.*\]):(\d+)$/.exec(path) ?? [];
  let node = objectNode(tree, object, text);
  let found: SyntaxNode | null = null;
  let exact = true;
  for (const step of steps(fieldPath)) {
    const below: SyntaxNode | undefined = node && (/^\d+$/.test(step) ? itemsOf(node)[Number(step)] : undefined) || (node && pairOf(node, step, text));
    if (!below) {
      exact = false;
      break;
    }
    found = below.getChild('Key') ?? below;
    node = below;
  }
  if (exact && line && node) return lineOf(node, source, Number(line));
  return found ? { from: found.from, to: found.to, exact } : null;
}

/** A line of the text that a pair has as its value, from 1: of a text that is folded or in quotes, all of it. */
function lineOf(pair: SyntaxNode, source: string, line: number): Span {
  const value = valueNode(pair) ?? pair;
  const lines = isLiteral(value, source) ? source.slice(value.from, value.to).split('\n') : [];
  const written = lines[line];
  if (written === undefined) return { from: value.from, to: value.to, exact: true };
  const end = value.from + lines.slice(0, line + 1).join('\n').length;
  return { from: end - written.trimStart().length, to: end, exact: true };
}

/** Whether a value is a text whose lines are those of the manifest. */
function isLiteral(value: SyntaxNode, source: string): boolean {
  return value.name === 'BlockLiteral' && source[value.from] === '|';
}

/** The field at a place, such as `spec.podFailurePolicy.rules[1].action`, and its object. */
export function fieldAt(tree: Tree, source: string, place: number): Field | null {
  const text: Text = (node) => source.slice(node.from, node.to);
  let path = '';
  let line = '';
  for (let node: SyntaxNode | null = tree.resolveInner(place, 1); node; node = node.parent) {
    const number = isLiteral(node, source) ? source.slice(node.from, place).split('\n').length - 1 : 0;
    if (number > 0) line = `:${number}`;
    if (node.name === 'Pair') path = joined(stepTo(keyOf(node, text)), path);
    const holds = node.name === 'Document' || node.name === 'Item';
    if (holds && kindOf(node, text) && !isList(node, text) && (node.name === 'Document' || inList(node, text))) return path === '' ? null : { path: path + line, object: named(node, text) };
    if (node.name === 'Item') path = joined(`[${numberOf(node)}]`, path);
  }
  return null;
}

/** Whether an item is one of a `List`, and so an object. */
function inList(item: SyntaxNode, text: Text): boolean {
  for (let node = item.parent; node; node = node.parent) {
    if (node.name === 'Item') return false;
    if (node.name === 'Document') return isList(node, text);
  }
  return false;
}

function numberOf(item: SyntaxNode): number {
  let number = 0;
  for (let before = item.prevSibling; before; before = before.prevSibling) number += before.name === 'Item' ? 1 : 0;
  return number;
}

/** A key as a step of a path: in brackets if it has dots. */
function stepTo(key: string): string {
  return key.includes('.') ? `[${key}]` : key;
}

function joined(outer: string, inner: string): string {
  return inner === '' || inner.startsWith('[') ? outer + inner : `${outer}.${inner}`;
}

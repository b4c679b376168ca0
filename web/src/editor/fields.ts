/** What the editor knows of the fields of Jobs and CronJobs: what can be written at the cursor, and what a field means where the pointer rests. */
import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { type EditorView, hoverTooltip, type Tooltip } from '@codemirror/view';

import texts from '../../../crates/schema/docs.txt?url';
import type { Completions } from '../protocol.ts';
import { oracle } from '../state/oracle.ts';
import { fieldAt } from './locate.ts';

/** How long the text may be parsed to find a field in it, in milliseconds. */
const PATIENCE = 50;

export const fields: Extension = [autocompletion({ override: [complete], icons: false }), hoverTooltip(explain)];

let meanings: Promise<Map<string, string>> | null = null;

/** What the field of a type means, such as `JobSpec.backoffLimit`: a sentence or two, requested when they are first needed. */
async function meaning(name: string): Promise<string> {
  meanings ??= fetch(texts).then(async (answer) => new Map((await answer.text()).split('\n').map((line) => split(line))));
  try {
    return (await meanings).get(name) ?? '';
  } catch {
    // Without a connection, the next field asks again.
    meanings = null;
    return '';
  }
}

function split(line: string): [string, string] {
  const end = line.indexOf(' ');
  return [line.slice(0, end), line.slice(end + 1)];
}

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const writing = /^[\s-]*[A-Za-z][A-Za-z./-]*$|^[\s-]*[A-Za-z]+: [A-Za-z]*$/.test(before);
  if (!writing && !context.explicit) return null;
  const { column, options } = await oracle().call('completions', { manifest: context.state.doc.toString(), line: line.number, column: before.length + 1 });
  if (context.aborted || options.length === 0) return null;
  const from = line.from + column - 1;
  const word = context.state.sliceDoc(from, context.pos);
  // What is complete is not offered: Enter ends the line.
  if (options.some(({ label }) => label === word)) return null;
  return { from, options: options.map((option) => offered(option, column - 1)), validFor: /^[A-Za-z./-]*$/ };
}

function offered({ label, detail, name, meaning: known, shape }: Completions['options'][number], indent: number): Completion {
  const below = `\n${' '.repeat(indent)}`;
  const behind = shape === undefined ? '' : { scalar: ': ', map: `:${below}  `, list: `:${below}- ` }[shape];
  const option: Completion = { label, apply: label + behind };
  if (detail !== '') option.detail = detail;
  if (known !== '') option.info = () => paragraph('cm-field-text', `${known}.`);
  if (name !== '') option.info = () => meaning(name).then((text) => (text === '' ? null : paragraph('cm-field-text', text)));
  return option;
}

async function explain(view: EditorView, place: number): Promise<Tooltip | null> {
  const tree = ensureSyntaxTree(view.state, place, PATIENCE) ?? syntaxTree(view.state);
  const node = tree.resolveInner(place, 1);
  const key = node.name === 'Key' ? node : node.parent?.name === 'Key' ? node.parent : null;
  const field = key && fieldAt(tree, view.state.doc.toString(), place);
  if (!key || !field) return null;
  const known = await oracle().call('field', { kind: field.object.kind, path: field.path });
  if (!known) return null;
  const text = await meaning(known.name);
  return { pos: key.from, end: key.to, above: true, create: () => ({ dom: card(field.path, known.kind, text, known.facts) }) };
}

function card(path: string, kind: string, text: string, facts: string[]): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'cm-field';
  dom.append(paragraph('cm-field-name', `${path}: ${kind}`));
  if (text !== '') dom.append(paragraph('cm-field-text', text));
  dom.append(...facts.map((fact) => paragraph('cm-field-fact', fact)));
  return dom;
}

function paragraph(className: string, text: string): HTMLElement {
  const dom = document.createElement('p');
  dom.className = className;
  dom.textContent = text;
  return dom;
}

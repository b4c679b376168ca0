/** The YAML editor. It is loaded after the page is shown. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting, syntaxTree } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

import type { Diagnostic, ObjectRef } from '../protocol.ts';
import { locate, pathAt } from './locate.ts';

/** What the page can do with the editor. */
export interface Editor {
  text(): string;
  setText(text: string): void;
  setProblems(problems: Diagnostic[]): void;
  /** Shows the line of a field, and marks it for a while. */
  show(object: ObjectRef, path: string): void;
  destroy(): void;
}

interface Options {
  text: string;
  onText: (text: string) => void;
  onPoint: (path: string | null) => void;
}

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--key)' },
  { tag: [tags.string, tags.content, tags.special(tags.string)], color: 'var(--value)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: 'var(--muted)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'transparent', color: 'var(--text)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '12.5px', lineHeight: '20px' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'var(--hover)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--selection) !important' },
  '.cm-shown': { backgroundColor: 'var(--lit)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)', borderRadius: '4px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--failed)' },
});

const shown = StateEffect.define<number | null>();

/** The line to which somebody was led from a reason. */
const shownLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, change) {
    for (const effect of change.effects) {
      if (effect.is(shown)) return effect.value === null ? Decoration.none : Decoration.set([Decoration.line({ class: 'cm-shown' }).range(effect.value)]);
    }
    return change.docChanged ? Decoration.none : lines;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function createEditor(parent: HTMLElement, options: Options): Editor {
  let quiet = false;
  const edited = EditorView.updateListener.of((update) => {
    if (update.docChanged && !quiet) options.onText(update.state.doc.toString());
    if (update.selectionSet && update.view.hasFocus) options.onPoint(pathIn(update.view, update.state.selection.main.head));
  });
  const pointed = EditorView.domEventHandlers({
    mousemove: (event, view) => {
      const place = view.posAtCoords({ x: event.clientX, y: event.clientY });
      options.onPoint(place === null ? null : pathIn(view, place));
    },
    mouseleave: () => options.onPoint(null),
    blur: () => options.onPoint(null),
  });
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(), foldGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(), indentUnit.of('  '),
        yaml(), syntaxHighlighting(colours), lintGutter(), shownLine, look, edited, pointed,
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.cspNonce.of('editor'),
        EditorView.contentAttributes.of({ 'aria-label': 'Manifest (press Escape, then Tab, to leave the editor)', tabindex: '0' }),
      ],
    }),
  });

  return {
    text: () => view.state.doc.toString(),
    setText(text) {
      quiet = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      quiet = false;
    },
    setProblems: (problems) => view.dispatch(setDiagnostics(view.state, problems.map((problem) => placed(view, problem)))),
    show(object, path) {
      const found = locate(syntaxTree(view.state), view.state.doc.toString(), object, path);
      if (!found) return;
      const line = view.state.doc.lineAt(found.from);
      view.dispatch({ effects: [shown.of(line.from), EditorView.scrollIntoView(found.from, { y: 'center' })], selection: { anchor: found.from } });
    },
    destroy: () => view.destroy(),
  };
}

/** The field of the line in which a place is: the first one that begins there. */
function pathIn(view: EditorView, place: number): string | null {
  const line = view.state.doc.lineAt(place);
  const start = line.from + (/^[\s-]*/.exec(line.text)?.[0].length ?? 0);
  return pathAt(syntaxTree(view.state), view.state.doc.toString(), line.from === line.to ? place : Math.max(start, line.from));
}

function placed(view: EditorView, problem: Diagnostic) {
  const { doc } = view.state;
  const line = doc.line(Math.max(1, Math.min(problem.line, doc.lines)));
  const from = Math.min(line.to, line.from + Math.max(0, problem.column - 1));
  const message = problem.remedy ? `${problem.message}\n${problem.remedy}` : problem.message;
  return { from, to: Math.min(doc.length, Math.max(from, Math.min(line.to, from + problem.length))), severity: problem.severity, message };
}

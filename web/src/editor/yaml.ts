/** The YAML editor. It is loaded after the page is shown. */
import { completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyField, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands';
import { bracketMatching, ensureSyntaxTree, foldGutter, foldState, indentOnInput, indentUnit, syntaxTree } from '@codemirror/language';
import { nextDiagnostic, previousDiagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, Prec, type Range, StateEffect, type StateEffectType, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, type ViewUpdate } from '@codemirror/view';

import type { Diagnostic } from '../protocol.ts';
import type { Field } from '../state/fields.ts';
import { fields } from './fields.ts';
import { fieldAt, firstJob, locate, type Span } from './locate.ts';
import { look } from './look.ts';
import { createMarks, type Marks, markGutter, placeOf, repairLine } from './marks.ts';
import { yaml } from './parsed.ts';
import { added, difference, isManifest, plain } from './plain.ts';

// From here, so that all of this is one file.
export { yamlLanguage } from '@codemirror/lang-yaml';

/** What the page can do with the editor. */
export interface Editor extends Marks {
  /** Shows the text of a tab; a tab that was shown before as it was left. */
  open(tab: object, text: string): void;
  /** Shows the line of a field, and marks it for a while. */
  show(field: Field): void;
  /** Marks the lines of fields that are written, and no others. */
  light(fields: Field[]): void;
  /** Puts the cursor where a problem is. */
  goTo(problem: Diagnostic): void;
  /** Puts what was pasted in place of the whole text. */
  paste(text: string): void;
  focus(): void;
  find(): void;
  destroy(): void;
}

/** How a text came: all of it was pasted, or an earlier one is there again by undo or redo; else it was typed, or a part of it was pasted. */
export type Came = 'pasted' | 'again' | 'typed';

interface Options {
  onText: (text: string, came: Came) => void;
  onPoint: (field: Field | null) => void;
  onPlay: () => void;
}

export function createEditor(parent: HTMLElement, options: Options): Editor {
  let open: object | null = null;
  let quiet = false;
  const extensions = [
    basics(options),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !quiet) typed(update, options);
    }),
  ];
  const view = new EditorView({ parent, extensions });
  const marks = createMarks(view);

  function setText(text: string): void {
    const before = view.state.doc.toString();
    if (before === text) return;
    quiet = true;
    view.dispatch({ changes: difference(before, text), annotations: isolateHistory.of('full') });
    quiet = false;
  }

  return {
    open(tab, text) {
      if (tab !== open) {
        if (open) leave(open, view);
        const { state, top } = resumed(tab, plain(text), extensions);
        view.setState(state);
        view.requestMeasure({ read: () => null, write: () => (view.scrollDOM.scrollTop = top) });
        open = tab;
      }
      setText(plain(text));
    },
    ...marks,
    show(field) {
      const found = located(view, field);
      if (!found) return;
      view.dispatch({ effects: [shown.of([found.from]), EditorView.scrollIntoView(found.from, { y: 'center' })], selection: { anchor: found.from } });
    },
    light(fields) {
      const places = fields.map((field) => located(view, field)).flatMap((span) => (span?.exact ? [span.from] : []));
      view.dispatch({ effects: lit.of(places) });
    },
    goTo(problem) {
      const { from } = placeOf(view.state.doc, problem);
      view.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'center' }), selection: { anchor: from } });
      view.focus();
    },
    paste: (text) => replaceAll(view, text),
    focus: () => view.focus(),
    find: () => void openSearchPanel(view),
    destroy() {
      if (open) leave(open, view);
      view.destroy();
    },
  };
}

/** What the editor can do and how it looks, for any text. */
function basics({ onPoint, onPlay }: Options): Extension {
  const pointed = EditorView.domEventHandlers({
    mousemove: (event, view) => {
      const place = view.posAtCoords({ x: event.clientX, y: event.clientY });
      onPoint(place === null ? null : fieldIn(view, place));
    },
    mouseleave: () => onPoint(null),
    blur: () => onPoint(null),
    paste: (event, view) => pasteOver(view, event.clipboardData?.getData('text/plain') ?? ''),
  });
  const selected = EditorView.updateListener.of(({ selectionSet, view }) => {
    if (selectionSet && view.hasFocus) onPoint(fieldIn(view, view.state.selection.main.head));
  });
  const play = { key: 'Mod-Enter', run: () => (onPlay(), true) };
  const problems = [{ key: 'F8', run: nextDiagnostic, shift: previousDiagnostic }, { key: 'Mod-.', run: repairLine }];
  return [
    lineNumbers(), foldGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(), indentUnit.of('  '),
    yaml(), fields, markGutter, search({ top: true }), highlightSelectionMatches(), shownLine, litLines, look, pointed, selected,
    Prec.highest(keymap.of([play])),
    keymap.of([...completionKeymap, ...searchKeymap, ...problems, ...defaultKeymap, ...historyKeymap, indentWithTab]),
    EditorView.clipboardInputFilter.of(plain),
    EditorView.cspNonce.of('editor'),
    EditorView.contentAttributes.of({ 'aria-label': 'Manifest (press Escape, then Tab, to leave the editor)', tabindex: '0' }),
  ];
}

/** Puts a manifest in place of the whole text where it would otherwise land in the middle of a line, which is never meant; a further document at the end of a line, below the one that is there. */
function pasteOver(view: EditorView, pasted: string): boolean {
  const { doc, selection: { main } } = view.state;
  const line = doc.lineAt(main.head);
  if (!main.empty || line.text.trim() === '' || !isManifest(pasted)) return false;
  const below = line.to === main.head ? added(doc.toString(), line.to, plain(pasted)) : null;
  if (below) view.dispatch({ ...below, userEvent: 'input.paste', scrollIntoView: true, annotations: isolateHistory.of('full') });
  else replaceAll(view, pasted);
  return true;
}

function replaceAll(view: EditorView, text: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: plain(text) }, userEvent: 'input.paste', annotations: isolateHistory.of('full') });
}

/** Whether a paste has replaced all of the text. */
function wasPasted({ transactions, changes, state }: ViewUpdate): boolean {
  let all = false;
  changes.iterChangedRanges((_from, _to, from, to) => (all ||= from === 0 && to === state.doc.length));
  return all && transactions.some((one) => one.isUserEvent('input.paste'));
}

/** Reports what a person has typed or pasted. */
function typed(update: ViewUpdate, { onText }: Options): void {
  const pasted = wasPasted(update);
  if (pasted) queueMicrotask(() => showFirst(update.view));
  const again = update.transactions.some((one) => one.isUserEvent('undo') || one.isUserEvent('redo'));
  onText(update.state.doc.toString(), pasted ? 'pasted' : again ? 'again' : 'typed');
}

/** Shows the first Job, or else the first CronJob, where a person has pasted more than fits. */
function showFirst(view: EditorView): void {
  const tree = ensureSyntaxTree(view.state, view.state.doc.length, PATIENCE) ?? syntaxTree(view.state);
  const place = firstJob(tree, view.state.doc.toString());
  view.dispatch({ selection: { anchor: place }, effects: EditorView.scrollIntoView(place, { y: 'start' }) });
}

/** How long the text may be parsed to find a field in it, in milliseconds. */
const PATIENCE = 200;

function located(view: EditorView, { object, path }: Field): Span | null {
  const tree = ensureSyntaxTree(view.state, view.state.doc.length, PATIENCE) ?? syntaxTree(view.state);
  return locate(tree, view.state.doc.toString(), object, path);
}

/** The field of a line: the first one that begins on it. */
function fieldIn(view: EditorView, place: number): Field | null {
  const line = view.state.doc.lineAt(place);
  const start = line.from + (/^[\s-]*/.exec(line.text)?.[0].length ?? 0);
  return fieldAt(syntaxTree(view.state), view.state.doc.toString(), line.from === line.to ? place : Math.max(start, line.from));
}

/** How each tab's editor was left: its history, its selection, what is folded, and how far it is scrolled. */
const FIELDS = { history: historyField, folds: foldState };

interface Left {
  state: unknown;
  top: number;
}

const left = new WeakMap<object, Left>();

/** Keeps how the editor of a tab is left. */
function leave(tab: object, view: EditorView): void {
  left.set(tab, { state: view.state.toJSON(FIELDS), top: view.scrollDOM.scrollTop });
}

/** The editor of a tab as it was left, or with this text if it was never open; and how far it was scrolled. */
function resumed(tab: object, text: string, extensions: Extension): { state: EditorState; top: number } {
  const known = left.get(tab);
  return known ? { state: EditorState.fromJSON(known.state, { extensions }, FIELDS), top: known.top } : { state: EditorState.create({ doc: text, extensions }), top: 0 };
}

/** Marks the lines of these places, and no others. */
const shown = StateEffect.define<number[]>();
const lit = StateEffect.define<number[]>();

/** The line that a reason led to, and the lines behind the decision under the pointer. */
const shownLine = marked('cm-shown', shown);
const litLines = marked('cm-lit', lit);

function marked(name: string, effect: StateEffectType<number[]>): StateField<DecorationSet> {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(lines, change) {
      for (const one of change.effects) {
        if (one.is(effect)) return linesAt(change.state, one.value, name);
      }
      return change.docChanged ? Decoration.none : lines;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

function linesAt(state: EditorState, places: number[], name: string): DecorationSet {
  const starts = [...new Set(places.map((place) => state.doc.lineAt(place).from))];
  const ranges: Range<Decoration>[] = starts.map((start) => Decoration.line({ class: name }).range(start));
  return Decoration.set(ranges, true);
}

/** How each tab's editor was left: its history, its selection, what is folded, and how far it is scrolled. */
import { historyField } from '@codemirror/commands';
import { foldState } from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

const FIELDS = { history: historyField, folds: foldState };

interface Left {
  state: unknown;
  top: number;
}

const left = new WeakMap<object, Left>();

/** Keeps how the editor of a tab is left. */
export function leave(tab: object, view: EditorView): void {
  left.set(tab, { state: view.state.toJSON(FIELDS), top: view.scrollDOM.scrollTop });
}

/** The editor of a tab as it was left, or with this text if it was never open; and how far it was scrolled. */
export function resumed(tab: object, text: string, extensions: Extension): { state: EditorState; top: number } {
  const known = left.get(tab);
  return known ? { state: EditorState.fromJSON(known.state, { extensions }, FIELDS), top: known.top } : { state: EditorState.create({ doc: text, extensions }), top: 0 };
}

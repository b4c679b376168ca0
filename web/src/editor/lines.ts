/** Marked lines of the editor: the one that a reason led to, and those behind the decision under the pointer. */
import { type EditorState, type Range, StateEffect, type StateEffectType, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

/** Marks the lines of these places, and no others. */
export const shown = StateEffect.define<number[]>();
export const lit = StateEffect.define<number[]>();

export const shownLine = marked('cm-shown', shown);
export const litLines = marked('cm-lit', lit);

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

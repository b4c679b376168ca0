/** Buttons that undo and redo what was done to the sessions. */
import type { History } from '../state/history.ts';
import { Icon } from './Icon.tsx';

export function UndoButtons(props: { history: History }) {
  return (
    <>
      <UndoButton name="undo" word="Undo" key="Z" what={props.history.undoable()} onDo={props.history.undo} />
      <UndoButton name="redo" word="Redo" key="Shift+Z" what={props.history.redoable()} onDo={props.history.redo} />
    </>
  );
}

/** It is never disabled for the browser: a button that is loses the focus. */
function UndoButton(props: { name: 'undo' | 'redo'; word: string; key: string; what: string | undefined; onDo: () => void }) {
  const label = () => (props.what === undefined ? `Nothing to ${props.name}` : `${props.word}: ${props.what}`);
  return (
    <button type="button" class="quiet icon undo" aria-disabled={props.what === undefined} title={`${label()} (${props.key})`} aria-label={label()} onClick={() => props.onDo()}>
      <Icon name={props.name} />
    </button>
  );
}

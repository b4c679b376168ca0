/** What lists of things to do consist of: groups, and lines that need a value. */
import type { JSX } from 'solid-js';

import { act } from '../state/acts.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

export interface Doing {
  workspace: Workspace;
  tab: Tab;
  onClose: () => void;
}

/** Does something at the moment that is looked at, and closes the list. */
export function happen(props: Doing, action: string): void {
  props.onClose();
  act(props.workspace, props.tab, action);
}

/** Things to do to one object. */
export function Group(props: { title: string; mono?: boolean; children: JSX.Element }) {
  return (
    <div class="group" role="group" aria-label={props.title}>
      <h4 classList={{ mono: props.mono === true }}>{props.title}</h4>
      {props.children}
    </div>
  );
}

/** Something to do that needs a value. */
export function Line(props: { label: string; onDo: () => void; children: JSX.Element }) {
  return (
    <form class="line" onSubmit={(event) => (event.preventDefault(), props.onDo())}>
      <button type="submit">{props.label}</button>
      {props.children}
    </form>
  );
}

/** The parts of a menu of actions: groups, and lines that need a value. */
import { type JSX, Show } from 'solid-js';

import { act } from '../state/acts.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

export interface ActionMenu {
  workspace: Workspace;
  tab: Tab;
  onClose: () => void;
}

/** Performs an action at the time under the cursor, and closes the menu. */
export function perform(props: ActionMenu, action: string): void {
  props.onClose();
  act(props.workspace, props.tab, action);
}

/** Says that an action comes before the other steps of its moment, if any of them are before the cursor. */
export function ComesFirst(props: { tab: Tab }) {
  const first = () => (props.tab.version(), props.tab.story().beforeAction(props.tab.at()) < props.tab.cursor());
  return <Show when={first()}><p class="muted small">Happens before everything else at {props.tab.clock().show(props.tab.at())}.</p></Show>;
}

/** The actions on one object. */
export function Group(props: { title: string; mono?: boolean; children: JSX.Element }) {
  return (
    <div class="group" role="group" aria-label={props.title}>
      <h4 classList={{ mono: props.mono === true }}>{props.title}</h4>
      {props.children}
    </div>
  );
}

/** An action that needs a value. */
export function Line(props: { label: string; onDo: () => void; children: JSX.Element }) {
  return (
    <form class="line" onSubmit={(event) => (event.preventDefault(), props.onDo())}>
      <button type="submit">{props.label}</button>
      {props.children}
    </form>
  );
}

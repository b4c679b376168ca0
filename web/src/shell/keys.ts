/** The keys of the page. They do nothing while text is typed, while a window is open, or when they are switched off. */
import { onCleanup } from 'solid-js';

import type { Running } from '../transport/running.ts';
import type { History } from '../state/history.ts';
import { goOn, toNextFailure, toNextRun, toNextSkipped, toPreviousFailure, toPreviousRun, toPreviousSkipped } from '../state/acts.ts';
import { keysOn } from '../state/settings.ts';
import type { Workspace } from '../state/workspace.ts';
import type { Windows } from './windows.ts';

export function useKeys(workspace: Workspace, history: History, running: Running, windows: Windows, share: () => void): void {
  const actions: Record<string, () => void> = {
    ' ': () => running.toggle(),
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    'Shift+ArrowRight': () => onTab((tab) => tab.goFrom((step) => tab.story().nextDecision(step))),
    n: () => {
      running.stop();
      onTab((tab) => tab.story().runs.cronJobs.length > 0 && void toNextRun(tab));
    },
    'Shift+n': () => {
      running.stop();
      onTab(toPreviousRun);
    },
    k: () => {
      running.stop();
      onTab((tab) => void toNextSkipped(tab));
    },
    'Shift+k': () => {
      running.stop();
      onTab(toPreviousSkipped);
    },
    x: () => {
      running.stop();
      onTab((tab) => void toNextFailure(tab));
    },
    'Shift+x': () => {
      running.stop();
      onTab(toPreviousFailure);
    },
    Home: () => onTab((tab) => tab.goTo(0)),
    End: () => onTab((tab) => tab.goToEnd()),
    f: () => onTab((tab) => goOn(workspace, tab)),
    c: () => windows.open('compare'),
    '/': () => windows.open('examples'),
    s: share,
    z: history.undo,
    'Shift+z': history.redo,
    '?': () => windows.open('help'),
  };
  const onTab = (act: (tab: NonNullable<ReturnType<Workspace['current']>>) => void): void => {
    const tab = workspace.current();
    if (tab) act(tab);
  };
  function step(by: number): void {
    running.stop();
    onTab((tab) => tab.goFrom((step) => step + by));
  }
  function pressed(event: KeyboardEvent): void {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const modified = (event.ctrlKey || event.metaKey) && key !== 'z';
    if (modified || event.altKey || event.defaultPrevented || busy(event)) return;
    const action = (event.shiftKey ? actions[`Shift+${key}`] : undefined) ?? actions[key];
    if (!action || !(keysOn() || slides(event, key))) return;
    event.preventDefault();
    action();
  }
  addEventListener('keydown', pressed);
  onCleanup(() => removeEventListener('keydown', pressed));
}

/** Whether the key moves the cursor of the timeline that has the focus, as in any slider. */
function slides(event: KeyboardEvent, key: string): boolean {
  return ['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key) && event.target instanceof Element && event.target.matches('[role="slider"]');
}

/** Whether the key belongs to something else: a field, an open window, a button that Space presses. */
function busy(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input, textarea, select, .cm-editor, dialog, [popover]')) return true;
  return event.key === ' ' && target?.closest('button, summary, a') != null;
}

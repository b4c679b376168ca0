/** What a person does to a session: acts at a moment, changes what pods do, starts over, forks. */
import { withActions } from '../model/script.ts';
import { clock } from '../model/time.ts';
import type { Tab } from './tab.ts';
import type { Workspace } from './workspace.ts';

/** A second tab that goes on from the same step. */
export function fork(workspace: Workspace, tab: Tab): Tab {
  const title = `${tab.title() || 'Session'} · from ${clock(tab.at())}`;
  return workspace.open({ session: { ...tab.session(), title }, seek: { to: 'step', step: tab.cursor() }, prose: tab.prose() });
}

/** Does things at the moment that is looked at. Where a later moment was seen, that future stays as a tab. */
export function act(workspace: Workspace, tab: Tab, ...actions: string[]): void {
  const at = tab.at();
  const script = withActions(tab.script(), tab.parts(), at, actions);
  const title = `${clock(at)} ${actions.join(', ')}`;
  workspace.setMessage(title);
  if (tab.past()) {
    workspace.open({ session: { ...tab.session(), script, title }, seek: { to: 'action', at }, prose: tab.prose() });
    return;
  }
  tab.setScript(script);
  void tab.replay({ to: 'action', at });
}

/** Plays another script in the same tab, and looks at the same time. */
export function rewrite(tab: Tab, script: string): void {
  const at = tab.at();
  tab.setScript(script);
  void tab.replay({ to: 'time', at });
}

/** Plays the manifest as it is in the editor, from the beginning. */
export function startOver(tab: Tab): void {
  const at = tab.at();
  tab.setManifest(tab.draft());
  void tab.replay(tab.cursor() === 0 ? { to: 'step', step: 0 } : { to: 'time', at });
}

/** What the page opens with, as HTML: the build puts it into the page, so that it is seen before any script has loaded. Then `page.tsx` shows the same, alive. */
import first from 'virtual:first';
import opened from 'virtual:opened';
import { renderToString } from 'solid-js/web';

import type { Oracle } from './client.ts';
import { openExample } from './examples/opening.ts';
import { Panes } from './Panes.tsx';
import { Header } from './shell/Header.tsx';
import { createWindows } from './shell/windows.ts';
import { createHistory } from './state/history.ts';
import { prepared } from './state/prepared.ts';
import { createWorkspace } from './state/workspace.ts';
import { createRunning } from './transport/running.ts';

/** There is no worker: what the page opens with is all that is asked. */
const unasked: Oracle = { call: () => new Promise(() => {}) };

export async function prerendered(): Promise<string> {
  const workspace = createWorkspace(prepared({ ...first, opened }, () => unasked));
  openExample(workspace, first);
  await workspace.current()?.settled();
  const [history, windows, running] = [createHistory(workspace), createWindows(), createRunning(workspace.current)];
  return renderToString(() => (
    <div class="page" data-pane="Timeline">
      <Header workspace={workspace} history={history} windows={windows} offline={{ outdated: () => false, reload: () => {} }} />
      <Panes workspace={workspace} windows={windows} running={running} pane="Timeline" onPane={() => {}} />
    </div>
  ));
}

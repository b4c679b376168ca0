/** The whole page: head, panes, and windows over them. */
import { createEffect, createSignal, type JSX, on, onMount, Show } from 'solid-js';

import { CompareDialog } from './compare/CompareDialog.tsx';
import { Retries } from './compare/Retries.tsx';
import { Examples } from './examples/Examples.tsx';
import { openFirst } from './examples/opening.ts';
import { type PaneName, Panes } from './Panes.tsx';
import { useAddress, useDrop } from './share/coming.ts';
import { copyLink } from './share/link.ts';
import { Report } from './share/Report.tsx';
import { useFaults } from './shell/faults.ts';
import { useFocus } from './shell/focus.ts';
import { Header } from './shell/Header.tsx';
import { Help } from './shell/Help.tsx';
import { useKeys } from './shell/keys.ts';
import { useOffline } from './shell/offline.ts';
import { Toast } from './shell/Toast.tsx';
import { Tour } from './shell/Tour.tsx';
import { createWindows, type WindowName, type Windows } from './shell/windows.ts';
import { shownField } from './state/fields.ts';
import { createHistory } from './state/history.ts';
import { oracle } from './state/oracle.ts';
import { useKeeping } from './state/useKeeping.ts';
import { createWorkspace, type Workspace } from './state/workspace.ts';
import { createRunning } from './transport/running.ts';

export function App() {
  const workspace = createWorkspace(oracle());
  const history = createHistory(workspace);
  const windows = createWindows();
  const running = createRunning(workspace.current);
  const [pane, setPane] = createSignal<PaneName>('Timeline');

  const keeping = useKeeping(workspace);
  const [refused, setRefused] = createSignal('');
  async function open(hash: string): Promise<void> {
    const opened = await openFirst(workspace, hash);
    if (opened === 'link' && !hash.startsWith('#open=')) keeping.writeAddress(hash);
    setRefused(opened === 'refused' ? hash : '');
  }
  onMount(async () => open((await keeping.reopen()) && keeping.addressed() ? '' : location.hash));
  createEffect(history.observe);
  useKeys(workspace, history, running, windows, () => void copyLink(workspace));
  // A link that cannot be opened stays in the address until something is done: the next version of the page may open it.
  useAddress(workspace, { onLink: (hash) => void open(hash), stays: () => refused() === location.hash && refused() !== '' && history.undoable() === undefined, write: keeping.writeAddress });
  useDrop(workspace);
  useFocus();
  useFaults(workspace.setMessage);
  const offline = useOffline(() => workspace.current()?.complete() ?? false);

  /** On a small screen, shows the pane of an element. */
  const bring = (selector: string): void => {
    setPane(selector === '.why' ? 'Why' : selector === '.plots' || selector === '.transport' ? 'Timeline' : 'Manifest');
  };
  createEffect(on(shownField, (field) => field && setPane('Manifest'), { defer: true }));
  return (
    <>
      <div class="page" data-pane={pane()}>
        <Header workspace={workspace} history={history} windows={windows} offline={offline} />
        <Panes workspace={workspace} windows={windows} running={running} pane={pane()} onPane={setPane} />
        <Toast message={workspace.message()} onEnd={() => workspace.setMessage('')} />
        <Show when={windows.shown() === 'tour'}><Tour onShow={bring} onEnd={windows.close} /></Show>
        <Show when={windows.shown()}><OpenWindow workspace={workspace} windows={windows} /></Show>
      </div>
      <Report workspace={workspace} />
    </>
  );
}

interface OpenWindowProps {
  workspace: Workspace;
  windows: Windows;
}

/** The window that is open over the page. */
function OpenWindow(props: OpenWindowProps) {
  const { workspace, windows } = props;
  const Windowed = (shown: { name: WindowName; children: JSX.Element }) => <Show when={windows.shown() === shown.name}>{shown.children}</Show>;
  return (
    <>
      <Windowed name="examples"><Examples workspace={workspace} onClose={windows.close} /></Windowed>
      <Windowed name="help"><Help onClose={windows.close} onTour={() => windows.open('tour')} /></Windowed>
      <Windowed name="compare"><CompareDialog workspace={workspace} onClose={windows.close} /></Windowed>
      <Windowed name="retries"><Show when={workspace.current()}>{(tab) => <Retries tab={tab()} onClose={windows.close} />}</Show></Windowed>
    </>
  );
}

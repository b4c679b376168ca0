/** The whole page: head, panes, and windows over them. */
import { createEffect, createResource, createSignal, type JSX, on, onMount, Show } from 'solid-js';

import { CompareDialog } from './compare/CompareDialog.tsx';
import { Curve } from './compare/Curve.tsx';
import { Examples } from './examples/Examples.tsx';
import { openExample, openFirst, openOwn } from './examples/opening.ts';
import { Panes, type PaneName } from './Panes.tsx';
import { copyLink, openFile } from './share/ShareMenu.tsx';
import { useAddress, useDrop } from './share/coming.ts';
import { Header } from './shell/Header.tsx';
import { Help } from './shell/Help.tsx';
import { useKeys } from './shell/keys.ts';
import { Toast } from './shell/Toast.tsx';
import { Tour } from './shell/Tour.tsx';
import { createWindows, type WindowName } from './shell/windows.ts';
import { asked } from './state/fields.ts';
import { oracle } from './state/oracle.ts';
import { isFlag, kept } from './state/settings.ts';
import { createWorkspace } from './state/workspace.ts';
import { createRunning } from './transport/running.ts';

export function App() {
  const workspace = createWorkspace(oracle());
  const windows = createWindows();
  const running = createRunning(workspace.current);
  const [about] = createResource(() => oracle().ask('about', {}));
  const [toured, setToured] = kept('toured', false, isFlag);
  const [touring, setTouring] = createSignal(false);
  const [pane, setPane] = createSignal<PaneName>('Timeline');

  async function open(): Promise<void> {
    const linked = await openFirst(workspace, location.hash);
    if (!linked && !toured()) setTouring(true);
  }
  onMount(() => void open());
  useKeys(workspace, running, windows, () => void copyLink(workspace));
  useAddress(workspace.current, () => void open());
  useDrop((file) => void openFile(workspace, file));

  /** On a small screen, shows the pane in which something is. */
  const bring = (selector: string): void => {
    setPane(selector === '.why' ? 'Why' : selector === '.plots' || selector === '.transport' ? 'Timeline' : 'Manifest');
  };
  createEffect(on(asked, (field) => field && setPane('Manifest'), { defer: true }));
  const Windowed = (props: { name: WindowName; children: JSX.Element }) => <Show when={windows.shown() === props.name}>{props.children}</Show>;
  return (
    <div class="page" data-pane={pane()}>
      <Header workspace={workspace} windows={windows} about={about()} />
      <Panes workspace={workspace} windows={windows} running={running} about={about()} pane={pane()} onPane={setPane} />
      <Toast message={workspace.message()} onEnd={() => workspace.setMessage('')} />
      <Show when={touring() && workspace.current()}><Tour onShow={bring} onEnd={() => (setToured(true), setTouring(false))} /></Show>
      <Windowed name="examples">
        <Examples
          onClose={windows.close}
          onExample={(example) => (openExample(workspace, example), windows.close())}
          onOwn={() => (openOwn(workspace), windows.close())}
        />
      </Windowed>
      <Windowed name="help"><Help onClose={windows.close} onTour={() => (windows.close(), setTouring(true))} /></Windowed>
      <Windowed name="compare"><CompareDialog workspace={workspace} onClose={windows.close} /></Windowed>
      <Windowed name="curve"><Show when={workspace.current()}>{(tab) => <Curve tab={tab()} onClose={windows.close} />}</Show></Windowed>
    </div>
  );
}

/** The window that is open over the page. */
import { type JSX, Show } from 'solid-js';

import { CompareDialog } from '../compare/CompareDialog.tsx';
import { Curve } from '../compare/Curve.tsx';
import { Examples } from '../examples/Examples.tsx';
import type { Workspace } from '../state/workspace.ts';
import { Help } from './Help.tsx';
import type { WindowName, Windows } from './windows.ts';

interface Props {
  workspace: Workspace;
  windows: Windows;
}

export function OpenWindow(props: Props) {
  const { workspace, windows } = props;
  const Windowed = (shown: { name: WindowName; children: JSX.Element }) => <Show when={windows.shown() === shown.name}>{shown.children}</Show>;
  return (
    <>
      <Windowed name="examples"><Examples workspace={workspace} onClose={windows.close} /></Windowed>
      <Windowed name="help"><Help onClose={windows.close} onTour={() => windows.open('tour')} /></Windowed>
      <Windowed name="compare"><CompareDialog workspace={workspace} onClose={windows.close} /></Windowed>
      <Windowed name="curve"><Show when={workspace.current()}>{(tab) => <Curve tab={tab()} onClose={windows.close} />}</Show></Windowed>
    </>
  );
}

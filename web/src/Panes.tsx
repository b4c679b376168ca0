/** The three panes, which can be resized; on a small screen, one at a time behind tabs. */
import { createMemo, For, Show } from 'solid-js';

import { Centre } from './Centre.tsx';
import { Manifest } from './editor/Manifest.tsx';
import { PodsPane } from './pods/PodsPane.tsx';
import { RecordingPane } from './share/RecordingPane.tsx';
import { Splitter } from './shell/Splitter.tsx';
import type { Windows } from './shell/windows.ts';
import { isNumber, kept } from './state/settings.ts';
import type { Tab } from './state/tab.ts';
import type { Workspace } from './state/workspace.ts';
import type { Running } from './transport/running.ts';
import { Why } from './why/Why.tsx';

const PANES = ['Manifest', 'Timeline', 'Story', 'Why'] as const;

export type PaneName = (typeof PANES)[number];

interface Props {
  workspace: Workspace;
  windows: Windows;
  running: Running;
  pane: PaneName;
  onPane: (pane: PaneName) => void;
}

export function Panes(props: Props) {
  const [left, setLeft] = kept('left', 360, isNumber);
  const [right, setRight] = kept('right', 360, isNumber);
  const [pods, setPods] = kept<number | null>('pods', null, (value) => value === null || isNumber(value));
  // All panes are drawn once, with what was played in them, and not empty before.
  const started = createMemo<boolean>((before) => before || (props.workspace.current()?.shown() ?? false), false);
  return (
    <>
      <nav class="pane-tabs" aria-label="Panes">
        <For each={PANES}>{(name) => <button type="button" aria-pressed={props.pane === name} onClick={() => props.onPane(name)}>{name === 'Manifest' && props.workspace.current()?.recording ? 'Recording' : name}</button>}</For>
      </nav>
      <Show when={started() && props.workspace.current()} fallback={<p class="loading" role="status">Loading the controllers…</p>}>
        {(tab) => (
          <main class="panes" classList={{ 'without-left': left() === 0, 'without-right': right() === 0, 'without-pods': pods() === 0, 'pods-sized': pods() !== null }} style={{ '--left': `${left()}px`, '--right': `${right()}px`, '--pods': `${pods() ?? 0}px` }}>
            <div class="left">
              <Show when={tab().recording} fallback={<Written workspace={props.workspace} tab={tab()} pods={pods()} onPods={setPods} />}>
                {(recording) => <RecordingPane workspace={props.workspace} tab={tab()} recording={recording()} />}
              </Show>
            </div>
            <Splitter label="Width of the Manifest pane" direction="across" value={left()} min={200} max={800} onChange={setLeft} />
            <Centre workspace={props.workspace} tab={tab()} running={props.running} windows={props.windows} onWhy={() => props.onPane('Why')} />
            <Splitter label="Width of the Why pane" direction="across" turned value={right()} min={220} max={800} onChange={setRight} />
            <Why workspace={props.workspace} tab={tab()} onCurve={() => props.windows.open('curve')} />
          </main>
        )}
      </Show>
    </>
  );
}

/** What a person writes: the manifest, and what its pods do. */
function Written(props: { workspace: Workspace; tab: Tab; pods: number | null; onPods: (height: number) => void }) {
  return (
    <>
      <Manifest workspace={props.workspace} tab={props.tab} />
      <Splitter label="Height of the Pod behaviour pane" direction="down" turned value={props.pods} min={120} max={700} onChange={props.onPods} />
      <PodsPane workspace={props.workspace} tab={props.tab} />
    </>
  );
}

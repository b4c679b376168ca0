/** The three panes, which can be resized; on a small screen, one at a time behind tabs. */
import { createMemo, For, Show } from 'solid-js';

import { Centre } from './Centre.tsx';
import { Manifest } from './editor/Manifest.tsx';
import about from './generated/about.json';
import { ELAPSED, starts } from './model/clock.ts';
import type { Recording } from './model/recording.ts';
import { megabytes } from './model/words.ts';
import { PodsPane } from './pods/PodsPane.tsx';
import { Splitter } from './shell/Splitter.tsx';
import type { Windows } from './shell/windows.ts';
import { whatIf } from './state/acts.ts';
import { fits } from './state/keeping.ts';
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
            <Why workspace={props.workspace} tab={tab()} onRetries={() => props.windows.open('retries')} />
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

interface RecordingProps {
  workspace: Workspace;
  tab: Tab;
  recording: Recording;
}

/** What stands in place of the manifest where a recording is gone through. */
function RecordingPane(props: RecordingProps) {
  const other = () => props.recording.component !== '' && about.sha256 !== props.recording.component;
  return (
    <section class="recording" aria-labelledby="recording-title">
      <header class="pane-head"><h2 id="recording-title">Recording</h2></header>
      <div class="pad">
        <p>This is what a controller saw and decided on a cluster. The page replays its events and shows the reasons. You cannot change anything here, because it has already happened.</p>
        <dl class="facts">
          <Show when={props.recording.start}>{(start) => <><dt>Started</dt><dd>{starts({ start: Date.parse(start()), clock: ELAPSED })}</dd></>}</Show>
          <dt>Kubernetes</dt><dd>{props.recording.kubernetes}</dd>
          <dt>jobsmith</dt><dd>{props.recording.jobsmith}</dd>
          <dt>Component</dt><dd class="mono" title={props.recording.component}>{props.recording.component.slice(0, 16)}…</dd>
        </dl>
        <Show when={other()}><p class="problem" role="alert">It was recorded with a different component. If this page’s component decides differently, the replay stops there and shows the difference.</p></Show>
        <Show when={!fits(props.recording)}><p role="note">At {megabytes(props.recording.text.length)}, this recording is too large to be kept in the browser. Open the file again after you reload or close the page.</p></Show>
        <p><button type="button" class="main" title="Start a session from the objects at this step (F)" onClick={() => void whatIf(props.workspace, props.tab)}>What if…</button></p>
        <p class="muted">This opens a session with the CronJobs, Jobs and pods as they are at this step. There you can change what pods do, act on them and inject faults.</p>
      </div>
    </section>
  );
}

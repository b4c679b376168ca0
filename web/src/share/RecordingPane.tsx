/** What stands in place of the manifest where a recording is gone through. */
import { Show } from 'solid-js';

import about from '../generated/about.json';
import type { Recording } from '../model/recording.ts';
import { megabytes } from '../model/words.ts';
import { whatIf } from '../state/acts.ts';
import { fits } from '../state/keeping.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

interface Props {
  workspace: Workspace;
  tab: Tab;
  recording: Recording;
}

export function RecordingPane(props: Props) {
  const other = () => props.recording.component !== '' && about.sha256 !== props.recording.component;
  return (
    <section class="recording" aria-labelledby="recording-title">
      <header class="pane-head"><h2 id="recording-title">Recording</h2></header>
      <div class="pad">
        <p>This is what a controller saw and decided on a cluster. The page replays its events and shows the reasons. You cannot change anything here, because it has already happened.</p>
        <dl class="facts">
          <Show when={props.recording.start}>{(start) => <><dt>Started</dt><dd>{new Date(start()).toLocaleString()}</dd></>}</Show>
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

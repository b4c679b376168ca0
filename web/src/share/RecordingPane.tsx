/** What stands in place of the manifest where a recording is gone through. */
import { Show } from 'solid-js';

import type { Recording } from '../model/recording.ts';
import type { About } from '../protocol.ts';
import { whatIf } from '../state/acts.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

interface Props {
  workspace: Workspace;
  tab: Tab;
  recording: Recording;
  about: About | undefined;
}

export function RecordingPane(props: Props) {
  const other = () => props.about !== undefined && props.recording.component !== '' && props.about.sha256 !== props.recording.component;
  return (
    <section class="recording" aria-labelledby="recording-title">
      <header class="pane-head"><h2 id="recording-title">Recording</h2></header>
      <div class="pad">
        <p>This is what a controller saw and decided on a cluster. The page replays its events and shows the reasons. It has already happened, so nothing can be changed here.</p>
        <dl class="facts">
          <Show when={props.recording.start}>{(start) => <><dt>Begins</dt><dd>{new Date(start()).toLocaleString()}</dd></>}</Show>
          <dt>Kubernetes</dt><dd>{props.recording.kubernetes}</dd>
          <dt>jobsmith</dt><dd>{props.recording.jobsmith}</dd>
          <dt>Component</dt><dd class="mono" title={props.recording.component}>{props.recording.component.slice(0, 16)}…</dd>
        </dl>
        <Show when={other()}><p class="problem" role="alert">It was recorded with a different component. If the two decide differently, the page reports it and stops.</p></Show>
        <p><button type="button" class="main" title="Start a session with the objects of this moment (F)" onClick={() => void whatIf(props.workspace, props.tab)}>What if… from here</button></p>
        <p class="muted">This opens a session with the Jobs and pods of this moment, in which you can change what pods do and break things.</p>
      </div>
    </section>
  );
}

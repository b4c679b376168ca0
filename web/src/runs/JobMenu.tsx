/** What can be done to a Job of a CronJob at the current moment. */
import { Show } from 'solid-js';

import { exists, type RunJob } from '../model/runs.ts';
import { jobState } from '../model/words.ts';
import { JobActs } from '../pods/ActList.tsx';
import { type Place, Popup } from '../shell/Popup.tsx';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

interface Props {
  workspace: Workspace;
  tab: Tab;
  place: Place;
  job: RunJob;
  onClose: () => void;
}

export function JobMenu(props: Props) {
  const there = () => exists(props.job, props.tab.cursor());
  const go = (step: number): void => {
    props.onClose();
    props.tab.goTo(step);
  };
  return (
    <Popup place={props.place} label={`Job ${props.job.name}`} onClose={props.onClose}>
      <h3><span class="mono">job/{props.tab.story().names.of(props.job)}</span> at {props.tab.clock().show(props.tab.at())}</h3>
      <p class="muted">{state(props)}</p>
      <Show when={props.job.removed && (props.job.deleting?.step ?? Infinity) <= props.tab.cursor() && props.job.removed}>{(removed) => <p class="muted">{removed().reason}</p>}</Show>
      <Show when={there() && !props.tab.recording}>
        <JobActs workspace={props.workspace} tab={props.tab} onClose={props.onClose} job={{ namespace: props.job.namespace, name: props.job.name, suspend: props.job.suspended }} />
      </Show>
      <button type="button" onClick={() => go(props.job.created.step)}>Go to its creation</button>
      <Show when={props.job.finished}>{(finished) => <button type="button" onClick={() => go(finished().step)}>Go to its end</button>}</Show>
      <Show when={props.job.deleting}>{(deleting) => <button type="button" onClick={() => go(deleting().step)}>Go to its deletion{props.job.removed ? ` (${props.job.removed.field})` : ''}</button>}</Show>
    </Popup>
  );
}

function state({ job, tab }: Props): string {
  const step = tab.cursor();
  if (!exists(job, step)) return job.created.step > step ? 'It does not exist yet at this step.' : 'It no longer exists at this step.';
  const finished = job.finished !== null && job.finished.step <= step;
  const until = finished ? tab.story().keptUntil(job, { at: tab.at(), step }) : null;
  const parts = [jobState(job, step), job.scheduledAt === null ? '' : `scheduled for ${tab.clock().show(job.scheduledAt)}`, until === null ? '' : `kept until ${tab.clock().show(until)}`];
  return parts.filter((part) => part !== '').join(' · ');
}

/** What can be done to a CronJob at the current moment, and the outcomes of its last runs. */
import { For, Show } from 'solid-js';

import { type CronJob, cronJobAt, type Run } from '../model/runs.ts';
import { jobState } from '../model/words.ts';
import { CronJobActs } from '../pods/ActList.tsx';
import { Group } from '../pods/ActionMenu.tsx';
import { type Place, Popup } from '../shell/Popup.tsx';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

interface Props {
  workspace: Workspace;
  tab: Tab;
  place: Place;
  cronJob: CronJob;
  onCalendar: () => void;
  onRuns: () => void;
  onPolicies: () => void;
  onClose: () => void;
}

/** So many runs are listed, the latest first. */
const MOST = 5;

export function CronJobMenu(props: Props) {
  const view = () => cronJobAt(props.cronJob, props.tab.cursor());
  const runs = () => props.cronJob.runs.filter((run) => run.decided.step <= props.tab.cursor()).slice(-MOST).reverse();
  const go = (run: Run): void => {
    props.onClose();
    props.tab.goTo(begun(run, props.tab.cursor()) ? (run.job?.created.step ?? 0) : run.decided.step);
  };
  return (
    <Popup place={props.place} label={`CronJob ${props.cronJob.name}`} onClose={props.onClose}>
      <h3><span class="mono">cronjob/{props.tab.story().names.of(props.cronJob)}</span> at {props.tab.clock().show(props.tab.at())}</h3>
      <Show when={view()} keyed fallback={<p class="muted">It does not exist at this step.</p>}>
        {(known) => <Show when={!props.tab.recording}><CronJobActs workspace={props.workspace} tab={props.tab} onClose={props.onClose} cronJob={known} /></Show>}
      </Show>
      <button type="button" onClick={() => (props.onClose(), props.onCalendar())}>Show its calendar</button>
      <button type="button" onClick={() => (props.onClose(), props.onRuns())}>List its runs</button>
      <Show when={!props.tab.recording}><button type="button" onClick={() => (props.onClose(), props.onPolicies())}>Compare concurrency policies…</button></Show>
      <Show when={runs().length > 0}>
        <Group title="Recent runs">
          <For each={runs()}>{(run) => <button type="button" onClick={() => go(run)}>{props.tab.clock().show(run.scheduledAt)} <span class="muted">{outcome(run, props.tab.cursor())}</span></button>}</For>
        </Group>
      </Show>
    </Popup>
  );
}

/** Whether its Job was there by a step. */
function begun(run: Run, step: number): boolean {
  return run.job !== null && run.job.created.step <= step;
}

/** The state of a run at a step. */
function outcome(run: Run, step: number): string {
  if (!run.job || !begun(run, step)) return 'no Job';
  return run.job.gone && run.job.gone.step <= step ? 'deleted' : jobState(run.job, step);
}

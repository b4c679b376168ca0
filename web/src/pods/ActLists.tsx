/** What can be done at the moment that is looked at: to CronJobs and Jobs, to the node, and to what the controllers rest on. */
import { createSignal, For, type JSX, Show, type Signal } from 'solid-js';

import { type Named, scripted } from '../model/names.ts';
import { cronJobAt } from '../model/runs.ts';
import type { CronJobView, JobView } from '../protocol.ts';
import { type Place, Popup } from '../shell/Popup.tsx';
import { act } from '../state/acts.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

interface Props {
  workspace: Workspace;
  tab: Tab;
  place: Place;
  onClose: () => void;
}

const FAULTS: { label: string; action: string }[] = [
  { label: 'Refuse it with a conflict', action: 'refuse next write with conflict' },
  { label: 'Refuse it as forbidden', action: 'refuse next write with forbidden' },
  { label: 'Fail it with a server error', action: 'refuse next write with server error' },
  { label: 'Let it time out before it takes effect', action: 'refuse next write with timeout before' },
  { label: 'Let it time out after it takes effect', action: 'refuse next write with timeout after' },
  { label: 'Refuse it because the namespace is terminating', action: 'refuse next write with namespace terminating' },
];

/** What was written into a field is there again when its list is opened the next time. */
const [scale, setScale] = createSignal(3);
const [pause, delay, cut, jump] = [createSignal('30s'), createSignal('5s'), createSignal('30s'), createSignal('1h')];

type Doing = Pick<Props, 'workspace' | 'tab' | 'onClose'>;

/** Does something at the moment that is looked at, and closes the list. */
function happen(props: Doing, action: string): void {
  props.onClose();
  act(props.workspace, props.tab, action);
}

/** Acts on a CronJob, or on a Job that no CronJob has started: those have rows with lists of their own. */
export function ActList(props: Props) {
  const story = () => (props.tab.version(), props.tab.story());
  const cronJobs = () => story().runs.cronJobs.map((cronJob) => cronJobAt(cronJob, props.tab.cursor())).filter((view) => view !== null);
  const jobs = () => story().jobsAt(props.tab.cursor());
  return (
    <Popup place={props.place} label="Actions at this step" onClose={props.onClose}>
      <For each={cronJobs()}>
        {(cronJob) => (
          <>
            <h3 class="mono">cronjob/{story().names.of(cronJob)}</h3>
            <CronJobActs {...props} cronJob={cronJob} />
          </>
        )}
      </For>
      <For each={jobs()}>
        {(job) => (
          <>
            <h3 class="mono">job/{story().names.of(job)}</h3>
            <JobActs {...props} job={job} />
          </>
        )}
      </For>
      <Show when={cronJobs().length === 0 && jobs().length === 0}><p class="muted">No Jobs or CronJobs at this step.</p></Show>
    </Popup>
  );
}

/** Suspends, resumes, scales or deletes a Job. */
export function JobActs(props: Doing & { job: Named & Pick<JobView, 'suspend'> }) {
  const job = () => scripted(props.job);
  return (
    <>
      <button type="button" onClick={() => happen(props, `${props.job.suspend ? 'resume' : 'suspend'} job ${job()}`)}>{props.job.suspend ? 'Resume it' : 'Suspend it'}</button>
      <Line label="Scale to" onDo={() => happen(props, `scale job ${job()} to ${scale()}`)}>
        <input type="number" min="0" aria-label="Parallelism" value={scale()} onInput={(event) => setScale(event.currentTarget.valueAsNumber || 0)} />
      </Line>
      <button type="button" onClick={() => happen(props, `delete job ${job()} background`)}>Delete it (background)</button>
      <button type="button" onClick={() => happen(props, `delete job ${job()} foreground`)}>Delete it after its pods (foreground)</button>
      <button type="button" onClick={() => happen(props, `delete job ${job()} orphan`)}>Delete it but keep its pods (orphan)</button>
    </>
  );
}

const POLICIES = ['Allow', 'Forbid', 'Replace'];

/** Suspends, resumes, changes or deletes a CronJob. */
export function CronJobActs(props: Doing & { cronJob: CronJobView }) {
  const [schedule, setSchedule] = createSignal(props.cronJob.schedule);
  const [policy, setPolicy] = createSignal(props.cronJob.concurrencyPolicy);
  const cronJob = () => scripted(props.cronJob);
  return (
    <>
      <button type="button" onClick={() => happen(props, `${props.cronJob.suspend ? 'resume' : 'suspend'} cronjob ${cronJob()}`)}>{props.cronJob.suspend ? 'Resume it' : 'Suspend it'}</button>
      <Line label="Set its schedule to" onDo={() => happen(props, `set cronjob ${cronJob()} spec.schedule=${JSON.stringify(schedule())}`)}>
        <input class="mono wide" aria-label="Schedule" value={schedule()} onInput={(event) => setSchedule(event.currentTarget.value)} />
      </Line>
      <Line label="Set its concurrencyPolicy to" onDo={() => happen(props, `set cronjob ${cronJob()} spec.concurrencyPolicy=${JSON.stringify(policy())}`)}>
        <select aria-label="Concurrency policy" onChange={(event) => setPolicy(event.currentTarget.value)}>
          <For each={POLICIES}>{(one) => <option selected={one === policy()}>{one}</option>}</For>
        </select>
      </Line>
      <button type="button" onClick={() => happen(props, `delete cronjob ${cronJob()} background`)}>Delete it and its Jobs (background)</button>
      <button type="button" onClick={() => happen(props, `delete cronjob ${cronJob()} orphan`)}>Delete it but keep its Jobs (orphan)</button>
    </>
  );
}

/** Injects faults: into requests, the controller, its watch, the node, the clock. */
export function FaultList(props: Props) {
  return (
    <Popup place={props.place} label="Inject a fault at this step" onClose={props.onClose}>
      <h3>The next write</h3>
      <For each={FAULTS}>{(fault) => <button type="button" onClick={() => happen(props, fault.action)}>{fault.label}</button>}</For>
      <h3>The controller</h3>
      <button type="button" onClick={() => happen(props, 'restart controller')}>Restart it (it loses its in-memory state)</button>
      <LengthLine label="Pause it for" name="Length of the pause" length={pause} onDo={(length) => happen(props, `pause controller for ${length}`)} />
      <h3>Its watch</h3>
      <LengthLine label="Delay it by" name="Length of the delay" length={delay} onDo={(length) => happen(props, `delay watch by ${length}`)} />
      <LengthLine label="Disconnect it for" name="Length of the disconnection" title="When it reconnects, it lists all objects; it never sees those that were created and deleted in between" length={cut} onDo={(length) => happen(props, `cut watch for ${length}`)} />
      <h3>The node</h3>
      <button type="button" onClick={() => happen(props, 'evict pods')}>Drain it (evicts all its pods)</button>
      <button type="button" onClick={() => happen(props, 'lose node')}>Take it offline (it stops reporting)</button>
      <button type="button" onClick={() => happen(props, 'remove node')}>Remove nodes that are offline</button>
      <h3>The clock</h3>
      <LengthLine label="Advance it by" name="Length of the jump" length={jump} onDo={(length) => happen(props, `advance ${length}`)} />
    </Popup>
  );
}

/** Something to do for a length of time. */
function LengthLine(props: { label: string; name: string; title?: string; length: Signal<string>; onDo: (length: string) => void }) {
  const [length, setLength] = props.length;
  return (
    <Line label={props.label} onDo={() => props.onDo(length())}>
      <input class="mono" aria-label={props.name} title={props.title} value={length()} onInput={(event) => setLength(event.currentTarget.value)} />
    </Line>
  );
}

/** Something to do that needs a value. */
function Line(props: { label: string; onDo: () => void; children: JSX.Element }) {
  return (
    <form class="line" onSubmit={(event) => (event.preventDefault(), props.onDo())}>
      <button type="submit">{props.label}</button>
      {props.children}
    </form>
  );
}

/** What can be done to CronJobs and Jobs at the current moment. */
import { createSignal, For, Show } from 'solid-js';

import { type Named, scripted } from '../model/names.ts';
import { cronJobAt, POLICIES } from '../model/runs.ts';
import type { CronJobView, JobView } from '../protocol.ts';
import { type Place, Popup } from '../shell/Popup.tsx';
import { type ActionMenu, ComesFirst, Group, Line, perform } from './ActionMenu.tsx';

/** What was written into the field is there again when its list is opened the next time. */
const [scale, setScale] = createSignal(3);

/** Acts on a CronJob, or on a Job that no CronJob has started: those have rows with lists of their own. */
export function ActList(props: ActionMenu & { place: Place }) {
  const title = () => `Actions at ${props.tab.clock().show(props.tab.at())}`;
  const story = () => (props.tab.version(), props.tab.story());
  const cronJobs = () => story().runs.cronJobs.map((cronJob) => cronJobAt(cronJob, props.tab.cursor())).filter((view) => view !== null);
  const jobs = () => story().jobsAt(props.tab.cursor());
  return (
    <Popup place={props.place} label={title()} onClose={props.onClose}>
      <h3>{title()}</h3>
      <ComesFirst tab={props.tab} />
      <For each={cronJobs()}>{(cronJob) => <Group title={`cronjob/${story().names.of(cronJob)}`} mono><CronJobActs {...props} cronJob={cronJob} /></Group>}</For>
      <For each={jobs()}>{(job) => <Group title={`job/${story().names.of(job)}`} mono><JobActs {...props} job={job} /></Group>}</For>
      <Show when={cronJobs().length === 0 && jobs().length === 0}><p class="muted">No Jobs or CronJobs at this step.</p></Show>
    </Popup>
  );
}

/** Suspends, resumes, scales or deletes a Job. */
export function JobActs(props: ActionMenu & { job: Named & Pick<JobView, 'suspend'> }) {
  const job = () => scripted(props.job);
  return (
    <>
      <button type="button" onClick={() => perform(props, `${props.job.suspend ? 'resume' : 'suspend'} job ${job()}`)}>{props.job.suspend ? 'Resume it' : 'Suspend it'}</button>
      <Line label="Scale to" onDo={() => perform(props, `scale job ${job()} to ${scale()}`)}>
        <input type="number" min="0" aria-label="Parallelism" value={scale()} onInput={(event) => setScale(event.currentTarget.valueAsNumber || 0)} />
      </Line>
      <button type="button" onClick={() => perform(props, `delete job ${job()} background`)}>Delete it (background)</button>
      <button type="button" onClick={() => perform(props, `delete job ${job()} foreground`)}>Delete it after its pods (foreground)</button>
      <button type="button" onClick={() => perform(props, `delete job ${job()} orphan`)}>Delete it but keep its pods (orphan)</button>
    </>
  );
}

/** Suspends, resumes, changes or deletes a CronJob. */
export function CronJobActs(props: ActionMenu & { cronJob: CronJobView }) {
  const [schedule, setSchedule] = createSignal(props.cronJob.schedule);
  const [policy, setPolicy] = createSignal(props.cronJob.concurrencyPolicy);
  const cronJob = () => scripted(props.cronJob);
  return (
    <>
      <button type="button" onClick={() => perform(props, `${props.cronJob.suspend ? 'resume' : 'suspend'} cronjob ${cronJob()}`)}>{props.cronJob.suspend ? 'Resume it' : 'Suspend it'}</button>
      <Line label="Set its schedule to" onDo={() => perform(props, `set cronjob ${cronJob()} spec.schedule=${JSON.stringify(schedule())}`)}>
        <input class="mono wide" aria-label="Schedule" value={schedule()} onInput={(event) => setSchedule(event.currentTarget.value)} />
      </Line>
      <Line label="Set its concurrencyPolicy to" onDo={() => perform(props, `set cronjob ${cronJob()} spec.concurrencyPolicy=${JSON.stringify(policy())}`)}>
        <select aria-label="Concurrency policy" onChange={(event) => setPolicy(event.currentTarget.value)}>
          <For each={POLICIES}>{(one) => <option selected={one === policy()}>{one}</option>}</For>
        </select>
      </Line>
      <button type="button" onClick={() => perform(props, `delete cronjob ${cronJob()} background`)}>Delete it and its Jobs (background)</button>
      <button type="button" onClick={() => perform(props, `delete cronjob ${cronJob()} orphan`)}>Delete it but keep its Jobs (orphan)</button>
    </>
  );
}

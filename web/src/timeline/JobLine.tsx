/** One line for each CronJob, and for each Job that no CronJob has started: how far it is at the current step. */
import { For, Show } from 'solid-js';

import { shortName } from '../model/names.ts';
import type { CronJob } from '../model/runs.ts';
import { spoken } from '../model/time.ts';
import type { JobView } from '../protocol.ts';
import type { Tab } from '../state/tab.ts';
import { CronJobLines } from './CronJobLine.tsx';

export function JobLine(props: { tab: Tab; onCalendar: (cronJob: CronJob) => void; onRuns: (cronJob: CronJob) => void }) {
  const jobs = () => (props.tab.version(), props.tab.story().jobsAt(props.tab.cursor()));
  return (
    <div class="job-lines">
      <CronJobLines tab={props.tab} onCalendar={props.onCalendar} onRuns={props.onRuns} />
      <For each={jobs()} fallback={<Show when={props.tab.story().runs.cronJobs.length === 0}><p class="job-line muted">No Jobs or CronJobs at this step.</p></Show>}>
        {(job) => (
          <p class="job-line" title={[`job/${props.tab.story().names.of(job)}`, progress(job), ...facts(job, props.tab)].join(' · ')}>
            <strong class="mono">job/{shortName(props.tab.story().names.of(job))}</strong> <span class="muted">at {props.tab.clock().show(props.tab.at())}</span> · <span>{progress(job)}</span>
            <For each={facts(job, props.tab)}>{(fact) => <span class="fact"> · {fact}</span>}</For>
          </p>
        )}
      </For>
    </div>
  );
}

/** How many have succeeded, with those that the next write of the status counts: as the outcome has it. */
function progress({ succeeded, completions, completionMode, counting }: JobView): string {
  const all = succeeded + counting.succeeded;
  const wanted = `${completions === null ? all : `${all}/${completions}`} succeeded${beingCounted(counting.succeeded)}`;
  return completionMode === 'Indexed' ? `Indexed: ${wanted}` : wanted;
}

function beingCounted(pods: number): string {
  return pods === 0 ? '' : ` (${pods} being counted)`;
}

function facts(job: JobView, tab: Tab): string[] {
  const condition = job.conditions.findLast(({ status }) => status === 'True');
  return [
    job.failed + job.counting.failed > 0 ? `${job.failed + job.counting.failed} failed${beingCounted(job.counting.failed)}` : '',
    job.active > 0 ? `${job.active} active` : '',
    job.terminating ? `${job.terminating} terminating` : '',
    job.deleting ? 'being deleted' : '',
    condition ? `${condition.type}${condition.reason ? ` (${condition.reason})` : ''}` : '',
    kept(job, tab),
  ].filter((fact) => fact !== '');
}

/** Until when a Job that has finished is kept. */
function kept(job: JobView, tab: Tab): string {
  const until = job.finished && !job.deleting ? tab.story().keptUntil(job, { at: tab.at(), step: tab.cursor() }) : null;
  return until === null ? '' : `kept until ${tab.clock().show(until)}, ${spoken(until - tab.at())} left`;
}

/** One line for each CronJob, or two if there is only one: its schedule, when it runs next, and its status at the current step; beside it, its runs and its calendar. */
import { For, Show } from 'solid-js';

import { starts } from '../model/clock.ts';
import { type CronJob, cronJobAt, nextRunAt, rescheduled } from '../model/runs.ts';
import { spoken } from '../model/time.ts';
import type { CronJobView } from '../protocol.ts';
import type { Tab } from '../state/tab.ts';

export function CronJobLines(props: { tab: Tab; onCalendar: (cronJob: CronJob) => void; onRuns: (cronJob: CronJob) => void }) {
  const known = () => (props.tab.version(), props.tab.story().runs.cronJobs.filter((cronJob) => cronJobAt(cronJob, props.tab.cursor())));
  const name = (cronJob: CronJob): string => props.tab.story().names.of(cronJob);
  return (
    <For each={known()}>
      {(cronJob) => (
        <div class="cron-job-line">
          <Show when={(props.tab.version(), cronJobAt(cronJob, props.tab.cursor()))}>
            {(view) => <Line name={name(cronJob)} view={view()} facts={[next(cronJob, view(), props.tab), ...facts(view(), props.tab)].filter((fact) => fact !== '')} tall={known().length === 1} />}
          </Show>
          <button type="button" class="link" aria-label={`Runs of ${name(cronJob)}`} title="Its runs one by one: started, late or skipped, and why" onClick={() => props.onRuns(cronJob)}>Runs</button>
          <button type="button" class="link" aria-label={`Calendar of ${name(cronJob)}`} title="A month of its runs" onClick={() => props.onCalendar(cronJob)}>Calendar</button>
        </div>
      )}
    </For>
  );
}

function Line(props: { name: string; view: CronJobView; facts: string[]; tall: boolean }) {
  return (
    <p class="job-line" classList={{ tall: props.tall }} title={[props.view.schedule, ...props.facts].join(' · ')}>
      <strong class="mono">cronjob/{props.name}</strong> <span class="mono">{props.view.schedule}</span>
      <For each={props.facts}>{(fact) => <span class="fact"> · {fact}</span>}</For>
    </p>
  );
}

/** When the next run is, and how long it is until then; or the run that is due. */
function next(cronJob: CronJob, view: CronJobView, tab: Tab): string {
  if (view.suspend || view.deleting) return '';
  const step = tab.cursor();
  if (rescheduled(cronJob, step)) return 'next run not decided yet';
  const at = nextRunAt(cronJob, step);
  if (at !== null) return at > tab.at() ? `next run ${tab.clock().show(at)}, in ${spoken(at - tab.at())}` : `${tab.clock().show(at)} run due`;
  const run = cronJob.runs.findLast((one) => one.decided.step <= step);
  if (!run) return '';
  return `${tab.clock().show(run.scheduledAt)} run ${run.job && run.job.created.step <= step ? 'starting' : 'waiting'}`;
}

function facts(view: CronJobView, tab: Tab): string[] {
  const dated = tab.clock().zone !== null;
  return [
    view.deleting ? 'being deleted' : '',
    view.suspend ? 'suspended' : '',
    `${view.active.length} active`,
    dated ? `session starts ${starts(tab.story())}` : '',
    view.lastScheduleTime === null ? '' : `last scheduled ${tab.clock().show(view.lastScheduleTime)}`,
    view.lastSuccessfulTime === null ? '' : `last successful ${tab.clock().show(view.lastSuccessfulTime)}`,
    view.concurrencyPolicy,
    // The start of the session names the time zone of its dates.
    dated && view.zone === tab.clock().zone?.name ? '' : (view.timeZone ?? (dated ? view.zone : '')),
  ].filter((fact) => fact !== '');
}

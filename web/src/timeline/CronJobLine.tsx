/** One line for each CronJob, or two if there is only one: its schedule, when it runs next, and its status at the step that is looked at. */
import { For } from 'solid-js';

import { type CronJob, cronJobAt, nextRunAt } from '../model/runs.ts';
import { clock, spoken } from '../model/time.ts';
import type { CronJobView } from '../protocol.ts';
import type { Tab } from '../state/tab.ts';

export function CronJobLines(props: { tab: Tab }) {
  const known = () => {
    const { tab } = props;
    tab.version();
    return tab.story().runs.cronJobs.flatMap((cronJob) => {
      const view = cronJobAt(cronJob, tab.cursor());
      return view ? [{ name: tab.story().names.of(cronJob), view, next: next(cronJob, view, tab) }] : [];
    });
  };
  return (
    <For each={known()}>
      {({ name, view, next }) => (
        <p class="job-line" classList={{ tall: known().length === 1 }} title={[view.schedule, next, ...facts(view)].join(' · ')}>
          <strong class="mono">cronjob/{name}</strong> <span class="mono">{view.schedule}</span>
          <For each={[next, ...facts(view)].filter((fact) => fact !== '')}>{(fact) => <span class="fact"> · {fact}</span>}</For>
        </p>
      )}
    </For>
  );
}

/** When the next run is, and how long it is until then; or the run that is due. */
function next(cronJob: CronJob, view: CronJobView, tab: Tab): string {
  if (view.suspend || view.deleting) return '';
  const step = tab.cursor();
  const at = nextRunAt(cronJob, step);
  if (at !== null) return at > tab.at() ? `next run ${clock(at)}, in ${spoken(at - tab.at())}` : `run of ${clock(at)} due`;
  const run = cronJob.runs.findLast((one) => one.decided.step <= step);
  if (!run) return '';
  return `run of ${clock(run.scheduledAt)} ${run.job && run.job.created.step <= step ? 'starting' : 'waiting'}`;
}

function facts(view: CronJobView): string[] {
  return [
    view.deleting ? 'being deleted' : '',
    view.suspend ? 'suspended' : '',
    `${view.active.length} active`,
    view.lastScheduleTime === null ? '' : `last scheduled ${clock(view.lastScheduleTime)}`,
    view.lastSuccessfulTime === null ? '' : `last successful ${clock(view.lastSuccessfulTime)}`,
    view.concurrencyPolicy,
    view.timeZone ?? '',
  ].filter((fact) => fact !== '');
}

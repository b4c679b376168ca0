/** One line for each Job: how far it is at the step that is looked at. */
import { For } from 'solid-js';

import type { JobView } from '../protocol.ts';
import type { Tab } from '../state/tab.ts';

export function JobLine(props: { tab: Tab }) {
  const jobs = () => (props.tab.version(), props.tab.story().jobsAt(props.tab.cursor()));
  return (
    <div class="job-lines">
      <For each={jobs()} fallback={<p class="job-line muted">There is no Job at this step.</p>}>
        {(job) => (
          <p class="job-line" title={[progress(job), ...facts(job)].join(' · ')}>
            <strong class="mono">job/{props.tab.story().names.of(job)}</strong> <span>{progress(job)}</span>
            <For each={facts(job)}>{(fact) => <span class="fact"> · {fact}</span>}</For>
          </p>
        )}
      </For>
    </div>
  );
}

function progress(job: JobView): string {
  const wanted = job.completions === null ? `${job.succeeded} succeeded` : `${job.succeeded}/${job.completions} succeeded`;
  return job.completionMode === 'Indexed' ? `Indexed ${wanted}` : wanted;
}

function facts(job: JobView): string[] {
  const condition = job.conditions.findLast(({ status }) => status === 'True');
  return [
    job.failed > 0 ? `${job.failed} failed` : '',
    job.active > 0 ? `${job.active} active` : '',
    job.terminating ? `${job.terminating} terminating` : '',
    job.deleting ? 'being deleted' : '',
    condition ? `${condition.type}${condition.reason ? ` (${condition.reason})` : ''}` : '',
  ].filter((fact) => fact !== '');
}

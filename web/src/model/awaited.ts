/** What the controllers wait for at a step: a time, or else an event. */
import type { CronJobView, Due, JobView } from '../protocol.ts';
import { ended, podAt } from './bars.ts';
import type { Clock } from './clock.ts';
import type { Named } from './names.ts';
import { cronJobAt } from './runs.ts';
import type { Story } from './story.ts';
import { spoken } from './time.ts';
import { counted } from './words.ts';

/** When the controllers reconcile again if nothing happens before, and why. */
function reconciles({ at, reason }: Due, now: number, clock: Clock): string {
  return at > now ? `Reconciles again at ${clock.show(at)}, in ${spoken(at - now)}: ${reason}` : `Reconciles immediately: ${reason}`;
}

/** What comes next after a step, if known: a time, another step of the same moment, or what has to happen first. What happens in a recording came from outside. */
export function upcoming(story: Story, step: number, now: number, recorded: boolean): string {
  const due = story.waitsAfter(step);
  if (due) return reconciles(due, now, story.clock);
  const [here, next] = [story.steps[step], story.steps[step + 1]];
  if (here?.waits === null) return recorded ? '' : awaited(story, step);
  return here && here.at === next?.at ? 'The next step happens at the same time.' : '';
}

/** What has to happen before the controllers reconcile again where no time is known, in one sentence. */
export function awaited(story: Story, step: number): string {
  const cronJobs = story.runs.cronJobs.map((cronJob) => cronJobAt(cronJob, step)).filter((view) => view !== null);
  const jobs = story.jobsAt(step);
  const open = jobs.filter((job) => job.finished === null);
  const named = (kind: string, objects: Named[]): string[] => objects.map((object) => `${kind}/${story.names.of(object)}`);
  const pods = open.reduce((sum, job) => sum + present(job), 0);
  if (pods > 0) return `Waiting for ${counted(pods, 'pod')} to finish.`;
  const runs = cronJobs.reduce((sum, { active }) => sum + active.length, 0);
  if (runs > 0) return `Waiting for ${counted(runs, 'Job')} to finish.`;
  const living = alive(story, step);
  if (living > 0) return `Waiting for ${counted(living, 'pod')} to finish.`;
  const suspended = [...named('cronjob', cronJobs.filter(isSuspended)), ...named('job', open.filter(isSuspended))];
  if (suspended.length > 0) return `Waiting for ${suspended.join(', ')} to be resumed.`;
  if (open.length + cronJobs.length > 0) return `Waiting for a change to ${[...named('cronjob', cronJobs), ...named('job', open)].join(', ')}.`;
  return jobs.length > 0 ? 'Nothing left to do: every Job has finished.' : 'Nothing left to do: there are no Jobs or CronJobs.';
}

/** How many pods are there that have not ended, whether a Job counts them or not: those of a deleted Job may outlive it. */
function alive(story: Story, step: number): number {
  return [...story.bars.byPod.values()].reduce((sum, bar) => {
    const pod = podAt(bar, step);
    return pod && !ended(pod.phase) ? sum + 1 : sum;
  }, 0);
}

/** How many pods of a Job are there: those that are terminating are not active. */
function present(job: JobView): number {
  return job.active + (job.terminating ?? 0);
}

function isSuspended({ suspend }: CronJobView | JobView): boolean {
  return suspend;
}

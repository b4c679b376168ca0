/** What the controllers wait for at a step: a time, or else an event. */
import type { CronJobView, Due, JobView } from '../protocol.ts';
import type { Named } from './names.ts';
import { cronJobAt, finish } from './runs.ts';
import type { Story } from './story.ts';
import { clock, spoken } from './time.ts';
import { counted } from './words.ts';

/** When the controllers reconcile again if nothing happens before, and why. */
export function reconciles({ at, reason }: Due, now: number): string {
  return at > now ? `Reconciles again at ${clock(at)}, in ${spoken(at - now)}: ${reason}` : `Reconciles immediately: ${reason}`;
}

/** What has to happen before the controllers reconcile again where no time is known, in one sentence. */
export function awaited(story: Story, step: number): string {
  const cronJobs = story.runs.cronJobs.map((cronJob) => cronJobAt(cronJob, step)).filter((view) => view !== null);
  const jobs = story.jobsAt(step);
  const open = jobs.filter((job) => finish(job) === null);
  const named = (kind: string, objects: Named[]): string[] => objects.map((object) => `${kind}/${story.names.of(object)}`);
  const pods = open.reduce((sum, job) => sum + present(job), 0);
  if (pods > 0) return `Waiting for ${counted(pods, 'pod')} to finish.`;
  const runs = cronJobs.reduce((sum, { active }) => sum + active.length, 0);
  if (runs > 0) return `Waiting for ${counted(runs, 'Job')} to finish.`;
  const suspended = [...named('cronjob', cronJobs.filter(isSuspended)), ...named('job', open.filter(isSuspended))];
  if (suspended.length > 0) return `Waiting for ${suspended.join(', ')} to be resumed.`;
  if (open.length + cronJobs.length > 0) return `Waiting for a change to ${[...named('cronjob', cronJobs), ...named('job', open)].join(', ')}.`;
  return jobs.length > 0 ? 'Nothing left to do: every Job has finished.' : 'Nothing left to do: there are no Jobs or CronJobs.';
}

/** How many pods of a Job are there: those that are terminating are not active. */
function present(job: JobView): number {
  return job.active + (job.terminating ?? 0);
}

function isSuspended({ suspend }: CronJobView | JobView): boolean {
  return suspend;
}

/** The outcome of each CronJob and Job of a play, and the step that decided it. */
import type { DecisionEntry, JobView } from '../protocol.ts';
import { type Bar, ended } from './bars.ts';
import { key, type Named } from './names.ts';
import { type CronJob, nextRunAt, type RunJob } from './runs.ts';
import { rendered } from './sentence.ts';
import type { Story } from './story.ts';
import { counted } from './words.ts';

/** In the order in which outcomes are shown: what people look for comes first. */
const STATES = ['failed', 'stuck', 'suspended', 'running', 'deleted', 'complete'] as const;

export type State = (typeof STATES)[number];

/** The step that decided an outcome, and the question that this step answers. */
interface Decided {
  question: string;
  step: number;
}

interface Verdict {
  state: State;
  /** The object's outcome, when and by which decision it came about, and how many pods or runs it took. */
  facts: string[];
  /** Null if the play has no such step. */
  decided: Decided | null;
}

export interface ObjectOutcome extends Verdict {
  kind: 'CronJob' | 'Job';
  object: Named;
}

/** An object at each of its changes. */
type Views<View> = { step: number; view: View }[];

/** The outcome of each CronJob, and of each Job that was not started by a CronJob, up to the last played step. */
export function outcomes(story: Story): ObjectOutcome[] {
  const plans = new Plans(story);
  const bars = barsByJob(story);
  const cronJobs = story.runs.cronJobs.map((object) => ({ kind: 'CronJob' as const, object, ...cronJobVerdict(story, plans, object) }));
  const jobs = [...story.jobs].flatMap(([job, views]) => jobOutcome(story, plans, views, bars.get(job) ?? []) ?? []);
  return [...cronJobs, ...jobs].sort((one, other) => STATES.indexOf(one.state) - STATES.indexOf(other.state));
}

/** The step that decided the first of the outcomes; if none did, the one in which most was decided. */
export function decisive(story: Story): number {
  return outcomes(story).find(({ decided }) => decided !== null)?.decided?.step ?? story.interesting();
}

function jobOutcome(story: Story, plans: Plans, all: Views<JobView>, bars: Bar[]): ObjectOutcome | null {
  // A Job that is created again after its deletion is another Job.
  const views = all.slice(all.findLastIndex(({ view }, place) => view.gone && place < all.length - 1) + 1);
  const [first, last] = [views[0], views.at(-1)];
  if (!first || !last) return null;
  const object = { namespace: last.view.namespace, name: last.view.name };
  const pods = first === all[0] ? bars : bars.filter((bar) => (bar.phases[0]?.step ?? 0) >= first.step);
  return { kind: 'Job', object, ...jobVerdict(story, plans, views, last.view, pods) };
}

function jobVerdict(story: Story, plans: Plans, views: Views<JobView>, job: JobView, pods: Bar[]): Verdict {
  const indexes = failedIndexes(views);
  const count = counted(pods.length, 'pod');
  const end = views.find(({ view }) => view.finished !== null);
  const deletion = views.find(({ view }) => view.deleting || view.gone);
  if (end) {
    const removed = deletion ? `${job.gone ? 'deleted' : 'deletion started at'} ${time(story, deletion.step)}` : '';
    return finished(story, plans, views[0]?.step ?? 0, end, [indexes, count, removed]);
  }
  if (deletion) {
    const [removed, decided] = removal(story, deletion.step, job);
    return { state: 'deleted', facts: present([removed, indexes, count]), decided };
  }
  if (job.suspend) {
    const [since, decided] = suspension(story, views, plans.of('Job', job));
    return { state: 'suspended', facts: present([since, indexes, count]), decided };
  }
  return story.ended ? unfinished(story, plans, job, pods, [indexes, count]) : { state: 'running', facts: present([`Running at ${story.clock.show(story.lastAt)}`, indexes, count]), decided: null };
}

/** More letters than these would leave too little room for the rest of the outcome. */
const MOST = 24;

/** The indexes that have failed, as the status names them, `1,3-5`; as many as there is room for. */
function failedIndexes(views: Views<JobView>): string {
  const all = views.flatMap(({ view }) => view.changes).findLast(({ path }) => path === 'status.failedIndexes')?.after ?? '';
  if (all === '') return '';
  const short = all.length > MOST ? `${all.slice(0, all.lastIndexOf(',', MOST) + 1)}…` : all;
  return `failed ${/[,-]/.test(all) ? 'indexes' : 'index'} ${short}`;
}

/** A Job that is Complete or Failed, and was not when it was found. */
function finished(story: Story, plans: Plans, first: number, end: { step: number; view: JobView }, facts: string[]): Verdict {
  const { succeeded, reason } = end.view.finished ?? { succeeded: false, reason: '' };
  const [state, name, question] = succeeded ? (['complete', 'Complete', 'Why it is complete'] as const) : (['failed', 'Failed', 'Why it failed'] as const);
  if (end.step === first) return { state, facts: present([`Already ${name} at the start`, reason, ...facts]), decided: null };
  const found = ending(plans, end.view, first, end.step);
  return { state, facts: present([`${name} at ${time(story, end.step)}`, found?.verdict ?? reason, ...facts]), decided: { question, step: found?.step ?? end.step } };
}

/** A Job for which nothing happens any more although it has not finished. */
function unfinished(story: Story, plans: Plans, job: JobView, pods: Bar[], facts: string[]): Verdict {
  const alive = pods.map((bar) => bar.views.at(-1)?.view).filter((pod) => pod && !pod.gone && !ended(pod.phase));
  if (alive.some((pod) => pod?.phase === 'Running')) {
    return { state: 'running', facts: present(['Still running', `waiting for ${counted(alive.length, 'pod')} to finish`, ...facts]), decided: null };
  }
  const waits = (step: number) => plans.decisions(step).findLast(({ role }) => role === 'wait' || role === 'invalid');
  const syncs = plans.of('Job', job);
  const step = syncs.findLast((sync) => (alive.length > 0 ? plans.decisions(sync).some(({ minor }) => !minor) : waits(sync) !== undefined)) ?? syncs.at(-1);
  if (step === undefined) return { state: 'stuck', facts: present(['Stuck from the start', ...facts]), decided: null };
  const on = alive.length > 0 ? `${counted(alive.length, 'pod')} still Pending` : rendered(waits(step)?.parts ?? []);
  return { state: 'stuck', facts: present([`Stuck since ${time(story, step)}`, on, ...facts]), decided: { question: 'Why it is stuck', step } };
}

function cronJobVerdict(story: Story, plans: Plans, cronJob: CronJob): Verdict {
  const { views, runs, jobs } = cronJob;
  const deletion = views.find(({ view }) => view.deleting || view.gone);
  const deleted = deletion ? removal(story, deletion.step, views.at(-1)?.view) : null;
  const suspended = views.at(-1)?.view.suspend && !deleted ? suspension(story, views, plans.of('CronJob', cronJob)) : null;
  // A CronJob that waits with a run knows no next one.
  const waiting = !deleted && !suspended && runs.at(-1)?.job === null && nextRunAt(cronJob, Infinity) === null;
  const skipped = runs.filter((run) => run.job === null).slice(0, waiting ? -1 : undefined);
  const failed = jobs.filter((job) => job.finished?.succeeded === false);
  const started = failed.length > 0 ? `${failed.length} of ${counted(jobs.length, 'run')} failed` : `${counted(jobs.length, 'run')} started`;
  const facts = present([
    ...(deleted ? [deleted[0], started] : suspended ? [suspended[0], started] : [`${started} by ${story.clock.show(story.lastAt)}`]),
    skipped.length > 0 ? `${skipped.length} skipped` : '',
    waiting ? '1 waiting' : '',
  ]);
  const state = deleted ? 'deleted' : failed.length > 0 ? 'failed' : suspended ? 'suspended' : 'running';
  const passedOver = skipped[0] ? { question: `Why the run scheduled for ${story.clock.show(skipped[0].scheduledAt)} was skipped`, step: skipped[0].decided.step } : null;
  return { state, facts, decided: failed[0] ? failure(story, plans, failed[0]) : (passedOver ?? suspended?.[1] ?? deleted?.[1] ?? null) };
}

/** The step that decided that a run of a CronJob failed. */
function failure(story: Story, plans: Plans, job: RunJob): Decided {
  const end = job.finished?.step ?? job.created.step;
  const name = job.scheduledAt === null ? `Job ${job.name}` : `the run scheduled for ${story.clock.show(job.scheduledAt)}`;
  return { question: `Why ${name} failed`, step: ending(plans, job, job.created.step, end)?.step ?? end };
}

/** Since when an object is suspended, and what was decided then. */
function suspension(story: Story, views: Views<{ suspend: boolean }>, syncs: number[]): [string, Decided] {
  const from = views[views.findLastIndex(({ view }) => !view.suspend) + 1]?.step ?? 0;
  return [`Suspended since ${time(story, from)}`, { question: 'Why it is suspended', step: syncs.find((step) => step >= from) ?? from }];
}

/** When an object was deleted, and by what. */
function removal(story: Story, step: number, last: { gone: boolean } | undefined): [string, Decided] {
  return [`${last?.gone ? 'Deleted at' : 'Deletion started at'} ${time(story, step)}`, { question: 'Why it was deleted', step }];
}

/** What ended a Job between two steps, by the last decision about it. */
function ending(plans: Plans, job: Named, from: number, until: number): { step: number; verdict: string } | null {
  for (const step of plans.of('Job', job).toReversed()) {
    if (step < from) break;
    const verdict = step > until ? undefined : plans.decisions(step).find((decision) => decision.verdict !== undefined)?.verdict;
    if (verdict !== undefined) return { step, verdict };
  }
  return null;
}

/** The pods of each Job, by its key. */
function barsByJob(story: Story): Map<string, Bar[]> {
  const found = new Map<string, Bar[]>();
  for (const { namespace, job, bars } of story.bars.rows()) {
    const id = key({ namespace, name: job });
    const known = found.get(id);
    if (known) known.push(...bars);
    else found.set(id, [...bars]);
  }
  return found;
}

/** When a step was, in words. */
function time(story: Story, step: number): string {
  return story.clock.show(story.steps[step]?.at ?? 0);
}

function present(facts: string[]): string[] {
  return facts.filter((fact) => fact !== '');
}

/** The steps with decisions, by object. */
class Plans {
  private readonly byObject = new Map<string, number[]>();

  constructor(private readonly story: Story) {
    for (const [step, { kind, object }] of story.steps.entries()) {
      if (kind !== 'plan' || !object) continue;
      const id = `${object.kind} ${key(object)}`;
      const known = this.byObject.get(id);
      if (known) known.push(step);
      else this.byObject.set(id, [step]);
    }
  }

  /** All steps, in order. */
  of(kind: string, object: Named): number[] {
    return this.byObject.get(`${kind} ${key(object)}`) ?? [];
  }

  /** What was decided in a step. */
  decisions(step: number): DecisionEntry[] {
    return (this.story.steps[step]?.entries ?? []).filter((entry) => entry.type === 'decision');
  }
}

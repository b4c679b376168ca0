/** Steps for tests, with what matters in a test and nothing else. */
import { engine } from '../plugins/module.ts';
import type { Oracle } from '../src/client.ts';
import { Story } from '../src/model/story.ts';
import type { ClockUpdate, CronJobView, DecisionEntry, Finish, JobView, ObjectRef, PodView, Progress, Question, Questions, Step, Zone } from '../src/protocol.ts';

export function pod(name: string, changes: Partial<PodView> = {}): PodView {
  return {
    name, namespace: 'default', job: 'pi', index: null, attempt: 1, phase: 'Pending', ready: false, deleting: false, held: true, restarts: 0, exitCode: null, reason: '', gone: false, containers: [],
    ...changes,
  };
}

/** How a Job has finished. */
export function finish(succeeded: boolean, reason = ''): Finish {
  return { succeeded, reason, words: succeeded ? 'Complete' : `Failed (${reason})` };
}

/** A Job; it has finished if its conditions say so. */
export function job(changes: Partial<JobView> = {}): JobView {
  const end = changes.conditions?.find(({ type, status }) => status === 'True' && (type === 'Complete' || type === 'Failed'));
  return {
    finished: end ? finish(end.type === 'Complete', end.reason) : null, name: 'pi', namespace: 'default', cronJob: '', scheduledAt: null, completionMode: 'NonIndexed', completions: 1, suspend: false, active: 0, succeeded: 0, failed: 0, counting: { succeeded: 0, failed: 0 }, terminating: null,
    conditions: [], expires: false, deleting: false, gone: false, changes: [],
    ...changes,
  };
}

export function cronJob(changes: Partial<CronJobView> = {}): CronJobView {
  return {
    name: 'hello', namespace: 'default', schedule: '* * * * *', timeZone: null, zone: 'UTC', concurrencyPolicy: 'Allow', suspend: false, active: [], lastScheduleTime: null, lastSuccessfulTime: null, clockChanges: [],
    deleting: false, gone: false, changes: [],
    ...changes,
  };
}

export function step(at: number, changes: Partial<Step> = {}): Step {
  return { at, kind: 'change', entries: [], pods: [], jobs: [], cronJobs: [], ...changes };
}

/** A Job, as decisions and plans are about it. */
export function about(name: string, namespace = 'default'): ObjectRef {
  return { kind: 'Job', namespace, name };
}

export function decision(sentence: string, changes: Partial<DecisionEntry> = {}): DecisionEntry {
  return {
    type: 'decision', text: sentence, named: '', frame: ['', ''], about: about('pi'), code: 'Creates', heading: 'Controlling parallelism', url: '', rule: 'J-83', fields: [], role: 'action', parts: [sentence], values: {}, minor: false,
    ...changes,
  };
}

/** What a step with a CronJob of a time zone brings for the clock: the module's answer. */
export function clockUpdate(zone: string, schedule = '@daily'): ClockUpdate {
  const job = 'jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: main, image: i }] } } } }';
  const manifest = `{ apiVersion: batch/v1, kind: CronJob, metadata: { name: hello }, spec: { schedule: "${schedule}", timeZone: ${zone}, ${job} } }`;
  const [play, { open, close }] = [-1, engine()];
  const opened = open({ play, size: 1, runs: 0, until: 0, manifest, script: '' });
  if ('problems' in opened) throw new Error(opened.problems[0]?.message);
  close({ play });
  const { steps } = JSON.parse(opened.progress) as Progress;
  return steps.find((one) => one.clock)?.clock ?? { zones: [] };
}

/** A time zone as the module sends it. */
export function zone(name: string): Zone {
  return clockUpdate(name).zones[0] ?? { name, offset: 0, changes: [] };
}

/** A step in which the Job controller synced a Job. */
export function plan(at: number, job: ObjectRef, ...entries: Step['entries']): Step {
  return step(at, { kind: 'plan', controller: 'job', object: job, entries });
}

/** When sessions begin. */
export const START = '2026-01-01T00:00:00Z';

/** What was played: to its end. */
export function progress(steps: Step[], changes: Partial<Progress> = {}): Progress {
  return { start: START, steps, outcomes: [], ended: true, paused: false, ...changes };
}

/** A play that has come to its end. */
export function played(...steps: Step[]): Story {
  const story = new Story();
  story.add(progress(steps));
  return story;
}


/** What the worker would answer. */
export const module: Oracle = {
  call: async (name, input) => {
    // Each question has the input of its name.
    const answers = engine() as Record<Question, (input: unknown) => unknown>;
    return answers[name](input) as Questions[typeof name]['answer'];
  },
};

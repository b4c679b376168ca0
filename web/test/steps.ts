/** Steps for tests, with what matters in a test and nothing else. */
import type { DecisionEntry, JobView, ObjectRef, PodView, Step } from '../src/protocol.ts';

export function pod(name: string, changes: Partial<PodView> = {}): PodView {
  return {
    name, namespace: 'default', job: 'pi', index: null, attempt: 1, phase: 'Pending', ready: false, deleting: false, held: true, restarts: 0, exitCode: null, reason: '', gone: false, containers: [],
    ...changes,
  };
}

export function job(changes: Partial<JobView> = {}): JobView {
  return {
    name: 'pi', namespace: 'default', completionMode: 'NonIndexed', completions: 1, parallelism: 1, backoffLimit: 6, suspend: false, active: 0, ready: 0, succeeded: 0, failed: 0, terminating: null,
    completedIndexes: '', failedIndexes: '', conditions: [], deleting: false, gone: false, changes: [],
    ...changes,
  };
}

export function step(at: number, changes: Partial<Step> = {}): Step {
  return { at, kind: 'change', entries: [], pods: [], jobs: [], ...changes };
}

/** A Job, as decisions and plans are about it. */
export function about(name: string, namespace = 'default'): ObjectRef {
  return { kind: 'Job', namespace, name };
}

export function decision(sentence: string, changes: Partial<DecisionEntry> = {}): DecisionEntry {
  return {
    at: time(0), type: 'decision', about: about('pi'), code: 'Creates', page: 'Jobs', heading: 'Controlling parallelism', url: '', rule: 'J-83', fields: [], role: 'action', sentence, parts: [sentence],
    values: {}, minor: false, ...changes,
  };
}

/** A step in which the Job controller looked at a Job. */
export function plan(at: number, job: ObjectRef, ...entries: Step['entries']): Step {
  return step(at, { kind: 'plan', controller: 'job', object: job, entries });
}

/** When sessions begin. */
export const START = '2026-01-01T00:00:00Z';

/** A time as the API writes it. */
export function time(milliseconds: number): string {
  return new Date(Date.parse(START) + milliseconds).toISOString();
}

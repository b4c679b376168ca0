/** Steps for tests, with what matters in a test and nothing else. */
import type { DecisionEntry, JobView, PodView, Step } from '../src/protocol.ts';

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

export function decision(sentence: string, changes: Partial<DecisionEntry> = {}): DecisionEntry {
  return { at: time(0), type: 'decision', about: 'pi', code: 'Creates', acts: true, page: 'Jobs', heading: 'Controlling parallelism', rule: 'J-83', fields: [], sentence, values: {}, minor: false, ...changes };
}

/** When sessions begin. */
export const START = '2026-01-01T00:00:00Z';

/** A time as the API writes it. */
export function time(milliseconds: number): string {
  return new Date(Date.parse(START) + milliseconds).toISOString();
}

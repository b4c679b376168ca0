/** What `kubectl get jobs,pods -o json` had of Jobs of a cluster, for tests of pastes. */

const UID = '7a1f0c9e-3b52-4a0e-9a44-0d3f7e1c5b21';
const CRON_JOB = '0b6b7c52-65a0-4f3f-8c7e-9f3c2f1d7a10';
export const NIGHTLY = 'nightly-29668920';

type Value = Record<string, unknown>;

/** A time in the hour in which all happened. */
const at = (minuteAndSecond: string): string => `2026-11-25T01:${minuteAndSecond}Z`;

const template = {
  restartPolicy: 'Never', dnsPolicy: 'ClusterFirst', schedulerName: 'default-scheduler', securityContext: {}, terminationGracePeriodSeconds: 30,
  containers: [{ name: 'report', image: 'registry.example.com/report:1.4', imagePullPolicy: 'IfNotPresent', resources: {}, terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' }],
};

/** The CronJob whose run failed, or another one of this name. */
export function cronJob(spec: Value = {}): Value {
  return {
    apiVersion: 'batch/v1', kind: 'CronJob',
    metadata: { name: 'nightly', namespace: 'reports', uid: CRON_JOB, creationTimestamp: '2026-10-01T09:00:00Z' },
    spec: { schedule: '0 2 * * *', timeZone: 'Europe/Berlin', jobTemplate: { spec: { template: { spec: template } } }, ...spec },
    status: { lastScheduleTime: at('00:00') },
  };
}

/** A Job of the CronJob, with these fields of its spec and its status. */
export function job(spec: Value, status: Value, metadata: Value = {}): Value {
  const labels = { 'batch.kubernetes.io/controller-uid': UID, 'controller-uid': UID, 'batch.kubernetes.io/job-name': NIGHTLY, 'job-name': NIGHTLY };
  return {
    apiVersion: 'batch/v1', kind: 'Job',
    metadata: {
      name: NIGHTLY, namespace: 'reports', uid: UID, generation: 1, creationTimestamp: at('00:00'), labels,
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid: CRON_JOB, controller: true }], ...metadata,
    },
    spec: { backoffLimit: 2, completionMode: 'NonIndexed', completions: 1, parallelism: 1, podReplacementPolicy: 'TerminatingOrFailed', suspend: false, template: { metadata: { labels }, spec: template }, selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': UID } }, ...spec },
    status: { startTime: at('00:00'), ...status },
  };
}

/** A pod of the Job, without its status. */
function pod(end: string, created: string, metadata: Value = {}): Value {
  return {
    apiVersion: 'v1', kind: 'Pod',
    metadata: {
      name: `${NIGHTLY}-${end}`, generateName: `${NIGHTLY}-`, namespace: 'reports', uid: `uid-${end}`, creationTimestamp: at(created),
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: NIGHTLY, uid: UID, controller: true, blockOwnerDeletion: true }],
      labels: { 'batch.kubernetes.io/controller-uid': UID, 'batch.kubernetes.io/job-name': NIGHTLY }, ...metadata,
    },
    spec: { ...template, nodeName: 'worker-2' },
  };
}

const condition = (type: string, status: string, time: string, more: Value = {}): Value => ({ type, status, lastTransitionTime: at(time), ...more });

/** A pod that failed. */
export function failed(end: string, [created, started, finished, reported]: [string, string, string, string], exitCode: number, reason: string): Value {
  const terminated = { exitCode, reason, startedAt: at(started), finishedAt: at(finished) };
  const status = {
    phase: 'Failed', startTime: at(created), conditions: [condition('Ready', 'False', reported), condition('PodScheduled', 'True', created)],
    containerStatuses: [{ name: 'report', restartCount: 0, ready: false, state: { terminated } }],
  };
  return { ...pod(end, created), status };
}

export const PODS = [
  failed('4x7kd', ['00:00', '00:02', '01:41', '01:42'], 1, 'Error'),
  failed('9qzvt', ['01:53', '01:54', '03:20', '03:21'], 1, 'Error'),
  failed('mw2hb', ['03:42', '03:43', '07:10', '07:12'], 137, 'OOMKilled'),
];

const ended = (kind: string): Value => condition(kind, 'True', '07:13', { reason: 'BackoffLimitExceeded' });

/** The Job that failed last night. */
export const FAILED = job({}, { failed: 3, conditions: [ended('FailureTarget'), ended('Failed')] });

/** A Job that hangs, because its pod lacks a Secret, and the pod. */
export const HANGING = [
  job({}, { active: 1, ready: 0, terminating: 0 }),
  {
    ...pod('4x7kd', '00:00', { finalizers: ['batch.kubernetes.io/job-tracking'] }),
    status: {
      phase: 'Pending', startTime: at('00:00'), conditions: [condition('PodScheduled', 'True', '00:00'), condition('Ready', 'False', '00:01', { reason: 'ContainersNotReady' })],
      containerStatuses: [{ name: 'report', restartCount: 0, ready: false, state: { waiting: { reason: 'CreateContainerConfigError', message: 'secret "smtp" not found' } } }],
    },
  },
];

/** Another Job, which is Complete. */
export function complete(name: string): Value {
  const done = condition('Complete', 'True', '00:05', { reason: 'CompletionsReached' });
  return job({}, { succeeded: 1, completionTime: at('00:05'), conditions: [done] }, { name, uid: `00000000-0000-0000-0000-${name.padStart(12, '0').slice(-12)}`, ownerReferences: [] });
}

/** The run of the CronJob of the day before, which started three minutes late and is Complete. */
export const YESTERDAY = ((): Value => {
  const time = (minuteAndSecond: string): string => `2026-11-24T01:${minuteAndSecond}Z`;
  const done = { type: 'Complete', status: 'True', lastTransitionTime: time('03:41'), reason: 'CompletionsReached' };
  const metadata = { name: 'nightly-29667480', uid: '7a1f0c9e-3b52-4a0e-9a44-0d3f7e1c5b20', creationTimestamp: time('03:00'), annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-11-24T02:00:00+01:00' } };
  return job({}, { startTime: time('03:00'), succeeded: 1, completionTime: time('03:41'), conditions: [done] }, metadata);
})();

/** Objects as they are pasted. */
export function dump(...items: unknown[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2);
}

/** Objects and components that tests and measurements share. */
import { fileURLToPath } from 'node:url';
import { Controllers } from '@jobsmith/controllers';

const labels = {
  'batch.kubernetes.io/controller-uid': 'u1',
  'batch.kubernetes.io/job-name': 'pi',
  'controller-uid': 'u1',
  'job-name': 'pi',
};
const container = { name: 'pi', image: 'docker.io/library/perl:5.34.0', command: ['perl', '-Mbignum=bpi', '-wle', 'print bpi(2000)'] };

/** A Job as the API server stores it. */
export const JOB = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: {
    name: 'pi',
    namespace: 'default',
    uid: 'u1',
    resourceVersion: '10',
    generation: 1,
    creationTimestamp: '2026-01-02T03:04:05Z',
  },
  spec: {
    parallelism: 2,
    completions: 3,
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    podReplacementPolicy: 'TerminatingOrFailed',
    suspend: false,
    selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u1' } },
    template: { metadata: { labels }, spec: { restartPolicy: 'Never', containers: [container] } },
  },
  status: {},
};

/** A pod of this Job, of 1.6 kB in JSON. */
export const POD = {
  metadata: {
    name: 'pi-x7k2p',
    namespace: 'default',
    uid: 'p1',
    resourceVersion: '11',
    creationTimestamp: '2026-01-02T03:04:06Z',
    labels,
    ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'pi', uid: 'u1', controller: true, blockOwnerDeletion: true }],
    finalizers: ['batch.kubernetes.io/job-tracking'],
  },
  spec: {
    containers: [{ ...container, resources: {}, terminationMessagePath: '/dev/termination-log', imagePullPolicy: 'IfNotPresent' }],
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    serviceAccountName: 'default',
    nodeName: 'node-1',
    securityContext: {},
    schedulerName: 'default-scheduler',
    priority: 0,
    enableServiceLinks: true,
    tolerations: ['not-ready', 'unreachable'].map((reason) => ({
      key: `node.kubernetes.io/${reason}`,
      operator: 'Exists',
      tolerationSeconds: 300,
    })),
  },
  status: {
    phase: 'Running',
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({ type, status: 'True', lastProbeTime: null })),
    hostIP: '172.18.0.2',
    podIP: '10.244.0.7',
    startTime: '2026-01-02T03:04:06Z',
    containerStatuses: [
      { name: 'pi', state: { running: { startedAt: '2026-01-02T03:04:07Z' } }, ready: true, restartCount: 0, started: true },
    ],
    qosClass: 'BestEffort',
  },
};

/** The file of a component that `cargo xtask component` made. */
export function component(name) {
  return fileURLToPath(new URL(`../../../target/component/${name}.wasm`, import.meta.url));
}

/** Controllers that have been handed lists, with these Jobs. */
export async function listed(jobs, now, component) {
  const controllers = await Controllers.create({}, { component });
  for (const resource of controllers.resources()) {
    controllers.listed(resource, resource.kind === 'Job' ? jobs : [], '1', { now });
  }
  return controllers;
}

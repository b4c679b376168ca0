/**
 * A cluster in memory whose pods end at once, for the tests of the loop.
 *
 * Docs: what its objects do is in `store.mjs`.
 */
import { Store, admitJob, seconds } from './store.mjs';

/** A cluster in memory. */
export class MemoryCluster {
  stores = { jobs: new Store(admitJob), cronjobs: new Store(), pods: new Store(), events: new Store() };
  /** All requests that were sent. */
  sent = [];
  #exitCode;

  /** `exitCode` says with which one a pod ends; `undefined`: it does not end. */
  constructor(exitCode = () => 0) {
    this.#exitCode = exitCode;
  }

  async list({ plural }) {
    return this.stores[plural].list();
  }

  watch({ plural }, resourceVersion, signal) {
    return this.stores[plural].watch(resourceVersion, signal);
  }

  async send(command) {
    this.sent.push(command);
    const plural = command.path.match(/namespaces\/[^/]+\/([^/]+)/)[1];
    const outcome = this.stores[plural].answer(command);
    if (plural === 'pods' && command.method === 'post' && outcome.tag === 'done') {
      setTimeout(() => this.#end(outcome.val.name));
    }
    return outcome;
  }

  /** Creates a Job, and returns its condition `Complete` or `Failed` once it has one. */
  async run(job, signal) {
    const { val } = this.stores.jobs.create(job);
    for await (const { object } of this.stores.jobs.watch('0', signal)) {
      const ended = object.metadata.uid === val.uid && object.status?.conditions?.find(({ type }) => ['Complete', 'Failed'].includes(type));
      if (ended) {
        return { ...ended, status: object.status };
      }
    }
    throw new Error('the Job has not finished in time');
  }

  #end(name) {
    const pod = this.stores.pods.objects.get(`default/${name}`);
    const exitCode = this.#exitCode(pod);
    if (pod && exitCode !== undefined) {
      const terminated = { exitCode, startedAt: seconds(), finishedAt: seconds() };
      const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
      this.stores.pods.update(pod, { status: { phase, containerStatuses: [{ name: 'c', state: { terminated } }] } });
    }
  }
}

/** A Job for this cluster. */
export function job(name, spec = {}) {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'c' }] } };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, namespace: 'default' }, spec: { template, ...spec } };
}

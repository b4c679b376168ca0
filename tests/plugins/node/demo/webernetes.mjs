/**
 * A webernetes cluster as the loop sees it: pods and Events are webernetes' own, Jobs and CronJobs, which it does not have, are kept beside it.
 *
 * Docs: https://github.com/ngrok/webernetes; `Cluster` of `@jobsmith/controllers`.
 */
import { Watch, setHeaderOptions } from '@ngrok/webernetes';
import { contentType, outcome } from '@jobsmith/controllers';
import { Store, admitJob } from '../store.mjs';

/** A cluster for the loop. */
export class WebernetesCluster {
  jobs = new Store(admitJob);
  cronjobs = new Store();
  #cluster;
  #api;

  /** The cluster must have been initialized. */
  constructor(cluster) {
    this.#cluster = cluster;
    this.#api = cluster.api.corev1;
  }

  async list({ plural }) {
    return plural === 'pods' ? this.#api.listPodForAllNamespaces() : this[plural].list();
  }

  watch({ plural }, resourceVersion, signal) {
    return plural === 'pods' ? this.#watchPods(resourceVersion, signal) : this[plural].watch(resourceVersion, signal);
  }

  async send(command) {
    const [, namespace, plural, name] = command.path.match(/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+))?/);
    if (this[plural]) {
      return this[plural].answer(command);
    }
    try {
      return outcome(200, await this.#answer(plural, namespace, name, command));
    } catch (error) {
      const { code = 500, name: reason, message } = error;
      return outcome(code, { reason, message });
    }
  }

  async *#watchPods(resourceVersion, signal) {
    const events = [];
    let changed = () => {};
    const push = (event) => {
      events.push(event);
      changed();
    };
    const found = (type, object) => push({ type, object });
    const ended = (error) => push({ type: 'ERROR', object: { message: String(error) } });
    const watch = await new Watch(this.#cluster.kubeConfig).watch('/api/v1/pods', { resourceVersion }, found, ended);
    signal.addEventListener('abort', () => watch.abort());
    for (;;) {
      yield* events.splice(0);
      await new Promise((resolve) => (changed = resolve));
    }
  }

  #answer(plural, namespace, name, command) {
    const body = command.body && JSON.parse(command.body);
    switch (`${command.method} ${plural}`) {
      case 'post events':
        return this.#api.createNamespacedEvent({ namespace, body });
      case 'post pods':
        return this.#api.createNamespacedPod({ namespace, body });
      case 'patch pods':
        return this.#api.patchNamespacedPod({ namespace, name, body }, setHeaderOptions('Content-Type', contentType(command)));
      case 'delete pods':
        return this.#api.deleteNamespacedPod({ namespace, name });
    }
    throw new Error(`${command.method} ${command.path} is not expected`);
  }
}

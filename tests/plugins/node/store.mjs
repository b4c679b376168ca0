/**
 * The objects of one resource in memory, answered for as an API server does: versions rise, finalizers hold deletions up, and watches see each change.
 *
 * Docs: Kubernetes API Concepts, "Resource versions"; Finalizers. It knows the requests that the controllers send, and no more.
 */
import { outcome } from '@jobsmith/controllers';

const REMOVED_FINALIZERS = '$deleteFromPrimitiveList/finalizers';

/** The objects of one resource. */
export class Store {
  /** The objects by `namespace/name`. */
  objects = new Map();
  #admit;
  #version = 1;
  /** All changes, as watches send them. */
  #changes = [];
  #changed = deferred();

  /** `admit` completes an object that is created. */
  constructor(admit = () => {}) {
    this.#admit = admit;
  }

  /** All objects, as a list. */
  list() {
    return { metadata: { resourceVersion: String(this.#version) }, items: structuredClone([...this.objects.values()]) };
  }

  /** Each change after a resource version, until the signal is aborted. */
  async *watch(resourceVersion, signal) {
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
    let next = this.#changes.findIndex(({ object }) => Number(object.metadata.resourceVersion) > Number(resourceVersion));
    next = next < 0 ? this.#changes.length : next;
    while (!signal.aborted) {
      yield* this.#changes.slice(next);
      next = this.#changes.length;
      await Promise.race([this.#changed.promise, aborted]);
    }
  }

  /** What comes of a request. */
  answer({ method, path, body }) {
    const [, namespace, , name, subresource] = path.match(/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/);
    const known = this.objects.get(`${namespace}/${name}`);
    const sent = body && JSON.parse(body);
    if (method === 'post') {
      return this.create({ ...sent, metadata: { namespace, ...sent.metadata } });
    }
    if (!known || (sent.preconditions?.uid ?? known.metadata.uid) !== known.metadata.uid) {
      return refused(404, 'NotFound');
    }
    switch (method) {
      case 'get':
        return outcome(200, known);
      case 'put':
        if (sent.metadata.resourceVersion !== known.metadata.resourceVersion) {
          return refused(409, 'Conflict');
        }
        return this.update(known, subresource ? { status: sent.status } : { ...sent, status: known.status });
      case 'patch':
        return this.#patch(known, sent.metadata[REMOVED_FINALIZERS]);
      case 'delete':
        return this.#delete(known);
    }
  }

  /** Creates an object. */
  create(object) {
    const { generateName, ...metadata } = object.metadata;
    metadata.name ??= generateName + crypto.randomUUID().slice(0, 5);
    metadata.namespace ??= 'default';
    metadata.uid = crypto.randomUUID();
    metadata.generation = 1;
    metadata.creationTimestamp = seconds();
    if (this.objects.has(key({ metadata }))) {
      return refused(409, 'AlreadyExists');
    }
    const created = { ...object, metadata };
    this.#admit(created);
    return this.#record('ADDED', created);
  }

  /** Changes an object. */
  update(object, changes) {
    return this.#record('MODIFIED', { ...object, ...changes, metadata: { ...object.metadata, ...changes.metadata } });
  }

  #patch(object, removed) {
    const finalizers = object.metadata.finalizers?.filter((finalizer) => !removed.includes(finalizer)) ?? [];
    const changed = { ...object, metadata: { ...object.metadata, finalizers } };
    return this.#record(object.metadata.deletionTimestamp && finalizers.length === 0 ? 'DELETED' : 'MODIFIED', changed);
  }

  #delete(object) {
    const metadata = { ...object.metadata, deletionTimestamp: seconds() };
    return this.#record(metadata.finalizers?.length ? 'MODIFIED' : 'DELETED', { ...object, metadata });
  }

  #record(type, object) {
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } };
    if (type === 'DELETED') {
      this.objects.delete(key(stored));
    } else {
      this.objects.set(key(stored), stored);
    }
    this.#changes.push({ type, object: structuredClone(stored) });
    this.#changed.resolve();
    this.#changed = deferred();
    return outcome(200, stored);
  }
}

/** Completes a Job as the API server does. */
export function admitJob(job) {
  const { uid, name } = job.metadata;
  const labels = { 'batch.kubernetes.io/controller-uid': uid, 'batch.kubernetes.io/job-name': name };
  const { template, ...spec } = job.spec;
  job.spec = {
    parallelism: 1,
    completions: 1,
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    podReplacementPolicy: 'TerminatingOrFailed',
    suspend: false,
    selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
    ...spec,
    template: { ...template, metadata: { ...template.metadata, labels: { ...template.metadata?.labels, ...labels } } },
  };
}

/** The present, as Kubernetes writes it. */
export function seconds() {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}

function refused(status, reason) {
  return outcome(status, { reason, message: reason });
}

function key({ metadata: { namespace, name } }) {
  return `${namespace}/${name}`;
}

function deferred() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}

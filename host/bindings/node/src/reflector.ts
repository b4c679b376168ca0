/**
 * Hands over all that a cluster stores of a resource: a list first, then each change, again and again.
 *
 * Docs: Kubernetes API Concepts, "Efficient detection of changes", "410 Gone responses".
 */
import type { Cluster } from './cluster.js';
import { text } from './json.js';
import { sleep } from './sleep.js';
import type { ApiResource, Event, Part } from './types.js';

/** How long to wait after a watch has ended, in milliseconds. */
const PAUSE = 1000;

/** What takes what a reflector finds. */
export interface Sink {
  /** Takes an event. */
  take(event: Event): void;
  /** Takes the reason why the resource could not be listed or watched for a moment. */
  interrupted(error: Error): void;
  /** Is called whenever the resource has been listed. */
  listed(): void;
}

/** Lists and watches a resource until the signal is aborted. */
export async function reflect(cluster: Cluster, resource: ApiResource, sink: Sink, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const resourceVersion = await list(cluster, resource, sink, signal);
      sink.listed();
      await watch(cluster, resource, resourceVersion, sink, signal);
    } catch (cause) {
      if (!signal.aborted) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        sink.interrupted(new Error(`the watch of ${resource.plural} was interrupted: ${reason}`, { cause }));
      }
    }
    await sleep(PAUSE, signal);
  }
}

/** Hands over a list, page by page, and returns its resource version. */
async function list(cluster: Cluster, resource: ApiResource, sink: Sink, signal: AbortSignal): Promise<string> {
  let page = '';
  for (;;) {
    const { metadata, items } = await cluster.list(resource, page, signal);
    signal.throwIfAborted();
    const next = metadata?.continue ?? '';
    const resourceVersion = metadata?.resourceVersion ?? '';
    const part: Part = page ? (next ? 'middle' : 'last') : next ? 'first' : 'whole';
    sink.take({ tag: 'listed', val: { kind: resource.kind, part, resourceVersion, objects: items.map(text) } });
    if (!next) {
      return resourceVersion;
    }
    page = next;
  }
}

/** Hands over each change until the watch ends. */
async function watch(cluster: Cluster, resource: ApiResource, version: string, sink: Sink, signal: AbortSignal): Promise<void> {
  const { kind } = resource;
  for await (const { type, object } of cluster.watch(resource, version, signal)) {
    signal.throwIfAborted();
    switch (type) {
      case 'ADDED':
      case 'MODIFIED':
        sink.take({ tag: 'changed', val: { tag: 'applied', val: { kind, json: text(object) } } });
        break;
      case 'DELETED':
        sink.take({ tag: 'changed', val: { tag: 'deleted', val: { kind, json: text(object) } } });
        break;
      case 'BOOKMARK':
        break;
      case 'ERROR':
        throw new Error(text(object));
    }
  }
}

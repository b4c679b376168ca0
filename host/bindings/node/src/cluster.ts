/**
 * What a `Loop` needs of an API server, in the shapes of Kubernetes' API.
 *
 * Docs: Kubernetes API Concepts, "Efficient detection of changes", "Retrieving large results sets in chunks".
 */
import type { KubernetesObject } from './json.js';
import type { ApiError, ApiResource, Cause, Command, Outcome } from './types.js';

/** A cluster. Calls overlap; what it throws or rejects with goes to `onError`, and the loop tries again. */
export interface Cluster {
  /**
   * Lists the objects of a resource, or a page of them.
   *
   * @param page - Empty for the first page; then the `metadata.continue` of the page before.
   */
  list(resource: ApiResource, page: string, signal: AbortSignal): Promise<List>;
  /** Watches a resource from a resource version on. When it ends, the loop lists again. */
  watch(resource: ApiResource, resourceVersion: string, signal: AbortSignal): AsyncIterable<WatchEvent>;
  /** Sends a request, with the `Content-Type` that it names. `outcome` makes an outcome of the server's answer. */
  send(command: Command): Promise<Outcome>;
}

/** A list as the API server returns it: a `PodList`, for example. */
export interface List {
  metadata?: { resourceVersion?: string | undefined; continue?: string | undefined } | undefined;
  items: KubernetesObject[];
}

/** An event of a watch as the API server sends it. */
export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: KubernetesObject;
}

/** The value of the header `Content-Type` that a command is to be sent with. */
export function contentType({ contentType }: Command): string {
  return `application/${contentType === 'json' ? '' : `${contentType}+`}json`;
}

/** What came of a command that the server answered: its status, and the object or `Status` in its body. */
export function outcome(status: number, body: KubernetesObject = ''): Outcome {
  const answer = parsed(body);
  if (status >= 300) {
    return { tag: 'failed', val: refusal(status, answer) };
  }
  const { name = '', uid = '', resourceVersion = '', deletionTimestamp } = answer.metadata ?? {};
  return { tag: 'done', val: { name, uid, resourceVersion, deleting: Boolean(deletionTimestamp) } };
}

/** The outcome of a command without a response: it is unknown whether it took effect. */
export function unanswered(error: unknown): Outcome {
  return { tag: 'failed', val: { code: 0, reason: '', message: String(error), causes: [] } };
}

/** What matters of an answer. */
interface Answer {
  metadata?: { name?: string; uid?: string; resourceVersion?: string; deletionTimestamp?: unknown };
  reason?: string;
  message?: string;
  details?: { causes?: Partial<Cause>[] };
}

function refusal(code: number, { reason = '', message = '', details }: Answer): ApiError {
  const causes = (details?.causes ?? []).map(({ reason = '', field = '', message = '' }) => ({ reason, field, message }));
  return { code, reason, message, causes };
}

/** The fields of a response body; none if it is not JSON. */
function parsed(body: KubernetesObject): Answer {
  if (typeof body !== 'string') {
    return body;
  }
  try {
    return JSON.parse(body) ?? {};
  } catch {
    return {};
  }
}

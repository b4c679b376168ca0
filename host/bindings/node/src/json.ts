/** Objects of Kubernetes as JSON text. */
import { UsageError } from './errors.js';

/** An object of Kubernetes: the JSON text that the API server sent, or the object itself. */
export type KubernetesObject = string | object;

/**
 * An object as JSON text: text is passed on as it is.
 *
 * @throws {@link UsageError} if JSON has no form for it.
 */
export function text(object: KubernetesObject): string {
  if (typeof object === 'string') {
    return object;
  }
  try {
    return JSON.stringify(object, refuse);
  } catch (error) {
    if (error instanceof TypeError) {
      throw new UsageError(`the object cannot be written as JSON: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

function refuse(key: string, value: unknown): unknown {
  if (typeof value === 'bigint') {
    throw new UsageError(`the object has a bigint at "${key}", for which JSON has no form: pass a number, or the object as JSON text`);
  }
  return value;
}

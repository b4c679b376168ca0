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

/**
 * The elements of an argument.
 *
 * @throws A `TypeError` if it is text, or cannot be iterated over.
 */
export function elements<T>(name: string, values: Iterable<T>): T[] {
  if (typeof values === 'string' || !values?.[Symbol.iterator]) {
    const items = Object.hasOwn(Object(values), 'items') ? '; pass its `items`' : '';
    throw new TypeError(`${name}: expected an array, received ${shown(values)}${items}`);
  }
  return [...values];
}

/** A value as messages about its type show it. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value.slice(0, 40)}'` : Object(value) === value ? 'an object' : String(value);
}

function refuse(key: string, value: unknown): unknown {
  if (typeof value === 'bigint') {
    throw new UsageError(`the object has a bigint at "${key}", for which JSON has no form: pass a number, or the object as JSON text`);
  }
  return value;
}

/** What joins the reasons and the editor: the field that is to be shown, and the fields that the pointer is on, on either side. */
import { createSignal } from 'solid-js';

import { key } from '../model/names.ts';
import type { ObjectRef } from '../protocol.ts';

/** A field of an object's manifest. */
export interface Field {
  path: string;
  object: ObjectRef;
}

/** The field that is to be shown; a new value each time, so that the same field can be shown twice. */
export const [shownField, showField] = createSignal<Field | null>(null);

/** The field under the pointer in the editor. */
export const [pointed, point] = createSignal<Field | null>(null, { equals: (before, after) => before?.path === after?.path && named(before?.object) === named(after?.object) });

/** The fields behind the decision under the pointer. A step that replaces an empty list with another notifies nobody. */
export const [reasons, setReasons] = createSignal<Field[]>([], { equals: (before, after) => before.length === 0 && after.length === 0 });

function named(object: ObjectRef | undefined): string {
  return object ? `${object.kind} ${key(object)}` : '';
}

/** Whether two fields have to do with one another: one holds the other. An object without a name of its own is any of its kind. */
export function touch(one: Field, other: Field): boolean {
  const sameObject = one.object.kind === other.object.kind && (other.object.name === '' || key(one.object) === key(other.object));
  return sameObject && (holds(one.path, other.path) || holds(other.path, one.path));
}

function holds(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`) || inner.startsWith(`${outer}:`);
}

/** What joins the reasons and the editor: the field that is to be shown, and the field in whose line the pointer is. */
import { createSignal } from 'solid-js';

import { TEMPLATE } from '../model/runs.ts';
import type { ObjectRef } from '../protocol.ts';

/** A field of an object's manifest; a new value each time, so that the same field can be shown twice. */
export interface Field {
  path: string;
  object: ObjectRef;
}

export const [shownField, showField] = createSignal<Field | null>(null);

/** The path of the field over which the pointer is in the editor. */
export const [pointed, point] = createSignal<string | null>(null);

/** Whether a decision that rests on a field has to do with another, which may be that of a CronJob's template: one holds the other. */
export function touches(field: string, path: string): boolean {
  const other = path.startsWith(TEMPLATE) ? path.slice(TEMPLATE.length) : path;
  return field === other || field.startsWith(`${other}.`) || other.startsWith(`${field}.`) || other.startsWith(`${field}[`);
}

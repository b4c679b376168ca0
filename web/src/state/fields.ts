/** What joins the reasons and the editor: the field that is to be shown, and the field in whose line the pointer is. */
import { createSignal } from 'solid-js';

import type { Named } from '../model/names.ts';

/** A field of a Job's manifest; a new value each time, so that the same field can be shown twice. */
export interface Field {
  path: string;
  job: Named;
}

export const [shownField, showField] = createSignal<Field | null>(null);

/** The path of the field over which the pointer is in the editor. */
export const [pointed, point] = createSignal<string | null>(null);

/** Whether a decision that rests on a field has to do with another: one holds the other. */
export function touches(field: string, other: string): boolean {
  return field === other || field.startsWith(`${other}.`) || other.startsWith(`${field}.`) || other.startsWith(`${field}[`);
}

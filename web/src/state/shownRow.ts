/** The row of the timeline that is to be scrolled into view. */
import { createSignal } from 'solid-js';

/** Its key; a new value each time, so that the same row can be shown twice. */
export const [shownRow, showRow] = createSignal<string | null>(null, { equals: false });

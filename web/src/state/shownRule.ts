/** The rule whose page is shown over the playground. */
import { createSignal } from 'solid-js';

import type { Severity } from '../protocol.ts';

/** A rule as something was found by it. */
export interface FoundBy {
  /** As in `logs-lost`. */
  rule: string;
  /** How bad that is. */
  severity: Severity;
}

export const [shownRule, showRule] = createSignal<FoundBy | null>(null);

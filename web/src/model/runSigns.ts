/** The signs of the outcomes of runs. */
import type { RunOutcome } from '../protocol.ts';

/** In the order in which outcomes are listed. */
export const RUN_SIGNS: Record<RunOutcome, string> = { succeeded: '✓', failed: '✗', replaced: '⇄', deleted: '✕', skipped: '⊘', waiting: '○', running: '▸' };

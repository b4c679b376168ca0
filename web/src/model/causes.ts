/** What ended a Job in a few words, by the decision that ended it. */
import type { DecisionEntry } from '../protocol.ts';
import { spoken } from './time.ts';
import { counted } from './words.ts';

type Values = DecisionEntry['values'];

/** By the codes of the decisions after which a Job succeeds or fails. */
const CAUSES: Record<string, (values: Values) => string> = {
  PodFailurePolicyMatched: ({ rule }) => `rule ${rule} of podFailurePolicy matched`,
  BackoffLimitExceeded: ({ limit }) => `backoffLimit ${limit} exceeded`,
  RestartLimitReached: ({ limit, restarts }) => `backoffLimit ${limit} reached by ${counted(Number(restarts), 'restart')}`,
  DeadlineExceeded: ({ deadline }) => `activeDeadlineSeconds (${spoken(Number(deadline))}) exceeded`,
  MaxFailedIndexesExceeded: ({ limit }) => `maxFailedIndexes ${limit} exceeded`,
  FailedIndexes: ({ failed, succeeded }) => `${failed} of ${Number(failed) + Number(succeeded)} indexes failed`,
  SuccessPolicyMet: ({ rule }) => `rule ${rule} of successPolicy met`,
  CompletionsReached: ({ succeeded, completions }) => (completions === undefined ? `${succeeded} succeeded` : `${succeeded}/${completions} succeeded`),
};

/** What ended the Job, if it is this decision that did. */
export function cause({ code, values }: DecisionEntry): string | null {
  return CAUSES[code]?.(values) ?? null;
}

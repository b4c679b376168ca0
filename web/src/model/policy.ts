/** What the cases of a pod failure policy show: which rule matched in each, and which matched in none. */
import type { FailurePolicy, PolicyTrial } from '../protocol.ts';

/** The field of a rule, as decisions that rest on it name it. */
export function ruleField(rule: number): string {
  return `spec.podFailurePolicy.rules[${rule}]`;
}

/** A rule as it is called in sentences. */
export function ruleName({ actions }: Pick<FailurePolicy, 'actions'>, rule: number): string {
  return `rule ${rule} (${actions[rule] ?? ''})`;
}

/** What a case came to: the rule that matched, and the ones behind it that would match. */
export function matched(policy: Pick<FailurePolicy, 'actions'>, { matched: rule, hidden, failed }: PolicyTrial): string {
  if (rule === null) return failed ? 'none: the failure counts' : 'none: no pod fails';
  return `${ruleName(policy, rule)}${hidden.length > 0 ? `, before ${listed(hidden)}` : ''}`;
}

/** A rule that matched in no case, and why, in a sentence. */
export interface IdleRule {
  rule: number;
  sentence: string;
}

/** The rules that matched in none of the cases. */
export function idle(policy: Pick<FailurePolicy, 'actions'>, trials: readonly PolicyTrial[]): IdleRule[] {
  const never = policy.actions.map((_, rule) => rule).filter((rule) => !trials.some((trial) => trial.matched === rule));
  return never.map((rule) => {
    const first = [...new Set(trials.filter(({ hidden }) => hidden.includes(rule)).map((trial) => trial.matched ?? 0))].sort((one, other) => one - other);
    const why = first.length > 0 ? `${listed(first)} ${first.length > 1 ? 'come' : 'comes'} first` : 'none of them is a case of it';
    return { rule, sentence: `${capital(ruleName(policy, rule))} matches in none of these cases: ${why}.` };
  });
}

/** Rules in a sentence: `rule 0`, `rules 0 and 2`. */
function listed(rules: number[]): string {
  const [last, ...before] = rules.toReversed();
  return before.length > 0 ? `rules ${before.toReversed().join(', ')} and ${last}` : `rule ${last}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A pod failure policy in its cases: what each row says, which rules match in none, and a case in the script. */
import { expect, test } from 'vitest';

import { idle, matched } from '../src/model/policy.ts';
import { withCase } from '../src/model/script.ts';
import type { PolicyTrial } from '../src/protocol.ts';

const policy = { actions: ['FailJob', 'Ignore', 'Count', 'FailJob'] };

function trial(rule: number | null, hidden: number[] = [], failed = true): PolicyTrial {
  return { matched: rule, hidden, failed, outcome: { kind: 'Job', namespace: 'default', name: 'pi', state: 'failed', facts: [], decided: null } };
}

test('a row names the rule that matched, and those that it comes before', () => {
  const rows = [trial(0), trial(0, [2]), trial(1, [2, 3]), trial(null), trial(null, [], false)].map((one) => matched(policy, one));
  expect(rows).toEqual(['rule 0 (FailJob)', 'rule 0 (FailJob), before rule 2', 'rule 1 (Ignore), before rules 2 and 3', 'none: the failure counts', 'none: no pod fails']);
});

test('a rule that matches in no case is named, with the reason', () => {
  expect(idle(policy, [trial(0, [1]), trial(2, [1]), trial(null)]).map((one) => one.sentence)).toEqual([
    'Rule 1 (Ignore) matches in none of these cases: rules 0 and 2 come first.',
    'Rule 3 (FailJob) matches in none of these cases: none of them is a case of it.',
  ]);
  expect(idle({ actions: ['Count'] }, [trial(0)])).toEqual([]);
});

test('a case stands before all other rules, in place of another case', () => {
  const [exits, deleted] = ['attempt 1: exit 42 after 5s\n', 'attempt 1: runs forever\nat 5s: delete attempt 1\n'];
  expect(withCase('# mine\npods: succeed after 20s\n', exits, [exits, deleted])).toBe(`${exits}# mine\npods: succeed after 20s\n`);
  expect(withCase(`${deleted}pods: succeed after 20s\n`, exits, [exits, deleted])).toBe(`${exits}pods: succeed after 20s\n`);
});

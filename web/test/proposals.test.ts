/** What the cells of a rule propose. */
import { expect, test } from 'vitest';

import { conditionTypes, proposals } from '../src/model/proposals.ts';
import { job, played, pod, step } from './steps.ts';

test('the indexes, containers and exit codes that there are', () => {
  const containers = [{ name: 'main', running: true }];
  const story = played(step(0, { jobs: [job({ completionMode: 'Indexed', completions: 2 })], pods: [pod('pi-0-x', { index: 0, containers })] }));
  const { which, what } = proposals(story, 'rules:\n- onExitCodes: {operator: In, values: [1, 42]}\n- onExitCodes:\n    values:\n    - 3\n    - 4\n');
  expect(which).toEqual(['pods', 'index 0', 'index 1', 'attempt 1', 'attempts 1-2', 'index 0 attempts 1-2', 'index 1 attempts 1-2', 'start 1', 'container main']);
  expect(what.slice(-3)).toEqual(['exit 42 after 5s', 'exit 3 after 5s', 'exit 4 after 5s']);
});

test('Jobs where there are several', () => {
  const story = played(step(0, { jobs: [job(), job({ name: 'rho', namespace: 'b' })] }));
  expect(proposals(story, '').which).toEqual(['pods', 'attempt 1', 'attempts 1-2', 'start 1', 'job pi', 'job b/rho']);
});

test('the conditions that the rules of the policy have come first, and an example without any', () => {
  const block = 'podFailurePolicy:\n  rules:\n  - action: Ignore\n    onPodConditions:\n    - type: DisruptionTarget\n    - status: "True"\n      type: "example.com/Config"\n  - action: FailJob\n    onPodConditions: [{type: Quota}]\ntemplate:\n  type: x\n';
  expect(conditionTypes(block)).toEqual(['example.com/Config', 'Quota']);
  expect(conditionTypes('{"onPodConditions": [{"type": "Broken"}], "onExitCodes": {"type": "x"}}')).toEqual(['Broken']);
  expect(conditionTypes('kind: Job\n')).toEqual(['ConfigIssue']);
  expect(proposals(played(step(0)), block).what).toEqual(expect.arrayContaining(['condition example.com/Config after 2s', 'condition Quota after 2s']));
});

/** Scripts are changed line by line, and stay what a person wrote. */
import { describe, expect, test } from 'vitest';

import { without } from '../src/examples/rules.ts';
import { carried, until, withActions, withLineChanged, withoutLine, withRule, withRuleRaised } from '../src/model/script.ts';
import { module } from './steps.ts';

const script = '# flaky\nindex 1: exit 42 after 2s\n\npods: succeed after 5s\nat 5s: scale to 3\nat 20s: suspend\n';
const parts = await module.call('readScript', { script });
const nothing = await module.call('readScript', { script: '' });

test('a text that cannot be played gets the lines that the script gets, and loses those that it loses', () => {
  expect(carried('pods: exi\nat 5s: scale to 3\n', 'pods: succeed\nat 5s: scale to 3\n', 'pods: succeed\nat 9s: suspend\n')).toBe('pods: exi\nat 9s: suspend\n');
});

describe('an action', () => {
  test('is added at its time, and what is later is left out', () => {
    expect(withActions(script, parts, 12_345, ['evict index 1'])).toBe('# flaky\nindex 1: exit 42 after 2s\n\npods: succeed after 5s\nat 5s: scale to 3\nat 12.345s: evict index 1\n');
  });

  test('of the same time stays', () => {
    expect(until(script, parts, 20_000)).toBe(script);
  });

  test('is taken away by its line', () => {
    expect(withoutLine(script, 5)).toBe(script.replace('at 5s: scale to 3\n', ''));
  });
});

describe('a rule', () => {
  test('is added before the others, because the first that fits wins', () => {
    expect(withRule(script, parts, 'pods: runs forever')).toBe(script.replace('index 1:', 'pods: runs forever\nindex 1:'));
    expect(withRule('', nothing, 'pods: runs forever')).toBe('pods: runs forever\n');
  });

  test('is changed, raised and taken away by its line', () => {
    expect(withLineChanged(script, 4, 'pods: exit 1 after 1s')).toBe(script.replace('pods: succeed after 5s', 'pods: exit 1 after 1s'));
    expect(withRuleRaised(script, parts, 4)).toBe('# flaky\npods: succeed after 5s\n\nindex 1: exit 42 after 2s\nat 5s: scale to 3\nat 20s: suspend\n');
    expect(withRuleRaised(script, parts, 2)).toBe(script);
    expect(withoutLine(script, 2)).toBe(script.replace('index 1: exit 42 after 2s\n', ''));
  });
});

test('what an example brought is kept apart from what a person wrote', () => {
  const example = 'index 1: exit 42 after 2s\npods: succeed after 5s\n\nat 5s: suspend\n';
  expect(without(example, example)).toBe('');
  expect(without(`pods: exit 1\n${example}`, example)).toBe('pods: exit 1\n\n');
  expect(without(example.replace('42', '7'), example)).toBe('index 1: exit 7 after 2s\n\n');
  expect(without('pods: exit 1', '')).toBe('pods: exit 1');
});

/** Fields are found in a manifest however it is written. */
import { yamlLanguage } from '@codemirror/lang-yaml';
import { describe, expect, test } from 'vitest';

import { fieldAt, firstJob, locate } from '../src/editor/locate.ts';
import { withSpecField } from '../src/editor/write.ts';
import { touch } from '../src/state/fields.ts';

const source = `kind: Job
metadata: {name: "one"}
spec:
  podFailurePolicy:
    rules:
    - {action: FailJob}
    - action: Ignore
---
kind: Job
metadata:
  name: two
spec:
  backoffLimit: 3
`;
const tree = yamlLanguage.parser.parse(source);
const of = (name: string, namespace = 'default', kind = 'Job') => ({ kind, namespace, name });
const line = (place: number | undefined, text = source): number => text.slice(0, place).split('\n').length;

test('the first Job is found behind other objects, in a list too, and a CronJob if there is no Job', () => {
  const first = (text: string) => text.slice(firstJob(yamlLanguage.parser.parse(text), text)).split('\n')[0];
  expect(first(`kind: Pod\n---\nkind: CronJob\n---\n${source}`)).toBe('kind: Job');
  expect(first('items:\n- kind: Pod\n- kind: CronJob\n  metadata: {}\nkind: List\n')).toBe('kind: CronJob');
  expect(firstJob(yamlLanguage.parser.parse('kind: Pod\n'), 'kind: Pod\n')).toBe(0);
});

describe('a field', () => {
  test('is found in the document of its Job', () => {
    expect(line(locate(tree, source, of('one'), 'spec.podFailurePolicy.rules')?.from)).toBe(5);
    expect(line(locate(tree, source, of('two'), 'spec.backoffLimit')?.from)).toBe(13);
  });

  test('is found in the namespace of its Job', () => {
    const both = `${source.replaceAll('name: two', 'name: two\n  namespace: b')}---\n${source.split('---\n')[1]}`;
    const found = (namespace: string) => line(locate(yamlLanguage.parser.parse(both), both, of('two', namespace), 'spec.backoffLimit')?.from, both);
    expect([found('b'), found('default')]).toEqual([14, 20]);
  });

  test('is found in the document of its kind', () => {
    const both = `${source}---\nkind: CronJob\nmetadata:\n  name: two\nspec:\n  jobTemplate:\n    spec:\n      backoffLimit: 3\n`;
    const place = locate(yamlLanguage.parser.parse(both), both, of('two', 'default', 'CronJob'), 'spec.jobTemplate.spec.backoffLimit');
    expect(line(place?.from, both)).toBe(21);
  });

  test('that is not written leads to what would hold it', () => {
    expect(line(locate(tree, source, of('one'), 'spec.backoffLimit')?.from)).toBe(3);
    expect(locate(tree, source, of('one'), 'status.active')).toBe(null);
  });

  test('in a list is found by its place there', () => {
    const rule = (number: number) => line(locate(tree, source, of('one'), `spec.podFailurePolicy.rules[${number}]`)?.from);
    expect([rule(0), rule(1), rule(7)]).toEqual([6, 7, 5]);
    expect(locate(tree, source, of('one'), 'spec.podFailurePolicy.rules[7]')?.exact).toBe(false);
    expect(line(locate(tree, source, of('one'), 'spec.podFailurePolicy.rules[1].action')?.from)).toBe(7);
  });

  test('is known by a place in it', () => {
    expect(fieldAt(tree, source, source.indexOf('Ignore'))).toEqual({ path: 'spec.podFailurePolicy.rules[1].action', object: of('one') });
    expect(fieldAt(tree, source, source.indexOf('backoffLimit'))).toEqual({ path: 'spec.backoffLimit', object: of('two') });
    expect(fieldAt(tree, source, source.indexOf('---'))).toBe(null);
  });
});

describe('a List', () => {
  const list = `apiVersion: v1\nkind: List\nitems:\n${source.split('---\n').map((part) => `- ${part.trimEnd().replaceAll('\n', '\n  ')}\n`).join('')}`;
  const parsed = yamlLanguage.parser.parse(list);

  test('has the fields of its objects', () => {
    expect(line(locate(parsed, list, of('one'), 'spec.podFailurePolicy.rules[1]')?.from, list)).toBe(10);
    expect(line(locate(parsed, list, of('two'), 'spec.backoffLimit')?.from, list)).toBe(15);
  });

  test('is no object itself', () => {
    expect(fieldAt(parsed, list, list.indexOf('Ignore'))).toEqual({ path: 'spec.podFailurePolicy.rules[1].action', object: of('one') });
    expect(fieldAt(parsed, list, list.indexOf('items'))).toBe(null);
  });

  test('of one kind gives it to its items', () => {
    const raw = list.replace('kind: List', 'kind: JobList').replaceAll(/kind: Job\n {2}/g, '');
    const tree = yamlLanguage.parser.parse(raw);
    expect(raw.includes('kind: Job\n')).toBe(false);
    expect(line(locate(tree, raw, of('two'), 'spec.backoffLimit')?.from, raw)).toBeGreaterThan(0);
    expect(fieldAt(tree, raw, raw.indexOf('Ignore'))).toEqual({ path: 'spec.podFailurePolicy.rules[1].action', object: of('one') });
  });
});

describe('an annotation', () => {
  const key = 'jobsmith.dev/on-failure';
  const path = `metadata.annotations[${key}]`;
  const job = (value: string) => `kind: Job\nmetadata:\n  annotations:\n    ${key}: ${value}\n  name: one\n`;
  const shown = (value: string, line: number) => {
    const text = job(value);
    const span = locate(yamlLanguage.parser.parse(text), text, of('one'), `${path}:${line}`);
    return span && text.slice(span.from, span.to);
  };

  test('is found by its key', () => {
    const text = job('hold');
    expect(line(locate(yamlLanguage.parser.parse(text), text, of('one'), path)?.from, text)).toBe(4);
    expect(locate(yamlLanguage.parser.parse(text), text, of('one'), 'metadata.annotations[jobsmith.dev/hold]:1')?.exact).toBe(false);
    expect(fieldAt(yamlLanguage.parser.parse(text), text, text.indexOf('hold'))?.path).toBe(path);
  });

  test('has lines of its own in a block', () => {
    const block = '|\n      exit 3: retry\n      any: hold';
    expect([shown(block, 1), shown(block, 2)]).toEqual(['exit 3: retry', 'any: hold']);
    const at = (word: string) => fieldAt(yamlLanguage.parser.parse(job(block)), job(block), job(block).indexOf(word))?.path;
    expect([at('exit'), at('hold'), at('|')]).toEqual([`${path}:1`, `${path}:2`, path]);
  });

  test('is shown whole where its lines are not those of the manifest', () => {
    expect(shown('"any: hold"', 1)).toBe('"any: hold"');
    expect(shown('>\n      exit 3: retry\n\n      any: hold', 2)).toBe('>\n      exit 3: retry\n\n      any: hold');
  });
});

test('fields of JSON are found', () => {
  const json = JSON.stringify({ kind: 'Job', metadata: { name: 'one' }, spec: { podFailurePolicy: { rules: [{ action: 'Count' }, { action: 'Ignore' }] } } }, null, 2);
  const parsed = yamlLanguage.parser.parse(json);
  expect(locate(parsed, json, of('one'), 'spec.podFailurePolicy.rules[1].action')?.from).toBe(json.lastIndexOf('"action"'));
  expect(fieldAt(parsed, json, json.indexOf('"Ignore"'))?.path).toBe('spec.podFailurePolicy.rules[1].action');
});

describe('two fields touch', () => {
  const field = (path: string, name = 'one') => ({ path, object: of(name) });

  test('if one holds the other', () => {
    expect(touch(field('spec.podFailurePolicy.rules[1]'), field('spec.podFailurePolicy.rules[1].action'))).toBe(true);
    expect(touch(field('spec.podFailurePolicy.rules[1]'), field('spec.podFailurePolicy.rules'))).toBe(true);
    expect(touch(field('spec.podFailurePolicy.rules[1]'), field('spec.podFailurePolicy.rules[0].action'))).toBe(false);
    expect(touch(field('spec.backoffLimit'), field('spec.backoffLimitPerIndex'))).toBe(false);
    expect(touch(field('metadata.annotations[a.b/c]'), field('metadata.annotations[a.b/c]:2'))).toBe(true);
    expect(touch(field('metadata.annotations[a.b/c]:1'), field('metadata.annotations[a.b/c]:12'))).toBe(false);
  });

  test('if they are of one object', () => {
    expect(touch(field('spec.backoffLimit'), field('spec.backoffLimit', 'two'))).toBe(false);
    expect(touch(field('spec.backoffLimit'), field('spec.backoffLimit', ''))).toBe(true);
  });
});

describe('a field of the spec is written', () => {
  const changed = (text: string, field = 'concurrencyPolicy') => withSpecField(yamlLanguage.parser.parse(text), text, of('two', 'default', 'CronJob'), field, 'Forbid');

  test('in place of its value', () => {
    expect(changed('kind: CronJob\nmetadata: {name: two}\nspec:\n  concurrencyPolicy: Allow # why\n  schedule: x\n')).toBe('kind: CronJob\nmetadata: {name: two}\nspec:\n  concurrencyPolicy: Forbid # why\n  schedule: x\n');
  });

  test('where it has no value, or one of JSON', () => {
    expect(changed('kind: CronJob\nspec:\n  concurrencyPolicy:\n  schedule: x\n')).toBe('kind: CronJob\nspec:\n  concurrencyPolicy: Forbid\n  schedule: x\n');
    expect(changed('kind: CronJob\nspec:\n  concurrencyPolicy: # why\n  schedule: x\n')).toBe('kind: CronJob\nspec:\n  concurrencyPolicy: Forbid # why\n  schedule: x\n');
    expect(changed('{"kind": "CronJob", "spec": {"concurrencyPolicy": "Allow", "schedule": "x"}}')).toBe('{"kind": "CronJob", "spec": {"concurrencyPolicy": "Forbid", "schedule": "x"}}');
  });

  test('where it was not written', () => {
    expect(changed('kind: CronJob\nmetadata: {name: two}\nspec:\n    schedule: x\n')).toBe('kind: CronJob\nmetadata: {name: two}\nspec:\n    concurrencyPolicy: Forbid\n    schedule: x\n');
    expect(changed('{"kind": "CronJob", "spec": {"schedule": "x"}}')).toBe('{"kind": "CronJob", "spec": {"concurrencyPolicy": "Forbid", "schedule": "x"}}');
    expect(changed('kind: List\nitems: []\n')).toBe(null);
  });
});

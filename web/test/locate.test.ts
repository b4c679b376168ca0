/** Fields are found in a manifest however it is written. */
import { yamlLanguage } from '@codemirror/lang-yaml';
import { describe, expect, test } from 'vitest';

import { locate, pathAt } from '../src/editor/locate.ts';
import { withSpecField } from '../src/editor/write.ts';

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

  test('is known by a place in it', () => {
    expect(pathAt(tree, source, source.indexOf('Ignore'))).toBe('spec.podFailurePolicy.rules.action');
    expect(pathAt(tree, source, source.indexOf('backoffLimit'))).toBe('spec.backoffLimit');
  });
});

describe('a field of the spec is written', () => {
  const changed = (text: string, field = 'concurrencyPolicy') => withSpecField(yamlLanguage.parser.parse(text), text, of('two', 'default', 'CronJob'), field, 'Forbid');

  test('in place of its value', () => {
    expect(changed('kind: CronJob\nmetadata: {name: two}\nspec:\n  concurrencyPolicy: Allow # why\n  schedule: x\n')).toBe('kind: CronJob\nmetadata: {name: two}\nspec:\n  concurrencyPolicy: Forbid # why\n  schedule: x\n');
  });

  test('where it was not written', () => {
    expect(changed('kind: CronJob\nmetadata: {name: two}\nspec:\n    schedule: x\n')).toBe('kind: CronJob\nmetadata: {name: two}\nspec:\n    concurrencyPolicy: Forbid\n    schedule: x\n');
    expect(changed('{"kind": "CronJob", "spec": {"schedule": "x"}}')).toBe('{"kind": "CronJob", "spec": {"concurrencyPolicy": "Forbid", "schedule": "x"}}');
    expect(changed('kind: List\nitems: []\n')).toBe(null);
  });
});

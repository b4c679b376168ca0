/** What windows keep in the browser: each its own tabs, and the newest first. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { find, type Kept, PREFIX, type Records, windows, write } from '../src/state/keeping.ts';

/** A browser's storage. */
function storage(): Records & { all: Map<string, string> } {
  const all = new Map<string, string>();
  return {
    all,
    get length() {
      return all.size;
    },
    key: (place) => [...all.keys()][place] ?? null,
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => void all.set(key, value),
    removeItem: (key) => void all.delete(key),
  };
}

const session = { version: 1 as const, manifest: 'kind: Job\n', draft: 'spec: [', script: '', cursor: 4, at: 4321, title: 'pi' };
const kept: Kept = {
  tabs: [{ session, seek: { to: 'step', step: 4, at: 4321 }, prose: 'About it.' }, { session: { version: 1, manifest: 'kind: CronJob\n', script: '', cursor: 9 }, seek: { to: 'outcome' }, prose: '' }],
  current: 1,
  other: 0,
};

test('the script of the page knows the records before all others have loaded', () => {
  expect(readFileSync(new URL('../index.html', import.meta.url), 'utf8')).toContain(`key.startsWith('${PREFIX}')`);
});

test('tabs are there again with broken drafts, cursors and outcomes', () => {
  const records = storage();
  write(records, 'a', kept, 1);
  expect(find(records, 'a')).toEqual(kept);
});

test('a recording is kept, unless it is long', () => {
  const records = storage();
  const text = `${JSON.stringify({ recording: 1, start: '2026-05-04T09:00:00Z', kubernetes: 'v1.37', jobsmith: '0.1', component: 'ab' })}\n`;
  const recorded = (of: string): Kept => ({ ...kept, tabs: [{ session, seek: { to: 'step', step: 0 }, prose: '', recording: { text: of, start: '', kubernetes: '', jobsmith: '', component: '' } }] });
  write(records, 'short', recorded(text), 1);
  write(records, 'long', recorded(text.padEnd(1_000_001)), 1);
  expect(['short', 'long'].map((id) => find(records, id)?.tabs[0]?.recording?.text)).toEqual([text, undefined]);
  expect(find(records, 'long')).toBeNull();
});

test('windows do not overwrite one another, and the newest comes first', () => {
  const records = storage();
  write(records, 'a', kept, 20);
  write(records, 'b', { ...kept, current: 0 }, 30);
  write(records, 'c', kept, 10);
  expect([windows(records), find(records, 'a')?.current, find(records, 'b')?.current]).toEqual([['b', 'a', 'c'], 1, 0]);
});

test('records of very old windows are removed, and those of others are left alone', () => {
  const records = storage();
  records.setItem('playground.theme', 'true');
  for (let number = 1; number <= 25; number++) write(records, `w${number}`, kept, number);
  expect([windows(records).length, windows(records)[0], records.length]).toEqual([20, 'w25', 21]);
});

test('a record that cannot be read is as good as none', () => {
  const records = storage();
  for (const [id, text] of [['torn', '{"saved":1,"tabs":[{"sess'], ['empty', '{"saved":1,"tabs":[]}'], ['strange', '{"saved":1,"tabs":[{"session":3}]}']]) records.setItem(`playground.window.${id}`, text ?? '');
  expect(['torn', 'empty', 'strange', 'none'].map((id) => find(records, id))).toEqual([null, null, null, null]);
});

test('a place that no tab has is not looked at', () => {
  const records = storage();
  write(records, 'a', { ...kept, current: 7, other: 7 }, 1);
  expect([find(records, 'a')?.current, find(records, 'a')?.other]).toEqual([0, -1]);
});

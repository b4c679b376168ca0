/** Pasted text becomes what the editor holds, one text another by its smallest change, and a further document comes below the one that is there. */
import { expect, test } from 'vitest';

import { added, difference, plain } from '../src/editor/plain.ts';

test('line ends are of one sort, and byte order marks are gone', () => {
  expect(plain('\uFEFFa: 1\r\nb: 2\rc: 3\n')).toBe('a: 1\nb: 2\nc: 3\n');
});

test.each([['abc', 'axc'], ['aa', 'aaa'], ['aaa', 'aa'], ['', 'x'], ['x', ''], ['same', 'same'], ['abab', 'ab']])('%j becomes %j', (before, after) => {
  const { from, to, insert } = difference(before, after);
  expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
  expect(to - from).toBeLessThan(Math.max(2, before.length));
});

test('a further document is put below the one around the cursor', () => {
  const put = (before: string, place: number, text: string): string | null => {
    const found = added(before, place, text);
    return found && before.slice(0, found.changes.from) + found.changes.insert + before.slice(found.changes.from);
  };
  expect(put('kind: Job', 9, '---\nkind: Pod\n')).toBe('kind: Job\n---\nkind: Pod\n');
  expect(put('kind: Job\na: 1\n---\nb: 2\n', 9, '\n--- \nkind: Pod')).toBe('kind: Job\na: 1\n--- \nkind: Pod\n---\nb: 2\n');
  expect(put('kind: Job\n', 9, 'kind: Pod\n---\nkind: Pod\n')).toBe(null);
});

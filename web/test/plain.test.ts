/** Pasted text becomes what the editor holds, and one text another by its smallest change. */
import { expect, test } from 'vitest';

import { difference, plain } from '../src/editor/plain.ts';

test('line ends are of one sort, and byte order marks are gone', () => {
  expect(plain('\uFEFFa: 1\r\nb: 2\rc: 3\n')).toBe('a: 1\nb: 2\nc: 3\n');
});

test.each([['abc', 'axc'], ['aa', 'aaa'], ['aaa', 'aa'], ['', 'x'], ['x', ''], ['same', 'same'], ['abab', 'ab']])('%j becomes %j', (before, after) => {
  const { from, to, insert } = difference(before, after);
  expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
  expect(to - from).toBeLessThan(Math.max(2, before.length));
});

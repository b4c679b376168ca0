/** What the editor makes of a text that its parser cannot go through. */
import { yamlLanguage } from '@codemirror/lang-yaml';
import type { PartialParse } from '@lezer/common';
import { expect, test } from 'vitest';

import { unbroken } from '../src/editor/parsed.ts';

test('a text that nests too deep stays plain, and any other is parsed', () => {
  const text = 'a: [b]';
  const input = { length: text.length, chunk: (from: number) => text.slice(from), lineChunks: false, read: (from: number, to: number) => text.slice(from, to) };
  const overflowing: PartialParse = {
    parsedPos: 0, stoppedAt: null, stopAt: () => {},
    advance: () => {
      throw new RangeError('Maximum call stack size exceeded');
    },
  };
  const tree = unbroken(overflowing, input, [], []).advance();
  expect([tree?.length, tree?.children.length]).toEqual([6, 0]);
  expect(yamlLanguage.configure({ wrap: unbroken }).parser.parse(text).toString()).toContain('FlowSequence');
});

/** What the page makes of the pages of the rules of `jobsmith lint`. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { sections, spans } from '../src/rules/markdown.ts';

const FOLDER = new URL('../../crates/advice/src/rules/', import.meta.url);
const PAGES = readdirSync(FOLDER).filter((file) => file.endsWith('.md')).map((file) => [file, readFileSync(new URL(file, FOLDER), 'utf8')] as const);

test('a page is read in sections, and its lines are joined', () => {
  expect(sections('# herd\n\nMany at\nonce.\n\n- **One**\n  thing\n- two\n\n## Bad: all\n\n```yaml\n# a comment\n\nkind: Job\n```\n')).toEqual([
    { title: 'herd', blocks: [{ type: 'text', text: 'Many at once.' }, { type: 'list', items: ['**One** thing', 'two'] }] },
    { title: 'Bad: all', blocks: [{ type: 'code', language: 'yaml', text: '# a comment\n\nkind: Job\n' }] },
  ]);
});

test('code and bold words are told from plain ones', () => {
  expect(spans('Set `a: **` or **Helm** at 2 * 3')).toEqual([
    { style: 'plain', text: 'Set ' }, { style: 'code', text: 'a: **' }, { style: 'plain', text: ' or ' }, { style: 'bold', text: 'Helm' }, { style: 'plain', text: ' at 2 * 3' },
  ]);
});

test.each(PAGES)('all of %s is understood', (file, page) => {
  const [first, ...claims] = sections(page);
  expect(first?.title).toBe(file.replace('.md', '').replaceAll('_', '-'));
  expect(first?.blocks.length).toBeGreaterThan(0);
  for (const { title, blocks } of claims) {
    expect(title).toMatch(/^(Bad|Good|Exception): /);
    expect(blocks.filter((block) => block.type === 'code' && block.language === 'yaml')).not.toEqual([]);
  }
  const all = [...(first?.blocks ?? []), ...claims.flatMap(({ blocks }) => blocks)];
  for (const block of all) {
    if (block.type === 'code') expect(['yaml', 'script', 'trace', 'status']).toContain(block.language);
    const texts = block.type === 'text' ? [block.text] : block.type === 'list' ? block.items : [];
    const plain = texts.flatMap(spans).filter(({ style }) => style === 'plain').map(({ text }) => text).join('');
    expect(plain).not.toMatch(/[`#|]|\*\*|\]\(/);
  }
});

/** The rules of the house for TypeScript: short files and functions, a sentence at the head of each file, no way around the types. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILES = ['src', 'plugins', 'test', 'e2e'].flatMap((folder) =>
  readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('generated'))
    .map((name) => `${folder}/${name}`),
);

/** Comments that switch the types off. */
const WAYS = ['ignore', 'expect-error', 'nocheck'].map((way) => `@${'ts'}-${way}`);

function nodes(file: string): { source: ts.SourceFile; all: ts.Node[] } {
  const source = ts.createSourceFile(file, readFileSync(`${ROOT}/${file}`, 'utf8'), ts.ScriptTarget.ES2023, true, file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const all: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    all.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { source, all };
}

describe.each(FILES)('%s', (file) => {
  const { source, all } = nodes(file);
  const line = (place: number): number => source.getLineAndCharacterOfPosition(place).line + 1;

  test('begins with what it is, and is short', () => {
    expect(source.text).toMatch(/^\/\*\* [A-Z]/);
    // What is generated is as long as what crosses to the page, and is written where its parts are.
    const generated = source.text.slice(0, 200).includes('Generated from');
    expect(generated || source.text.split('\n').length <= 400, `${source.text.split('\n').length} lines`).toBe(true);
  });

  test('has short functions', () => {
    const long = all.filter((node) => ts.isFunctionLike(node) && line(node.end) - line(node.getStart()) + 1 > 70);
    expect(long.map((node) => `line ${line(node.getStart())}`)).toEqual([]);
  });

  test('goes around no type', () => {
    const around = all.filter((node) => node.kind === ts.SyntaxKind.AnyKeyword || ts.isNonNullExpression(node));
    expect(around.map((node) => `line ${line(node.getStart())}`)).toEqual([]);
    for (const way of WAYS) expect(source.text).not.toContain(way);
  });
});

/** How many lines a file of the page has at least, unless several others import it: a second view, or a test of its own. */
const SHORTEST = 40;

test('no short file has only one importer', () => {
  const importers = new Map<string, Set<string>>();
  for (const file of FILES) {
    for (const node of nodes(file).all) {
      if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier) || !node.moduleSpecifier.text.startsWith('.')) continue;
      const imported = normalize(`${dirname(file)}/${node.moduleSpecifier.text}`);
      importers.set(imported, (importers.get(imported) ?? new Set()).add(file));
    }
  }
  const lines = (file: string): number => readFileSync(`${ROOT}/${file}`, 'utf8').split('\n').length - 1;
  const merged = FILES.filter((file) => file.startsWith('src/') && importers.get(file)?.size === 1 && lines(file) < SHORTEST);
  expect(merged.map((file) => `${file} belongs into ${[...(importers.get(file) ?? [])].join()}`)).toEqual([]);
});

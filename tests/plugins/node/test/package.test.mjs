/** The package that `cargo xtask test --all` made, installed in an empty folder: its size, its component, its types, and the README's quick start. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { component } from '../objects.mjs';

const PACKAGE = fileURLToPath(new URL('../../../../host/bindings/node', import.meta.url));
const README = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'jobsmith-npm-'));
const installed = join(folder, 'node_modules/@jobsmith/controllers');
const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
const tarball = fileURLToPath(new URL(`../../../../target/bindings/packages/jobsmith-controllers-${version}.tgz`, import.meta.url));

before(() => {
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball]);
});

after(() => rmSync(folder, { recursive: true }));

test('the tarball is small', () => {
  assert.ok(statSync(tarball).size <= 570_000, `${statSync(tarball).size} bytes`);
});

test('the component in it is the very file', () => {
  assert.equal(sha256(join(installed, 'controllers.wasm')), sha256(component('controllers')));
});

test('it has no dependencies', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.deepEqual([dependencies, peerDependencies], [undefined, undefined]);
});

test("the README's quick start runs", () => {
  const [quickStart] = blocks('## Quick start');
  assert.ok(quickStart.trim().split('\n').length <= 20);
  writeFileSync(join(folder, 'start.js'), quickStart);
  const output = run(process.execPath, ['start.js']);
  assert.match(output, /^Creates – Creating 2 pods: 0 active, 2 wanted \(parallelism 2, 3 completions still to come\)$/m);
  assert.match(output, /^put \/apis\/batch\/v1\/namespaces\/default\/jobs\/pi\/status$/m);
});

test("the README's other examples run", () => {
  const [explain] = blocks('## Decisions');
  const [share] = blocks('## Threads');
  writeFileSync(
    join(folder, 'explain.js'),
    `${blocks('## Quick start')[0]}\n${explain}\nconsole.log('now', now.decisions.length, requeueAt);`,
  );
  assert.match(run(process.execPath, ['explain.js']), /^now [1-9]/m);
  writeFileSync(join(folder, 'share.js'), `${share}\nconsole.log(controllers.resources().length);`);
  assert.equal(run(process.execPath, ['share.js']), '3\n');
});

test('its types hold in strict TypeScript', () => {
  const source = `
    import { Controllers, Loop, sentence, type Cluster, type Decision, type Plan, type Timestamp } from '@jobsmith/controllers';
    export const waits = ({ role }: Decision): Timestamp | undefined => (role.tag === 'wait' ? role.val.until : undefined);
    export const paths = (plan: Plan): string[] => plan.batches.flat().map(({ path }) => path);
    export const run = async (cluster: Cluster, signal: AbortSignal): Promise<void> =>
      new Loop(await Controllers.create({ decisions: 'actions' }), cluster, { onPlan: ({ id }: { id: bigint }) => void id }).run(signal);
    export const words = (decision: Decision): string => sentence(decision) + sentence(decision.sentence);
    export const forget = (controllers: Controllers): void => controllers.listed('Pod', [], '1');
    // @ts-expect-error: there is no such case
    export const wrong = ({ role }: Decision): boolean => role.tag === 'waits';
  `;
  writeFileSync(join(folder, 'types.ts'), source);
  const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2023,dom'];
  for (const modules of [
    ['--module', 'nodenext'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ]) {
    run(process.execPath, [join(PACKAGE, 'node_modules/typescript/bin/tsc'), ...options, ...modules, 'types.ts']);
  }
});

/** The code under a heading of the README. */
function blocks(heading) {
  const section = README.split(`${heading}\n`)[1].split('\n## ')[0];
  return [...section.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
}

function run(program, options) {
  return execFileSync(program, options, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

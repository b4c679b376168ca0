/** The driver notices a difference, in whatever form an answer comes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { component } from '../objects.mjs';

const NOW = { seconds: { i64: '0' }, nanoseconds: 0 };
const POD = { tag: 'changed', val: { tag: 'applied', val: { kind: 'Pod', json: '{' } } };

test('equal answers are counted', () => {
  const lines = [{ history: 'new' }, call('next-plan', [NOW], null), call('configure', ['{}'], { tag: 'ok' })];
  assert.deepEqual(drive(lines), [0, '2 calls alike\n']);
});

test('a difference is shown with its line', () => {
  const malformed = { kind: 'Pod', name: '', reason: 'another one' };
  const different = [
    call('next-wakeup', [], { controller: 'job' }),
    call('configure', ['{}'], { tag: 'err', val: 'no' }),
    call('handle', [POD, NOW], { tag: 'ok' }),
    call('handle', [POD, NOW], { tag: 'err', val: malformed }),
    call('resources', [], []),
  ];
  for (const line of different) {
    const [status, output] = drive([{ history: 'new' }, line]);
    assert.equal(status, 1);
    assert.match(output, new RegExp(`^line 2: ${line.call}\nexpected: .*\ncame: `, 's'));
  }
});

function call(name, values, answer) {
  return { call: name, arguments: values, answer };
}

function drive(lines) {
  const driver = fileURLToPath(new URL('../driver.mjs', import.meta.url));
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const { status, stdout, stderr } = spawnSync(process.execPath, [driver, component('controllers')], { input, encoding: 'utf8' });
  assert.equal(stderr, '');
  return [status, stdout];
}

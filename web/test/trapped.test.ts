/** What the page shows of controllers that trap: why, and what another instance goes on to do. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { loaded } from '../plugins/module.ts';

const core = new WebAssembly.Module(readFileSync(new URL('../src/generated/controllers.core.wasm', import.meta.url)));
const MANIFEST = `
apiVersion: batch/v1
kind: Job
metadata: {name: pi}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: perl}]}}}
`;

type Call = (...parameters: unknown[]) => unknown;
/** Functions of an instance, in place of those of its module. */
type Replaced = { [name: string]: (own: Call) => Call };

/** Makes instances, the first ones with these functions. */
function factory(...first: (Replaced | Error)[]): () => object {
  return () => {
    const replaced = first.shift() ?? {};
    if (replaced instanceof Error) throw replaced;
    const entries = Object.entries(new WebAssembly.Instance(core).exports).map(([name, own]) => {
      const replace = name.startsWith('cabi_post_') ? undefined : replaced[name.split('#')[1] ?? ''];
      return [name, replace ? replace(own as Call) : own];
    });
    return Object.fromEntries(entries) as object;
  };
}

/** A function that throws at one call. */
function throwing(reason: string, at = 1): (own: Call) => Call {
  let calls = 0;
  return (own) =>
    (...parameters) => {
      calls += 1;
      if (calls === at) throw new Error(reason);
      return own(...parameters);
    };
}

/** What is complained of while a Job completes. */
function complaints(manager: () => object, script = ''): string[] {
  const playing = loaded().play(manager, MANIFEST, script);
  const { steps } = JSON.parse(playing.run(500)) as { steps: { entries: { type: string; text: string }[] }[] };
  expect(playing.trace(false)).toContain('Complete');
  playing.free();
  return steps.flatMap(({ entries }) => entries.filter(({ type }) => type === 'complaint').map(({ text }) => text));
}

test('controllers that do not trap are no matter for complaint', () => {
  expect(complaints(factory())).toEqual([]);
});

test('the first of several traps is the reason', () => {
  const second = { handle: throwing('a consequence'), 'next-plan': throwing('a consequence') };
  expect(complaints(factory({ 'next-wakeup': throwing('the cause') }, second))).toEqual([expect.stringContaining('the cause')]);
});

test('a panic is reported with its message', () => {
  // A time that does not exist.
  const panicking = (own: Call) => () => own(2n ** 63n - 1n, 0);
  const [complaint] = complaints(factory({ 'next-plan': panicking }));
  expect(complaint).toContain('the host sent a time that does not exist');
});

test('an instance that cannot be replaced is reported with what it was lost for', () => {
  const [complaint] = complaints(factory({ 'next-plan': throwing('the cause') }, new Error('no memory is left')));
  expect(complaint).toContain('the cause; cannot start another instance: no memory is left');
});

test('a restart leaves nothing to report', () => {
  // The first call is that of a new instance.
  expect(complaints(factory({ configure: throwing('the cause', 2) }), 'at 1s: restart controller')).toEqual([]);
});

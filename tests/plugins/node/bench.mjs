/**
 * Measures the binding, and prints microseconds as JSON: what it takes to load the component, to handle an event, and to make a large plan.
 *
 * Of several rounds the fastest counts, as the machine does other things too.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { Controllers, compile } from '@jobsmith/controllers';
import { JOB, POD, component, listed } from './objects.mjs';

const NOW = new Date('2026-01-02T03:04:05Z');

const bytes = await readFile(component('controllers'));
const module = await compile(bytes);
const pod = JSON.stringify(POD);
assert.ok(Math.abs(pod.length - 1600) < 50, `a pod of ${pod.length} bytes`);
const large = { ...JOB, spec: { ...JOB.spec, parallelism: 500, completions: 500 } };
const controllers = await listed([JOB], NOW, module);

const results = {
  load: await fastest(5, () => compile(bytes)),
  instance: await fastest(20, () => Controllers.create({}, { component: module })),
  event: (await fastest(50, () => repeated(400, () => controllers.applied({ kind: 'Pod' }, pod, NOW)))) / 400,
  plan: await planned(),
};
console.log(JSON.stringify(Object.fromEntries(Object.entries(results).map(([name, value]) => [name, Math.round(value * 10) / 10]))));

/** How long the plan takes: the lists before it do not count. */
async function planned() {
  const times = [];
  for (let round = 0; round < 15; round++) {
    const controllers = await listed([large], NOW, module);
    times.push(await timed(() => assert.equal(controllers.nextPlan(NOW).batches.flat().length, 501)));
  }
  return Math.min(...times);
}

function repeated(times, action) {
  for (let time = 0; time < times; time++) {
    action();
  }
}

async function fastest(rounds, action) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    times.push(await timed(action));
  }
  return Math.min(...times);
}

async function timed(action) {
  const begin = performance.now();
  await action();
  return (performance.now() - begin) * 1000;
}

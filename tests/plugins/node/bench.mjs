/**
 * Measures the binding, and prints microseconds as JSON: `node bench.mjs COMPONENT < OBJECTS`.
 *
 * Docs: `../README.md`. Each figure is the median of several runs.
 */
import { readFile } from 'node:fs/promises';
import { json } from 'node:stream/consumers';
import { Controllers, compile } from '@jobsmith/controllers';

const bytes = await readFile(process.argv[2]);
const given = await json(process.stdin);
const now = new Date(given.now);

const loads = [];
for (let run = 0; run < 5; run++) {
  const begin = performance.now();
  await listed(given.job, await compile(bytes));
  loads.push(performance.now() - begin);
}
const module = await compile(bytes);
const controllers = await listed(given.job, module);
const events = given.pods.map((pod) => timed(() => controllers.applied({ kind: 'Pod' }, pod, now)));
const plans = [];
let commands;
for (let run = 0; run < 20; run++) {
  const controllers = await listed(given.large, module);
  plans.push(timed(() => (commands = controllers.nextPlan(now).batches.flat().length)));
}
console.log(JSON.stringify({ load: median(loads), event: median(events), plan: median(plans), commands }));

/** Controllers that know this Job. */
async function listed(job, component) {
  const controllers = await Controllers.create({ controllers: ['job'] }, { component });
  controllers.listed({ kind: 'Job' }, [job], '10', { now });
  controllers.listed({ kind: 'Pod' }, [], '10', { now });
  return controllers;
}

function timed(action) {
  const begin = performance.now();
  action();
  return performance.now() - begin;
}

/** The median of milliseconds, in microseconds. */
function median(times) {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] * 1000;
}

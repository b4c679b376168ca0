/** Threads: each has controllers of its own, made of one compiled module. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { compile } from '@jobsmith/controllers';
import { JOB, listed } from '../objects.mjs';

const WORKER = `
  import { parentPort, workerData } from 'node:worker_threads';
  import { listed } from ${JSON.stringify(new URL('../objects.mjs', import.meta.url).href)};
  const { module, jobs } = workerData;
  const now = new Date(0);
  const controllers = await listed(jobs, now, module);
  parentPort.postMessage([...controllers.plans(now)]);
`;

test('two threads make the same plans, each with its own jobs', async () => {
  const module = await compile();
  const jobs = ['a', 'b'].map((letter) =>
    Array.from({ length: 200 }, (_, number) => ({
      ...JOB,
      metadata: { ...JOB.metadata, name: `${letter}-${number}`, uid: `${letter}-${number}` },
    })),
  );
  const workers = jobs.map(
    (jobs) => new Worker(new URL(`data:text/javascript,${encodeURIComponent(WORKER)}`), { workerData: { module, jobs } }),
  );
  const answers = await Promise.all(workers.map((worker) => once(worker, 'message')));
  for (const [index, [plans]] of answers.entries()) {
    const now = new Date(0);
    const own = await listed(jobs[index], now, module);
    assert.equal(plans.length, 200);
    assert.deepEqual(plans, [...own.plans(now)]);
  }
});

test('controllers cannot be posted to another thread', async () => {
  const controllers = await listed([], new Date(0));
  assert.throws(() => structuredClone(controllers), { name: 'DataCloneError' });
});

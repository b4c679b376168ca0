/** Memory: events leave nothing behind, neither in the component nor in the glue around it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { JOB, POD, listed } from '../objects.mjs';

const NOW = new Date('2026-01-02T03:04:05Z');

test('100,000 events take no memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const controllers = await listed([JOB], NOW);
  const used = async () => {
    // The test runner tracks promises, which are collected in two turns.
    for (let turn = 0; turn < 2; turn++) {
      collect();
      await setImmediate();
    }
    return [controllers.instance.core.exports.memory.buffer.byteLength, process.memoryUsage().heapUsed];
  };
  // The allocator has its working set after some tens of thousands: from there on, nothing grows.
  handle(controllers, 100_000);
  const [component, heap] = await used();
  handle(controllers, 100_000);
  const [componentAfter, heapAfter] = await used();
  assert.equal(componentAfter, component);
  assert.ok(heapAfter - heap < 1_000_000, `the heap has grown by ${heapAfter - heap} bytes`);
});

/** Hands over changes of a pod, one in a thousand of them malformed, and carries out what is planned. */
function handle(controllers, events) {
  for (let number = 0; number < events; number++) {
    const metadata = { ...POD.metadata, resourceVersion: String(number + 20), ...(number % 1000 === 0 && { labels: 7 }) };
    try {
      controllers.applied({ kind: 'Pod' }, { ...POD, metadata }, NOW);
    } catch (error) {
      assert.equal(error.name, 'Malformed');
    }
    for (const plan of controllers.plans(NOW)) {
      controllers.finished(
        plan,
        plan.batches.flat().map(() => ({ tag: 'skipped' })),
        NOW,
      );
    }
  }
}

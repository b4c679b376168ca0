/** The loop on a cluster in memory: it lists, watches, carries out, waits, and begins again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Controllers, Loop, Lost, UsageError } from '@jobsmith/controllers';
import { MemoryCluster, job } from '../memory.mjs';

const FAST = { job: { limits: { podFailureBackOff: '10ms', syncBatchPeriod: '0s', apiBackOff: '10ms' } } };

test('a Job completes, with decisions and Events', async () => {
  const cluster = new MemoryCluster();
  const { plans, ended, errors } = await looped(cluster, (signal) => cluster.run(job('pi', { parallelism: 2, completions: 3 }), signal));
  assert.equal(ended.type, 'Complete');
  assert.equal(ended.status.succeeded, 3);
  assert.ok(plans.some(({ decisions }) => decisions.some(({ code }) => code === 'Creates')));
  const events = [...cluster.stores.events.objects.values()];
  assert.ok(events.some(({ reason, involvedObject }) => reason === 'Completed' && involvedObject.apiVersion === 'batch/v1'));
  assert.deepEqual(errors, []);
});

test('a Job fails after its back-off limit, and only the time wakes the loop', async () => {
  const cluster = new MemoryCluster(() => 1);
  const controllers = await Controllers.create({ job: { limits: { podFailureBackOff: '300ms' } } });
  const { ended } = await looped(cluster, (signal) => cluster.run(job('pi', { backoffLimit: 1 }), signal), controllers);
  assert.deepEqual([ended.type, ended.reason, ended.status.failed], ['Failed', 'BackoffLimitExceeded', 2]);
});

test('a list may come in pages', async () => {
  const cluster = new MemoryCluster(() => undefined);
  for (const name of ['a', 'b', 'c']) {
    cluster.stores.jobs.create(job(name));
  }
  const list = cluster.list;
  cluster.list = async (resource, page) => {
    const { metadata, items } = await list.call(cluster, resource);
    const next = Number(page) + 1;
    return { metadata: { ...metadata, continue: next < items.length ? String(next) : undefined }, items: items.slice(next - 1, next) };
  };
  await looped(cluster, () => until(() => cluster.sent.filter(({ path }) => path.endsWith('/pods')).length === 3));
});

test('a watch that breaks or ends is begun again with a list', async () => {
  const cluster = new MemoryCluster();
  let lists = 0;
  let watches = 0;
  const { list, watch } = cluster;
  cluster.list = (resource) => {
    lists += resource.kind === 'Pod' ? 1 : 0;
    return list.call(cluster, resource);
  };
  cluster.watch = async function* (resource, version, signal) {
    watches += resource.kind === 'Pod' ? 1 : 0;
    if (resource.kind !== 'Pod' || watches > 2) {
      yield* watch.call(cluster, resource, version, signal);
    } else if (watches === 1) {
      yield { type: 'ERROR', object: { code: 410, message: 'too old resource version' } };
    }
  };
  const { ended, errors } = await looped(cluster, (signal) => cluster.run(job('pi'), signal));
  assert.equal(ended.type, 'Complete');
  assert.equal(lists, 3);
  assert.deepEqual(
    errors.map(({ message }) => message.slice(0, 34)),
    ['the watch of pods was interrupted:'],
  );
});

test('lost controllers begin again', async () => {
  const cluster = new MemoryCluster(() => undefined);
  cluster.stores.jobs.create(job('a'));
  const controllers = await Controllers.create(FAST);
  const { errors } = await looped(
    cluster,
    async () => {
      await until(() => cluster.stores.pods.objects.size === 1);
      trap(controllers);
      cluster.stores.jobs.create(job('b'));
      await until(() => cluster.stores.pods.objects.size === 2);
    },
    controllers,
  );
  assert.ok(errors[0] instanceof Lost);
  assert.match(errors[0].panic, /a part of a list of kind Pod that it has not begun/);
});

test('after a failure that is not tolerated, later batches are skipped', async () => {
  const cluster = new MemoryCluster(() => undefined);
  cluster.stores.jobs.create(job('pi', { parallelism: 7, completions: 7 }));
  const { send } = cluster;
  let pods = 0;
  cluster.send = (command) => {
    pods += command.path.endsWith('/pods') ? 1 : 0;
    return pods === 2 ? Promise.reject(new Error('no answer')) : send.call(cluster, command);
  };
  const { plans, errors } = await looped(cluster, () => until(() => pods >= 3), await Controllers.create({}));
  const [creation] = plans.filter(({ batches }) => batches.length > 0);
  assert.ok(creation.batches.length > 3, 'slow start has more batches than were sent');
  assert.equal(pods, 3);
  assert.deepEqual(errors, []);
});

test('a loop runs once at a time, and not on closed controllers', async () => {
  const controllers = await Controllers.create();
  const loop = new Loop(controllers, new MemoryCluster());
  const end = new AbortController();
  const running = loop.run(end.signal);
  await assert.rejects(loop.run(), UsageError);
  end.abort();
  await running;
  controllers.close();
  await assert.rejects(loop.run(), { name: 'UsageError', message: /are closed/ });
});

/** Runs a loop while something is done, and answers with what it reported and what came of that. */
async function looped(cluster, action, controllers) {
  const [plans, errors] = [[], []];
  const end = new AbortController();
  const limit = setTimeout(() => end.abort(), 20_000);
  const options = { onPlan: (plan) => plans.push(plan), onError: (error) => errors.push(error) };
  const loop = new Loop(controllers ?? (await Controllers.create(FAST)), cluster, options);
  const running = loop.run(end.signal);
  const ended = await Promise.race([action(end.signal), running.then(() => assert.fail('the loop ended'))]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  clearTimeout(limit);
  end.abort();
  await running;
  return { plans, errors, ended };
}

async function until(condition) {
  for (const end = Date.now() + 20_000; !condition();) {
    assert.ok(Date.now() < end, `${condition} does not hold in time`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Makes the component panic, past the checks of the binding. */
function trap(controllers) {
  const listing = { kind: 'Pod', part: 'middle', resourceVersion: '1', objects: [] };
  assert.throws(() => controllers.instance.manager.handle({ tag: 'listed', val: listing }, { seconds: 0n, nanoseconds: 0 }));
}

/** The loop on a cluster in memory: it lists, watches, carries out, waits, and begins again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Controllers, Loop, Lost, Malformed, UsageError } from '@jobsmith/controllers';
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

test('a list may come in pages, and begins again if one of them is missing', async () => {
  const cluster = new MemoryCluster(() => undefined);
  for (const name of ['a', 'b', 'c']) {
    cluster.stores.jobs.create(job(name));
  }
  const list = cluster.list;
  const pages = [];
  let gone = true;
  cluster.list = async (resource, page) => {
    const { metadata, items } = await list.call(cluster, resource);
    const next = Number(page) + 1;
    if (resource.kind === 'Job') {
      pages.push(next);
      if (next === 2 && gone) {
        gone = false;
        throw new Error('410 Gone: the continue token is too old');
      }
    }
    return { metadata: { ...metadata, continue: next < items.length ? String(next) : undefined }, items: items.slice(next - 1, next) };
  };
  const { errors } = await looped(cluster, () => until(() => pods(cluster).length === 3));
  assert.deepEqual(pages, [1, 2, 1, 2, 3]);
  assert.deepEqual(
    errors.map(({ message }) => message),
    ['the watch of jobs was interrupted: 410 Gone: the continue token is too old'],
  );
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
      yield { type: 'BOOKMARK', object: {} };
      yield { type: 'ERROR', object: { code: 410, message: 'too old resource version' } };
    }
  };
  const { ended, errors } = await looped(cluster, (signal) => cluster.run(job('pi'), signal));
  assert.equal(ended.type, 'Complete');
  assert.equal(lists, 3);
  assert.deepEqual(
    errors.map(({ message }) => message),
    ['the watch of pods was interrupted: {"code":410,"message":"too old resource version"}'],
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

test('controllers that somebody else loses while the loop runs begin again, too', async () => {
  const cluster = new MemoryCluster(() => undefined);
  cluster.stores.jobs.create(job('a'));
  const controllers = await Controllers.create(FAST);
  const { errors } = await looped(
    cluster,
    async () => {
      await until(() => pods(cluster).length === 1);
      const { metrics } = controllers.instance.manager;
      controllers.instance.manager.metrics = () => metrics({ seconds: 2n ** 60n, nanoseconds: 0 });
      assert.throws(() => controllers.metrics(), Lost);
      cluster.stores.jobs.create(job('b'));
      await until(() => pods(cluster).length === 2);
    },
    controllers,
  );
  assert.ok(errors[0] instanceof Lost);
});

test('a malformed object is reported, and the loop goes on', async () => {
  const cluster = new MemoryCluster();
  cluster.stores.jobs.create(job('broken', { parallelism: 'two' }));
  const { ended, errors } = await looped(cluster, (signal) => cluster.run(job('pi'), signal));
  assert.equal(ended.type, 'Complete');
  assert.ok(errors.length > 0 && errors.every((error) => error instanceof Malformed && error.object === 'default/broken'));
});

test('a request that hangs holds up the end for 4 s at the most', async () => {
  const cluster = new MemoryCluster();
  cluster.stores.jobs.create(job('pi'));
  cluster.send = (command) => {
    cluster.sent.push(command);
    return new Promise(() => {});
  };
  const end = new AbortController();
  const running = new Loop(await Controllers.create(FAST), cluster).run(end.signal);
  await until(() => cluster.sent.length > 0);
  const begin = performance.now();
  end.abort();
  await running;
  const took = performance.now() - begin;
  assert.ok(took > 3500 && took < 10_000, `${took} ms`);
});

test('what onPlan throws ends the loop', async () => {
  const cluster = new MemoryCluster();
  cluster.stores.jobs.create(job('pi'));
  const fail = () => {
    throw new Error('no space left');
  };
  await assert.rejects(new Loop(await Controllers.create(), cluster, { onPlan: fail }).run(), /no space left/);
});

test('after a failure that is not tolerated, later batches are skipped', async () => {
  const cluster = new MemoryCluster(() => undefined);
  cluster.stores.jobs.create(job('pi', { parallelism: 7, completions: 7 }));
  const { send } = cluster;
  let creations = 0;
  cluster.send = (command) => {
    creations += command.path.endsWith('/pods') ? 1 : 0;
    return creations === 2 ? Promise.reject(new Error('no answer')) : send.call(cluster, command);
  };
  const { plans, errors } = await looped(cluster, () => until(() => creations >= 3), await Controllers.create({}));
  const [creation] = plans.filter(({ batches }) => batches.length > 0);
  assert.ok(creation.batches.length > 3, 'slow start has more batches than were sent');
  assert.equal(creations, 3);
  assert.deepEqual(
    errors.map(({ message }) => message),
    ['post /api/v1/namespaces/default/pods: no answer'],
  );
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

test('a cluster that lacks a method is refused', async () => {
  const controllers = await Controllers.create();
  const message = (method) => ({ name: 'TypeError', message: `the cluster has no method ${method}: implement list, watch and send` });
  assert.throws(() => new Loop(controllers, {}), message('list'));
  assert.throws(() => new Loop(controllers, undefined), message('list'));
  assert.throws(() => new Loop(controllers, { list() {}, watch() {} }), message('send'));
});

/** Runs a loop while something is done, and returns what it reported and the result. */
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

/** The requests that create pods. */
function pods(cluster) {
  return cluster.sent.filter(({ path }) => path.endsWith('/pods'));
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

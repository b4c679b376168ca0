/** How plans are carried out, for plans that no controller makes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Executor } from '../../../../host/bindings/node/dist/execution.js';

const DONE = { tag: 'done', val: { name: '', uid: '', resourceVersion: '', deleting: false } };

test('batches wait for each other, the commands of a batch do not', async () => {
  const { begun, outcomes } = await executed([['a', 'b'], ['c']], async (path, begun) => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual(begun, path === 'c' ? ['a', 'b', 'c'] : ['a', 'b']);
    return DONE;
  });
  assert.deepEqual(begun, ['a', 'b', 'c']);
  assert.deepEqual(tags(outcomes), ['done', 'done', 'done']);
});

test('a failure that is tolerated does not hold up later batches', async () => {
  const { outcomes } = await executed([['a'], ['b']], (path) => (path === 'a' ? failed(404) : DONE));
  assert.deepEqual(tags(outcomes), ['failed', 'done']);
  assert.equal(outcomes[0].val.code, 404);
});

test('after another failure all later batches are skipped', async () => {
  const { begun, outcomes } = await executed([['a', 'b'], ['c'], ['d']], (path) => (path === 'a' ? failed(500) : DONE));
  assert.deepEqual(begun, ['a', 'b']);
  assert.deepEqual(tags(outcomes), ['failed', 'done', 'skipped', 'skipped']);
});

test('a command after another one runs whatever becomes of the rest', async () => {
  const plan = [['a', 'b'], [['x', 0], ['y', 1], ['z', 3], ['z', 9]], ['c', ['x', 2], ['y', 3]]];
  const { begun, outcomes } = await executed(plan, (path) => (path === 'a' ? failed(500) : DONE));
  assert.deepEqual(begun, ['a', 'b', 'y', 'y']);
  assert.deepEqual(tags(outcomes), ['failed', 'done', 'skipped', 'done', 'skipped', 'skipped', 'skipped', 'skipped', 'done']);
});

test('nobody knows what became of a request without an answer', async () => {
  const { outcomes, errors } = await executed([['a']], () => Promise.reject(new Error('the connection was reset')));
  assert.deepEqual(outcomes, [{ tag: 'failed', val: { code: 0, reason: '', message: 'Error: the connection was reset', causes: [] } }]);
  assert.deepEqual(errors, ['post a: the connection was reset']);
});

test('an answer that is no outcome is reported', async () => {
  const { outcomes, errors } = await executed([['a'], ['b']], () => undefined);
  assert.deepEqual(tags(outcomes), ['failed', 'skipped']);
  assert.deepEqual(errors, ['post a: send() did not answer with an outcome: return outcome(status, body)']);
});

test('not too many requests are under way at once', async () => {
  let [now, most] = [0, 0];
  const { outcomes } = await executed([Array.from({ length: 200 }, (_, number) => String(number))], async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    now -= 1;
    return DONE;
  });
  assert.deepEqual([outcomes.length, most], [200, 50]);
});

test('what has not been sent in the end is skipped', async () => {
  const end = new AbortController();
  const send = () => {
    end.abort();
    return DONE;
  };
  const { begun, outcomes } = await executed([['a'], ['b']], send, end.signal);
  assert.deepEqual(begun, ['a']);
  assert.deepEqual(tags(outcomes), ['done', 'skipped']);
});

/** Carries out commands with these paths, perhaps with what each comes after; all tolerate 404. */
async function executed(batches, send, signal = new AbortController().signal) {
  const [begun, errors] = [[], []];
  const cluster = {
    send: async ({ path }) => {
      begun.push(path);
      return send(path, begun);
    },
  };
  const command = ([path, after]) => ({ method: 'post', path, tolerates: Uint16Array.of(404), after });
  const plan = { batches: batches.map((batch) => batch.map((each) => command([each].flat()))) };
  const executor = new Executor(cluster, ({ message }) => errors.push(message), signal);
  return { outcomes: await executor.execute(plan), begun, errors };
}

function failed(code) {
  return { tag: 'failed', val: { code, reason: '', message: '', causes: [] } };
}

function tags(outcomes) {
  return outcomes.map(({ tag }) => tag);
}

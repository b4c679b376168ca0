/** The class: what goes wrong and what is refused, with what it says about it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import {
  ConfigError,
  Controllers,
  ExplainError,
  Lost,
  Malformed,
  UsageError,
  compile,
  date,
  rfc3339,
  sentence,
} from '@jobsmith/controllers';
import { JOB, POD, component, listed } from '../objects.mjs';

const NOW = new Date('2026-01-02T03:04:05.678Z');

test('an object goes in as text or as it is', async () => {
  const plans = [JOB, JSON.stringify(JOB)].map(async (job) => {
    const controllers = await listed([job], NOW);
    return [...controllers.plans(NOW)];
  });
  const [one, other] = await Promise.all(plans);
  assert.equal(one.length, 1);
  assert.deepEqual(one, other);
});

test('a kind may stand for its resource', async () => {
  const controllers = await Controllers.create();
  for (const kind of ['CronJob', 'Job', 'Pod']) {
    controllers.listed(kind, [], '1', { now: NOW });
  }
  controllers.applied('Job', JOB, NOW);
  controllers.deleted('Pod', POD, NOW);
  assert.equal([...controllers.plans(NOW)].length, 1);
});

test('what is not an array of objects is no empty list', async () => {
  const controllers = await listed([JOB], NOW);
  for (const [objects, received] of [
    [{ items: [JOB] }, 'an object; pass its `items`'],
    [{}, 'an object'],
    ['[]', "'[]'"],
    [undefined, 'undefined'],
  ]) {
    const message = `objects: expected an array, received ${received}`;
    assert.throws(() => controllers.listed('Job', objects, '2', { now: NOW }), { name: 'TypeError', message });
  }
  controllers.listed('Job', new Set([JOB]), '2', { now: NOW });
  assert.equal([...controllers.plans(NOW)].length, 1);
});

test('a malformed object is named, and the others are taken in', async () => {
  const controllers = await listed([], NOW);
  const [jobs] = controllers.resources().filter(({ kind }) => kind === 'Job');
  const broken = { metadata: { name: 'no', namespace: 'default' }, spec: { parallelism: 'two' } };
  const malformed = caught(() => controllers.listed(jobs, [broken, JOB], '2', { now: NOW }), Malformed);
  assert.deepEqual([malformed.kind, malformed.object], ['Job', 'default/no']);
  assert.match(malformed.reason, /parallelism/);
  assert.deepEqual(
    [...controllers.plans(NOW)].map(({ object }) => object.name),
    [JOB.metadata.name],
  );
});

test('a configuration is refused, and nothing has changed', async () => {
  await assert.rejects(
    Controllers.create({ jobs: {} }),
    (error) => error instanceof ConfigError && /jobs: unknown field/.test(error.message),
  );
  const controllers = await listed([JOB], NOW);
  caught(() => controllers.configure('{"decisions": "some"}'), ConfigError);
  assert.equal([...controllers.plans(NOW)].length, 1);
  controllers.configure({ controllers: ['cronjob'] });
  assert.deepEqual(
    controllers.resources().map(({ kind }) => kind),
    ['CronJob', 'Job'],
  );
});

test('a trap loses the controllers until they are restarted', async () => {
  const controllers = await listed([JOB], NOW);
  const [plan] = controllers.plans(NOW);
  const { rules } = controllers;
  controllers.rules = { check: () => {} };
  const part = { tag: 'listed', val: { kind: 'Pod', part: 'last', resourceVersion: '1', objects: [] } };
  const lost = caught(() => controllers.handle(part, NOW), Lost);
  assert.match(lost.panic, /a part of a list of kind Pod that it has not begun/);
  assert.match(lost.message, /call restart\(\), and list again/);
  for (const call of [() => controllers.about(), () => controllers.finished(plan, outcomes(plan)), () => controllers.nextPlan()]) {
    assert.equal(caught(call, Lost), lost);
  }
  controllers.rules = rules;
  controllers.restart();
  caught(() => controllers.explain(plan.object, NOW), ExplainError);
  list(controllers, [JOB]);
  assert.deepEqual(
    [...controllers.plans(NOW)].map(({ batches }) => batches),
    [plan.batches],
  );
  refused(() => controllers.finished(plan, outcomes(plan), NOW), /^plan 1 is not in flight: report only plans of this instance$/);
});

test('a plan is finished once, by the controllers that made it, with all its outcomes', async () => {
  const controllers = await listed([JOB], NOW);
  const others = await listed([JOB], NOW);
  const [plan] = controllers.plans(NOW);
  refused(() => others.finished(plan, outcomes(plan), NOW), /^plan 1 is not in flight: report only plans of this instance$/);
  refused(() => controllers.finished(plan, [], NOW), /plan 1 has 3 commands, but 0 outcomes were reported/);
  assert.throws(() => controllers.finished(plan), { name: 'TypeError', message: 'outcomes: expected an array, received undefined' });
  refused(() => controllers.finished({ ...plan }, outcomes(plan), NOW), /plan 1 is not in flight/);
  controllers.finished(plan, outcomes(plan), NOW);
  refused(() => controllers.finished(plan, outcomes(plan), NOW), /^plan 1 is finished already: report each plan once$/);
  refused(() => controllers.handle({ tag: 'finished', val: { plan: 7n, outcomes: [] } }, NOW), /plan 7 is not in flight/);
});

test('a plan can be reported again after its outcomes were refused', async () => {
  const controllers = await listed([JOB], NOW);
  const [plan] = controllers.plans(NOW);
  const report = (outcome) =>
    controllers.finished(
      plan,
      outcomes(plan).map(() => outcome),
      NOW,
    );
  for (const wrong of [undefined, {}, { tag: 'done' }, { tag: 'failed', val: { code: 500 } }]) {
    assert.throws(() => report(wrong), TypeError);
  }
  report({ tag: 'skipped' });
  refused(() => report({ tag: 'skipped' }), /finished already/);
});

test('a plan without commands needs no report', async () => {
  const complete = { ...JOB, status: { conditions: [{ type: 'Complete', status: 'True' }] } };
  const controllers = await listed([complete], NOW);
  const [plan] = controllers.plans(NOW);
  assert.deepEqual(plan.batches.flat(), []);
  controllers.finished(plan, [], NOW);
  refused(() => controllers.finished(plan, [{ tag: 'skipped' }], NOW), /finished already/);
});

test('what the controllers do not watch is refused', async () => {
  const controllers = await listed([], NOW);
  refused(() => controllers.applied({ kind: 'Node' }, {}, NOW), /do not watch the kind Node: .*CronJob, Job, Pod/);
  refused(() => controllers.listed('Jobs', [], '1'), /do not watch the kind Jobs: /);
  refused(() => controllers.deleted('Node', {}, NOW), /do not watch the kind Node: /);
  refused(
    () => controllers.listed({ kind: 'Pod' }, [], '1', { part: 'middle' }),
    /has not begun: hand over its part 'first' before 'middle'/,
  );
  for (const part of ['first', 'middle', 'last', 'whole', 'first', 'first', 'last']) {
    controllers.listed({ kind: 'Pod' }, [], '1', { part, now: NOW });
  }
  const begin = (objects) => controllers.handle({ tag: 'listed', val: { kind: 'Pod', part: 'first', resourceVersion: '1', objects } }, NOW);
  assert.throws(() => begin(undefined), TypeError);
  refused(() => controllers.listed({ kind: 'Pod' }, [], '1', { part: 'last', now: NOW }), /has not begun/);
  caught(() => begin(['{']), Malformed);
  controllers.listed({ kind: 'Pod' }, [], '1', { part: 'last', now: NOW });
});

test('objects that JSON has no form for are refused', async () => {
  const controllers = await listed([], NOW);
  refused(() => controllers.applied({ kind: 'Job' }, { spec: { parallelism: 2n } }, NOW), /a bigint at "parallelism".*pass a number/);
  const circle = {};
  circle.circle = circle;
  refused(() => controllers.applied({ kind: 'Job' }, circle, NOW), /circular/);
});

test('a value of the wrong type changes nothing', async () => {
  const controllers = await listed([JOB], NOW);
  for (const event of [{ tag: 'happened' }, { tag: 'changed', val: { tag: 'applied', val: { kind: 'Job' } } }]) {
    assert.throws(() => controllers.handle(event, NOW), TypeError);
  }
  assert.equal([...controllers.plans(NOW)].length, 1);
});

test('times are exact, and may go backwards', async () => {
  const controllers = await listed([JOB], NOW);
  refused(() => controllers.nextPlan(new Date(NaN)), /an invalid Date/);
  refused(() => controllers.nextPlan(new Date(8.64e15)), /is no time: pass one from/);
  for (const [now, received] of [
    ['now', "'now'"],
    [1767323045, '1767323045'],
    [null, 'null'],
    [{}, 'an object'],
  ]) {
    const message = `expected a Date or a Timestamp, received ${received}`;
    assert.throws(() => [...controllers.plans(now)], { name: 'TypeError', message });
  }
  refused(() => controllers.nextPlan({ seconds: 5, nanoseconds: 0 }), /is no time/);
  refused(() => controllers.nextPlan({ seconds: 5n, nanoseconds: 1e9 }), /is no time/);
  const [plan] = controllers.plans(NOW);
  controllers.finished(plan, outcomes(plan), new Date(0));
  controllers.applied({ kind: 'Pod' }, POD, new Date(0));
  assert.deepEqual([...controllers.plans(new Date(1))], []);
  assert.ok(controllers.wakeup());
  const time = { seconds: -1n, nanoseconds: 123456700 };
  assert.deepEqual([rfc3339(time), date(time)], ['1969-12-31T23:59:59.1234567Z', new Date(-877)]);
  assert.deepEqual([rfc3339({ seconds: 0n, nanoseconds: 0 })], ['1970-01-01T00:00:00Z']);
});

test('a sentence is written as the controllers write it', () => {
  const parts = [
    { tag: 'object', val: { kind: 'Job', namespace: 'd', name: 'pi', uid: '' } },
    { tag: 'text', val: ' waits ' },
    { tag: 'duration', val: 12_340n },
    { tag: 'text', val: ' until ' },
    { tag: 'time', val: { seconds: 0n, nanoseconds: 500_000_000 } },
    { tag: 'text', val: ': ' },
    { tag: 'field', val: 'spec.backoffLimit' },
  ];
  assert.equal(sentence(parts), 'pi waits 12.3 s until 1970-01-01T00:00:00.5Z: backoffLimit');
  assert.equal(sentence({ code: 'Waits', sentence: parts }), sentence(parts));
  assert.equal(sentence(parts.slice(2, 3)), '12.3 s');
  assert.equal(sentence([{ tag: 'duration', val: -2_000n }]), '-2 s');
});

test('closed controllers refuse every call', async () => {
  const controllers = await listed([JOB], NOW);
  controllers.close();
  controllers.close();
  for (const call of ['resources', 'wakeup', 'nextPlan', 'about', 'restart']) {
    refused(() => controllers[call](), /are closed: create new ones/);
  }
  refused(() => controllers.applied({ kind: 'Node' }, {}), /are closed/);
  refused(() => controllers.configure({}), /are closed/);
});

test('another component with the same interface runs unchanged', async () => {
  const controllers = await Controllers.create({ controllers: ['pod_labeler'] }, { component: await readFile(component('pod_labeler')) });
  assert.deepEqual(
    controllers.resources().map(({ kind }) => kind),
    ['Pod'],
  );
  controllers.listed(controllers.resources()[0], [{ ...POD, status: { phase: 'Succeeded' } }], '1', { now: NOW });
  const [plan] = controllers.plans(NOW);
  assert.equal(plan.decisions[0].code, 'PodFinished');
  assert.equal(plan.batches[0][0].contentType, 'merge-patch');
});

test('a file that is no component of this interface is refused', async () => {
  await assert.rejects(compile(Uint8Array.of(0, 1, 2)), /not a WebAssembly component/);
  await assert.rejects(compile(Uint8Array.of(0, 97, 115, 109, 13, 0, 1, 0)), /has no core module/);
  await assert.rejects(compile(await readFile(component('echo'))), /does not export jobsmith:controllers\/manager@/);
});

function list(controllers, jobs) {
  for (const resource of controllers.resources()) {
    controllers.listed(resource, resource.kind === 'Job' ? jobs : [], '1', { now: NOW });
  }
}

function outcomes({ batches }) {
  return batches.flat().map(() => ({ tag: 'skipped' }));
}

function refused(call, message) {
  assert.match(caught(call, UsageError).message, message);
}

/** What a call throws, which must be of this class. */
function caught(call, type) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof type, `${error.stack}`);
    return error;
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' });
}

/** A worker that stops, and a play that fails: nothing waits for them, and the next play begins with another worker. */
import { describe, expect, test } from 'vitest';

import { type Channel, Client, type Oracle } from '../src/client.ts';
import type { Call, Question, Reply } from '../src/protocol.ts';
import { createTab } from '../src/state/tab.ts';
import { module } from './steps.ts';

interface Worker extends Channel {
  calls: Call[];
  terminated: boolean;
  reply(message: Reply): void;
  stop(message?: string): void;
}

/** Workers that answer when a test has them do so. */
function workers() {
  const all: Worker[] = [];
  const start = (): Worker => {
    const worker: Worker = {
      calls: [], terminated: false, onmessage: null, onerror: null,
      postMessage: (call) => void worker.calls.push(call),
      terminate: () => void (worker.terminated = true),
      reply: (data) => worker.onmessage?.({ data } as MessageEvent<Reply>),
      stop: (message) => worker.onerror?.({ message } as ErrorEvent),
    };
    all.push(worker);
    return worker;
  };
  return { all, client: new Client(start) };
}

describe('a worker that stops', () => {
  test('fails what waits for it, and another one is started for the next question', async () => {
    const { all, client } = workers();
    const asked = client.call('check', { manifest: '' });
    all[0]?.reply({ id: 1, answer: [] });
    expect(await asked).toEqual([]);
    const waiting = client.call('check', { manifest: '' });
    all[0]?.stop('out of memory');
    await expect(waiting).rejects.toThrow('The controllers stopped: out of memory. They start again when a session is played: change the manifest or the pod behaviour, or reload the page.');
    expect([all.length, all[0]?.terminated]).toEqual([1, true]);
    const again = client.call('check', { manifest: '' });
    all[1]?.reply({ id: 3, answer: [] });
    expect(await again).toEqual([]);
  });

  test('loses its plays, which are refused from then on', async () => {
    const { all, client } = workers();
    void client.call('open', { play: 1, size: 1, runs: 0, until: 0, manifest: '', script: '' }).catch(() => {});
    all[0]?.stop();
    await expect(client.call('objects', { play: 1, step: 0 })).rejects.toThrow('no longer have this session');
    expect(all.length).toBe(1);
  });

  test('is one that could not load the controllers, or whose module trapped', async () => {
    const { all, client } = workers();
    const started = client.call('started', {});
    all[0]?.reply({ id: 1, answer: null });
    await started;
    const asked = client.call('check', { manifest: '' });
    all[0]?.reply({ stopped: 'Failed to fetch' });
    await expect(asked).rejects.toThrow('The controllers stopped: Failed to fetch.');
    void client.call('check', { manifest: '' });
    expect(all.map(({ calls }) => calls.length)).toEqual([2, 1]);
  });

  test('is not one that fails to answer its first question', async () => {
    const { all, client } = workers();
    const asked = client.call('readScenarios', { text: '' });
    all[0]?.reply({ id: 1, failed: 'line 1: not a scenario' });
    await expect(asked).rejects.toThrow(/^line 1: not a scenario$/);
    void client.call('check', { manifest: '' });
    expect(all.length).toBe(1);
  });
});

/** An oracle that fails to answer a question so often. */
function failing(question: Question, times: number): Oracle {
  let left = times;
  return { call: async (name, input) => (name === question && left-- > 0 ? Promise.reject(new Error('out of memory')) : module.call(name, input)) };
}

const manifest = 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: pi}\nspec:\n  completions: 400\n  parallelism: 400\n  template:\n    spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}\n';
const session = { version: 1 as const, manifest, script: '', cursor: 0 };

describe('a play that fails', () => {
  test('ends the wait for it with the reason, and the next one is played', async () => {
    const tab = createTab(failing('open', 1), { session, seek: { to: 'end' } });
    await tab.replay({ to: 'end' });
    expect([tab.starting(), tab.complete(), tab.shown(), tab.failure()]).toEqual([false, true, true, { message: 'out of memory', partial: false }]);
    await tab.replay({ to: 'end' });
    expect([tab.failure(), tab.story().ended]).toEqual([null, true]);
  });

  test('shows what was played of it', async () => {
    const tab = createTab(failing('run', 1), { session, seek: { to: 'end' } });
    await tab.replay({ to: 'end' });
    expect([tab.complete(), tab.story().steps.length > 0, tab.failure()]).toEqual([true, true, { message: 'out of memory', partial: true }]);
    await tab.more();
    await tab.replay({ to: 'end' });
    expect([tab.failure(), tab.story().ended]).toEqual([null, true]);
  });
});

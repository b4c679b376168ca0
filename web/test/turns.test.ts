/** What takes its time is done before what came later. */
import { expect, test } from 'vitest';

import { inTurn } from '../src/turns.ts';

test('what comes later waits', async () => {
  const told: string[] = [];
  let load = (): void => {};
  const loaded = new Promise<void>((done) => (load = done));
  const tell = inTurn(async (what: string) => {
    if (what === 'open') await loaded;
    told.push(what);
  });
  tell('open');
  tell('close');
  await Promise.resolve();
  expect(told).toEqual([]);
  load();
  await expect.poll(() => told).toEqual(['open', 'close']);
});

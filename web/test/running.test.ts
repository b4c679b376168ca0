/** Playback continues from the cursor, also when the cursor is moved meanwhile. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { rewrite } from '../src/state/acts.ts';
import { createWorkspace } from '../src/state/workspace.ts';
import { createRunning } from '../src/transport/running.ts';
import { Clockwork } from './clockwork.ts';

const session = { version: 1 as const, manifest: 'kind: Job\n', script: '', cursor: 0 };
const settled = () => new Promise((done) => setTimeout(done, 5));
let frames: FrameRequestCallback[] = [];
let now = 0;

/** Shows the next frame, a tenth of a second later. */
function frame(): void {
  now += 100;
  for (const draw of frames.splice(0)) draw(now);
}

beforeEach(() => {
  [frames, now] = [[], 0];
  vi.stubGlobal('requestAnimationFrame', (draw: FrameRequestCallback) => frames.push(draw));
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function running() {
  const workspace = createWorkspace(new Clockwork());
  const tab = workspace.open({ session, seek: { to: 'step', step: 1 } });
  await settled();
  const time = createRunning(workspace.current);
  time.start();
  frame();
  expect(tab.at()).toBe(1400);
  return { workspace, tab, time };
}

test('the cursor that is dragged while time runs stays where it is dragged', async () => {
  const { tab } = await running();
  tab.goToTime(6000);
  frame();
  expect(tab.at()).toBe(6400);
});

test('a tab that is chosen while time runs goes on from its own cursor', async () => {
  const { workspace, tab } = await running();
  const other = workspace.open({ session, seek: { to: 'step', step: 5 } });
  await settled();
  frame();
  expect([tab.at(), other.at()]).toEqual([1400, 5400]);
});

test('a change that is made while time runs is played, and time goes on from there', async () => {
  const { tab, time } = await running();
  rewrite(tab, 'at 1s: suspend\n');
  frame();
  await settled();
  expect([tab.at(), tab.step()?.kind]).toEqual([1400, 'action']);
  frame();
  expect([tab.at(), time.runs()]).toEqual([1800, true]);
});

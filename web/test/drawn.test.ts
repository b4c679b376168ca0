/** What the timeline draws: its shapes, as a canvas is asked for them. */
import { describe, expect, test } from 'vitest';

import type { Band } from '../src/model/bands.ts';
import { Failures } from '../src/model/failures.ts';
import type { RunJob } from '../src/model/runs.ts';
import type { PodView } from '../src/protocol.ts';
import { drawHeat, heatRow } from '../src/timeline/heat.ts';
import { type BandLane, drawBands, foldedLanes } from '../src/timeline/lanes.ts';
import { drawPods, startDrawing } from '../src/timeline/rows.ts';
import { drawJob } from '../src/timeline/runs.ts';
import { scale } from '../src/timeline/scale.ts';
import { PALETTE, recorder } from './ink.ts';
import { finish, played, pod, step } from './steps.ts';

describe('the map of very many rows', () => {
  const indexes = Array.from({ length: 1000 }, (_, index) => index);
  const pods = (at: number, phase: 'Running' | 'Succeeded', others: ReturnType<typeof pod>[] = []) =>
    step(at, { pods: [...indexes.filter((index) => !others.some((one) => one.index === index)).map((index) => pod(`a${index}`, { index, phase })), ...others] });
  const failed = pod('a501', { index: 501, phase: 'Failed', exitCode: 1 });
  const drawn = (...steps: Parameters<typeof played>) => {
    const ink = recorder();
    drawHeat(ink, played(...steps).bars.rows(), scale({ from: 0, to: 1000 }, 1000), PALETTE, 1000, 100);
    return ink.rects;
  };

  test('shows a failed index whatever shares its line of pixels', () => {
    const rects = drawn(pods(0, 'Running'), pods(500, 'Succeeded', [failed]));
    const at = (x: number) => rects.findLast((rect) => rect.y <= 50 && 50 < rect.y + rect.height && rect.x <= x && x < rect.x + rect.width)?.fill;
    expect([499, 500, 503, 900].map(at)).toEqual(['running', 'text', 'failed', 'failed']);
  });

  test('shows a failure that is replaced at once', () => {
    const rects = drawn(pods(0, 'Running'), step(500, { pods: [failed] }), step(500, { pods: [pod('b501', { index: 501, phase: 'Running', attempt: 2 })] }));
    expect(rects.filter(({ fill }) => fill === 'failed').at(-1)).toMatchObject({ x: 500, y: 49, width: 5, height: 3 });
  });
});

test('the map tells phases apart by more than their colour', () => {
  const pods = (at: number, phase: 'Pending' | 'Running' | 'Succeeded') => step(at, { pods: [pod('a', { index: 0, phase })] });
  const ink = recorder();
  drawHeat(ink, played(pods(0, 'Pending'), pods(100, 'Running'), pods(200, 'Succeeded')).bars.rows(), scale({ from: 0, to: 300 }, 300), PALETTE, 300, 10);
  expect(ink.rects.map(({ x, width, fill }) => [x, width, fill])).toEqual([[0, 100, 'hatched'], [100, 100, 'running'], [200, 100, 'succeeded'], [200, 2, 'surface']]);
});

test('a fault has a sign of its own, and not only another colour', () => {
  const drawn = (kind: Band['kind']) => {
    const ink = recorder();
    const moment = (at: number) => ({ at, step: 0 });
    const band: Band = { kind, lane: '', title: '', about: null, label: 'held', from: moment(0), until: moment(100), planned: null };
    drawBands(ink, [{ bands: [band] }], scale({ from: 0, to: 100 }, 100), PALETTE, 100);
    return { lines: ink.lines.length, text: ink.texts[0]?.x };
  };
  expect(drawn('state')).toEqual({ lines: 0, text: 6 });
  expect(drawn('fault')).toEqual({ lines: 5, text: 20 });
});

test('the words of a band are whole, and lie over no other band of its lane', () => {
  const delay = (from: number, until: number): Band => ({ kind: 'delay', lane: '', title: '', about: null, label: '', from: { at: from, step: 0 }, until: { at: until, step: 0 }, planned: until });
  const drawn = (...bands: Band[]) => {
    const ink = recorder();
    drawBands(ink, [{ bands }], scale({ from: 0, to: 100_000 }, 1000), PALETTE, 100_000);
    return ink.texts.map(({ text, x }) => [text, x]).filter(([text]) => text !== '');
  };
  expect(drawn(delay(0, 3000), delay(4000, 7000))).toEqual([['until 0:07', 89]]);
  expect(drawn(delay(0, 3000), delay(50_000, 80_000))).toEqual([['until 0:03', 49], ['until 1:20', 520]]);
});

test('of many lanes of bands, those of Jobs that have finished are folded', () => {
  const lane = (object: string, title: string, kind: Band['kind'] = 'state'): BandLane => ({ label: '', object, title, bands: [{ kind, lane: '', title, about: null, label: '', from: { at: 0, step: 0 }, until: null, planned: null }] });
  const lanes = ['a', 'b', 'c'].flatMap((name) => [lane(name, 'SuccessCriteriaMet'), lane(name, 'Complete')]);
  const others = [lane('d', 'FailureTarget'), lane('a', 'backs off', 'delay')];
  expect(foldedLanes(lanes)).toEqual(lanes);
  expect(foldedLanes([...lanes, ...others])).toEqual(others);
});

test('nothing covers how a pod ended: on a narrow bar, the wait after it has what is left', () => {
  const failed = pod('a', { index: 0, phase: 'Failed', exitCode: 42 });
  const [row] = played(step(0, { pods: [pod('a', { index: 0, phase: 'Running' })] }), step(1000, { pods: [failed] })).bars.rows();
  const drawn = (until: number) => {
    const ink = recorder();
    const waits = [{ from: 1000, until, planned: until, step: 1, reason: '' }];
    if (row) drawPods(startDrawing(ink, scale({ from: 0, to: 20_000 }, 400), PALETTE, 20_000), { ...row, waits }, 0);
    const sign = ink.texts.find(({ text }) => text.startsWith('✗'));
    const later = [...ink.rects.filter(({ fill }) => fill === 'surface').map(({ x }) => x), ...ink.lines.filter(({ dashed }) => dashed).map(({ from }) => from[0])];
    return { free: (sign?.x ?? Infinity) + 6 * (sign?.text.length ?? 0), later };
  };
  for (const until of [2000, 3500, 5000, 9000]) {
    const { free, later } = drawn(until);
    expect(later.filter((x) => x < free), `${until}`).toEqual([]);
  }
  expect(drawn(9000).later.length).toBeGreaterThan(1);
});

test('neither a pod nor a Job is drawn longer than it took, however short that is', () => {
  const bars = (drawing: (ink: ReturnType<typeof recorder>) => void): number => {
    const ink = recorder();
    drawing(ink);
    expect(ink.texts.map(({ text }) => text)).toContain('✓');
    return Math.max(...ink.rects.map(({ x, width }) => x + width));
  };
  const pods = (at: number, phase: 'Running' | 'Succeeded') => step(at, { pods: [pod('a', { index: 0, phase })] });
  const [row] = played(pods(0, 'Running'), pods(5000, 'Succeeded')).bars.rows();
  const run: RunJob = { name: 'hello-1', namespace: 'default', cronJob: 'hello', scheduledAt: 0, created: { at: 0, step: 0 }, suspended: false, finished: { at: 5000, step: 1, ...finish(true) }, deleting: null, removed: null, gone: null, delays: [] };
  const drawing = (ink: ReturnType<typeof recorder>) => startDrawing(ink, scale({ from: 0, to: 86_400_000 }, 1000), PALETTE, 5000);
  expect(bars((ink) => row && drawPods(drawing(ink), row, 0))).toBeLessThan(4);
  expect(bars((ink) => drawJob(drawing(ink), run, 0))).toBeLessThan(4);
});

test('a pod that is gone is faint, unless it ended', () => {
  const pods = (at: number, gone: boolean) => step(at, { pods: [pod('a', { index: 0, phase: 'Running', gone })] });
  const filled = (...steps: Parameters<typeof played>) => {
    const [row, ink] = [played(...steps).bars.rows()[0], recorder()];
    if (row) drawPods(startDrawing(ink, scale({ from: 0, to: 100 }, 100), PALETTE, 100), row, 0);
    return ink.rects.find(({ fill }) => fill === 'running')?.alpha;
  };
  expect(filled(pods(0, false))).toBe(1);
  expect(filled(pods(0, false), pods(50, true))).toBeLessThan(0.5);
  const ended = (at: number, gone: boolean) => step(at, { pods: [pod('a', { index: 0, phase: 'Failed', exitCode: 1, gone })] });
  expect(filled(pods(0, false), ended(50, false), ended(60, true))).toBe(1);
});

test('a pending pod says why, where there is room', () => {
  const pods = (at: number, reason: string) => step(at, { pods: [pod('a', { index: 0, reason })] });
  const drawn = (width: number, ...steps: Parameters<typeof played>) => {
    const [row, ink] = [played(...steps).bars.rows()[0], recorder()];
    if (row) drawPods(startDrawing(ink, scale({ from: 0, to: 100 }, width), PALETTE, 100), row, 0);
    return ink.texts.map(({ text }) => text);
  };
  const stuck = [pods(0, ''), pods(0, 'ImagePullBackOff')];
  expect([drawn(400, ...stuck), drawn(60, ...stuck), drawn(400, pods(0, ''))]).toEqual([['ImagePullBackOff'], [], []]);
  expect(drawn(400, ...stuck, step(90, { pods: [pod('a', { index: 0, phase: 'Running' })] }))).toEqual(['ImagePullBackOff']);
});

describe('a pod whose container is restarted', () => {
  const pods = (at: number, changes: Partial<PodView>) => step(at, { pods: [pod('a', { index: 0, phase: 'Running', ...changes })] });
  const restarted = (at: number, number: number, exitCode: number) => [{ container: 'main', exitCode, at, step: number }];
  const story = played(pods(0, {}), pods(5000, { restarted: restarted(5000, 1, 42), restartsAt: 15_000 }), pods(15_000, {}), pods(20_000, { restarted: restarted(20_000, 3, 9) }));
  const ink = recorder();
  const [row] = story.bars.rows();
  if (row) drawPods(startDrawing(ink, scale({ from: 0, to: 30_000 }, 600), PALETTE, 30_000), row, 0);

  test('has a cross with the exit code at the end of each start', () => {
    expect(ink.texts.filter(({ text }) => text.startsWith('✗')).map(({ text, x, fill }) => [text, x, fill])).toEqual([['✗ 42', 72, 'failed-sign'], ['✗ 9', 378, 'failed-sign']]);
    const chips = ink.rects.filter(({ fill }) => fill === 'failed-chip');
    expect(chips.map(({ x, width }) => x + width)).toEqual([100, 400]);
  });

  test('does not run while it waits: dotted, with the end of the wait', () => {
    const running = ink.rects.filter(({ fill }) => fill === 'running').map(({ x, width }) => [x, x + width]);
    expect(running).toEqual([[0, 100], [300, 600]]);
    expect(ink.lines.filter(({ dashed }) => dashed).map(({ from, to }) => [from[0], to[0]])).toEqual([[100, 300], [100, 300]]);
    expect(ink.texts.map(({ text }) => text)).toContain('until 0:15');
  });
});

test('the next and the previous failure are found from any step', () => {
  const failures = new Failures();
  for (const number of [2, 2, 5, 9]) failures.add({ step: number, row: `row ${number}` });
  expect([0, 2, 4, 5, 9].map((from) => failures.after(from)?.step)).toEqual([2, 5, 5, 9, undefined]);
  expect([0, 2, 4, 5, 99].map((from) => failures.before(from)?.step)).toEqual([undefined, undefined, 2, 2, 9]);
  expect([failures.any, new Failures().any]).toEqual([true, false]);
});

test('pods that fail are failures, each at its step', () => {
  const story = played(step(0, { pods: [pod('a', { index: 0 })] }), step(3, { pods: [pod('a', { index: 0, phase: 'Failed' })] }), step(4, { pods: [pod('a', { index: 0, phase: 'Failed', held: false })] }));
  expect(story.bars.failures.after(0)).toEqual({ step: 1, row: 'default/pi/index 0' });
  expect(story.bars.failures.after(1)).toBe(undefined);
});

test('a row of the map is found by its height, and of those that share a line one that has failed', () => {
  const pods = Array.from({ length: 8 }, (_, index) => pod(`pi-${index}`, { index, phase: index === 2 ? 'Failed' : 'Running' }));
  const rows = played(step(0, { pods: pods.map((one) => ({ ...one, phase: 'Running' })) }), step(100, { pods })).bars.rows();
  const found = (y: number, height: number, at: number) => heatRow(rows, y, height, at)?.index;
  expect([0, 15, 79].map((y) => found(y, 80, 50))).toEqual([0, 1, 7]);
  expect([50, 150].map((at) => found(0.5, 2, at))).toEqual([3, 2]);
  expect(heatRow([], 5, 80, 0)).toBe(undefined);
});

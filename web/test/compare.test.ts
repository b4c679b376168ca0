/** Two plays side by side: where they diverge, and where the second stands at the first one's current step. */
import { describe, expect, test } from 'vitest';

import { aligned } from '../src/model/aligned.ts';
import { differences, divergence } from '../src/model/divergence.ts';
import { Story } from '../src/model/story.ts';
import type { Step } from '../src/protocol.ts';
import { decision, job, played, progress, step } from './steps.ts';

const decided = (at: number, sentence: string, minor = false): Step => step(at, { kind: 'plan', entries: [decision(sentence, { minor })] });
const [same, routine, fails] = [decided(0, 'Creates 1 pod'), decided(1000, 'Writes', true), decided(2000, 'The Job fails')];

describe('two plays', () => {
  test('diverge with the first thing that only one of them shows', () => {
    expect(divergence(played(same, routine, fails), played(same))).toEqual({ at: 2000, left: { step: 2, text: '0:02 The Job fails', reason: null }, right: { step: 0, text: null, reason: null } });
    expect(divergence(played(same), played(same, fails))?.right.step).toBe(1);
  });

  test('diverge when the earlier of two different things happens', () => {
    const [soon, late] = [played(same, fails), played(same, routine, decided(1500, 'Syncs', true), decided(9000, 'The Job fails'), decided(9500, 'Ends'))];
    const [first, second] = [{ step: 1, text: '0:02 The Job fails', reason: null }, { step: 2, text: '0:09 The Job fails', reason: null }];
    expect(divergence(soon, late)).toEqual({ at: 2000, left: first, right: second });
    expect(divergence(late, soon)).toEqual({ at: 2000, left: second, right: first });
  });

  test('have the reason of each side, which may come a step later', () => {
    const restarts = step(5000, { entries: [{ type: 'pod', text: 'pod a Restarted' }] });
    const ends = step(5000, { entries: [{ type: 'pod', text: 'pod a Failed' }] });
    const found = divergence(played(same, restarts, decided(6000, 'Writes', true), decided(9000, 'The Job fails')), played(same, ends, decided(6000, 'Retrying pod creation')));
    expect([found?.left.text, found?.left.reason]).toEqual(['0:05 pod a Restarted', { at: 9000, step: 3, text: '0:09 The Job fails' }]);
    expect([found?.right.text, found?.right.reason]).toEqual(['0:05 pod a Failed', { at: 6000, step: 2, text: '0:06 Retrying pod creation' }]);
  });

  test('that show the same do not diverge', () => {
    expect(divergence(played(same, routine, fails), played(same, fails))).toBe(null);
  });

  test('that differ only in the names of their objects do not diverge', () => {
    const named = (name: string) => played(
      step(0, { jobs: [job({ name })], entries: [{ type: 'job', text: `job ${name}: created` }] }),
      step(1000, { entries: [{ type: 'pod', text: `pod ${name}-0-67lr8 Pending: attempt 1 of index 0` }] }),
      step(2000, { entries: [{ type: 'job', text: `job ${name}: Complete` }] }),
    );
    expect([divergence(named('pi'), named('rho-1')), divergence(named('pi-0'), named('a'))]).toEqual([null, null]);
    expect(divergence(named('pi'), played(step(0, { jobs: [job({ name: 'a' })], entries: [{ type: 'job', text: 'job a: suspended' }] })))?.left.text).toBe('0:00 job pi: created');
  });

  test('do not diverge where one of them was not played as far as the other', () => {
    const paused = new Story();
    paused.add(progress([same, routine], { ended: false, paused: true }));
    expect([divergence(paused, played(same, fails)), divergence(played(same, fails), paused)]).toEqual([null, null]);
    expect(divergence(paused, played(same, decided(500, 'The Job fails')))?.at).toBe(500);
  });

  test('differ in lines', () => {
    expect(differences('a\nb\nc\n', 'a\nx\nc\n')).toEqual([{ side: 'left', text: 'b' }, { side: 'right', text: 'x' }]);
    expect(differences('a\n', 'a\n')).toEqual([]);
  });
});

describe('the second play', () => {
  const first = played(step(0), step(0), step(0), step(2000), step(5000), step(5000));
  const second = played(step(0), step(0), step(0), step(0), step(3000), step(5000));
  const at = (number: number): number => aligned(first, number, first.steps[number]?.at ?? 0, second);

  test('stands in the same place of the same moment, and at its end with the first', () => {
    expect([0, 1, 2, 3, 4, 5].map(at)).toEqual([0, 1, 3, 3, 5, 5]);
  });

  test('follows between two steps of the first', () => {
    expect([2000, 2999, 3000, 4999].map((now) => aligned(first, 3, now, second))).toEqual([3, 3, 4, 4]);
  });
});

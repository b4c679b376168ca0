/** The story as lines: which there are, in which words, which a filter lets through, and where a step is among them. */
import { expect, test } from 'vitest';

import { LINE_KINDS, type LineFilter, lineWords, listing, placeOf } from '../src/model/lines.ts';
import { clock } from '../src/model/time.ts';
import type { RequestEntry, Step } from '../src/protocol.ts';
import { about, decision, plan, played, progress, step } from './steps.ts';

const request = (outcome: string): RequestEntry => ({ type: 'request', text: `POST /api/v1/namespaces/default/pods: ${outcome}`, method: 'POST', path: '/api/v1/namespaces/default/pods', outcome });

const STEPS: Step[] = [
  step(0, { kind: 'action', action: 'create job pi', entries: [{ type: 'job', text: 'job pi: created' }] }),
  plan(0, about('pi'), decision('Creating 2 pods', { text: '● Creating 2 pods (J-83)' }), decision('All is well', { role: 'routine', text: '· All is well (J-1)', minor: true }), request('done'), request('conflict')),
  step(500, { entries: [{ type: 'pod', text: 'pod pi-00001 Running' }, { type: 'pod', text: 'pod pi-00002 Running' }] }),
  step(600),
  plan(700, about('pi'), decision('Retrying at 0:11', { role: 'wait', named: 'job pi: ', text: 'job pi: ○ Retrying at 0:11 (J-84)' })),
  step(800, { kind: 'complaint', entries: [{ type: 'complaint', text: 'no pod is running' }] }),
];

const everything: LineFilter = { kinds: new Set(LINE_KINDS), words: '' };

function shown(filter: Partial<LineFilter>): string[] {
  const { shown } = listing(played(...STEPS), { ...everything, ...filter });
  return shown.map((line) => {
    const { mark, text } = lineWords(line);
    return `${clock(line.at)} ${mark} ${text}${line.bad ? ' !' : ''}`;
  });
}

test('all that can be seen has a line, in its order', () => {
  expect(shown({})).toEqual([
    '0:00 ◆ create job pi',
    '0:00  job pi: created',
    '0:00 ● Creating 2 pods',
    '0:00  POST /api/v1/namespaces/default/pods: done',
    '0:00  POST /api/v1/namespaces/default/pods: conflict !',
    '0:00.5  pod pi-00001 Running',
    '0:00.5  pod pi-00002 Running',
    '0:00.7 ○ job pi: Retrying at 0:11',
    '0:00.8 ! no pod is running !',
  ]);
});

test('lines of one kind are left out, and a refused request belongs to the decisions, too', () => {
  expect(shown({ kinds: new Set(['decisions']) })).toEqual(['0:00 ● Creating 2 pods', '0:00  POST /api/v1/namespaces/default/pods: conflict !', '0:00.7 ○ job pi: Retrying at 0:11']);
  expect(shown({ kinds: new Set(['requests']) })).toHaveLength(2);
  expect(shown({ kinds: new Set(['objects']) })).toHaveLength(3);
  expect(shown({ kinds: new Set(['actions']) })).toHaveLength(2);
  expect(shown({ kinds: new Set() })).toEqual([]);
});

test('a search finds all words in any order, times and rules as well', () => {
  expect(shown({ words: ' running PI-00002' })).toEqual(['0:00.5  pod pi-00002 Running']);
  expect(shown({ words: '0:00.7' })).toHaveLength(1);
  expect(shown({ words: 'j-84' })).toHaveLength(1);
  expect(shown({ words: 'nothing of the kind' })).toEqual([]);
});

test('a listing grows with the story, and begins again with another filter or story', () => {
  const story = played(STEPS[0] ?? step(0));
  const filter: LineFilter = { ...everything, kinds: new Set(['decisions', 'actions']) };
  const before = listing(story, filter);
  expect(before.shown).toHaveLength(1);
  story.add(progress(STEPS.slice(1)));
  const after = listing(story, filter, before);
  expect(after.shown).toEqual(listing(story, filter).shown);
  expect(after.shown).toBe(before.shown);
  expect(listing(story, everything, after).shown).toHaveLength(9);
  expect(listing(played(), filter, after).shown).toEqual([]);
});

test('a step is found among the lines, and where its lines would be if it has none', () => {
  const { lines } = played(...STEPS);
  expect([0, 1, 2, 3, 4, 5, 6].map((number) => placeOf(lines, number))).toEqual([0, 2, 5, 7, 7, 8, 9]);
});

/** Every scenario is an example, and every question has its answer among them. */
import { describe, expect, test } from 'vitest';

import first from 'virtual:first';

import { byTopic, loadGallery } from '../src/gallery.ts';
import { answering, FIRST, QUESTIONS } from '../src/model/questions.ts';
import { examples, scenario } from '../src/model/scenario.ts';

describe('the gallery', async () => {
  const gallery = await loadGallery();

  test('has every claim with its manifest', () => {
    expect(gallery.length).toBeGreaterThan(100);
    for (const example of gallery) expect(example.manifest, example.id).toMatch(/^kind: \w+$/m);
    expect(new Set(gallery.map((example) => example.id)).size).toBe(gallery.length);
  });

  test('answers the questions', () => {
    for (const asked of [FIRST, ...QUESTIONS]) expect(answering(asked, gallery).title).toBe(asked.title);
    expect(first).toEqual(answering(FIRST, gallery));
  });

  test('is sorted by topic', () => {
    const topics = byTopic(gallery);
    expect([...topics.values()].flat()).toHaveLength(gallery.length);
    expect(topics.get('Success policy')?.length).toBeGreaterThan(5);
  });
});

test('a session that is saved as a scenario reads as the same', () => {
  const [manifest, script] = ['kind: Job\nmetadata: {name: a}\n', 'pods: exit 1 after 5s\n'];
  expect(examples('x', scenario('A title', manifest, script))).toEqual([{ id: 'x/1', topic: 'A title', title: 'A title', prose: '', manifest, script }]);
});

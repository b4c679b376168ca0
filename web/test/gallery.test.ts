/** Every scenario is an example, and every question has its answer among them. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

import first from 'virtual:first';

import { byTopic, loadGallery } from '../src/gallery.ts';
import { answering, FIRST, QUESTIONS } from '../src/model/questions.ts';
import { openings } from '../src/share/files.ts';
import { module } from './steps.ts';

describe('the gallery', async () => {
  const gallery = await loadGallery();

  test('has every claim with its manifest', () => {
    expect(gallery.length).toBeGreaterThan(100);
    for (const example of gallery) expect(example.manifest, example.title).toMatch(/^kind: \w+$/m);
    expect(new Set(gallery.map((example) => `${example.topic}/${example.title}`)).size).toBe(gallery.length);
  });

  test('answers the questions', () => {
    for (const common of [FIRST, ...QUESTIONS]) expect(answering(common, gallery).title).toBe(common.title);
    expect(first).toEqual(answering(FIRST, gallery));
  });

  test('has the claims of every folder, by the page that they are about', () => {
    const folders = readdirSync(fileURLToPath(new URL('../../tests/scenarios', import.meta.url)), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const pages = [...new Set(gallery.map((example) => example.page))];
    expect(pages).toEqual(['Jobs', 'CronJob', 'Automatic cleanup for finished Jobs']);
    expect(pages).toHaveLength(folders.length);
    expect(byTopic(gallery).get('CronJob: Concurrency policy')?.length).toBeGreaterThan(2);
  });

  test('is sorted by topic', () => {
    const topics = byTopic(gallery);
    expect([...topics.values()].flat()).toHaveLength(gallery.length);
    expect(topics.get('Success policy')?.length).toBeGreaterThan(5);
  });
});

test('a session that is saved as a scenario file opens as the same, also with lines as Windows ends them', async () => {
  const template = 'spec:\n  template:\n    spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}\n';
  const [title, manifest, script] = ['A title', `apiVersion: batch/v1\nkind: Job\n## no claim\nmetadata: {name: a}\n${template}`, 'pods: exit 1 after 5s\n'];
  const file = await module.call('writeScenario', { title, manifest, script, until: 60_000 });
  expect(file).toMatch(/```trace exact\n +0:00 job a: created\n[\s\S]*```status exact\nconditions:/);
  for (const text of [file, file.replaceAll('\n', '\r\n')]) {
    expect((await openings(module, 'a.md', text)).map(({ session }) => session)).toEqual([{ version: 1, manifest, script, cursor: 0, title }]);
  }
  await expect(openings(module, 'a.md', 'no claim')).rejects.toContain('line 1');
});

/** Examples are written in block style, and mean what they meant. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

import { blockStyle } from '../plugins/block.ts';
import { loadGallery } from '../src/gallery.ts';
import type { Example } from '../src/protocol.ts';
import { module } from './steps.ts';

test('each field has a line of its own, and a short list of values stays on its line', () => {
  const flow = 'metadata: {name: a, labels: {}}\nspec:\n  template:\n    spec: {containers: [{name: main, command: [sh, -c, "exit 1"], env: [{name: A, value: "{b}"}]}, {name: log}]} # two\n  rules:\n  - {action: FailJob, onExitCodes: {values: [42]}}\n';
  expect(blockStyle(flow)).toBe(`metadata:
  name: a
  labels: {}
spec:
  template:
    spec:
      containers:
      - name: main
        command: [sh, -c, "exit 1"]
        env:
        - name: A
          value: "{b}"
      - name: log # two
  rules:
  - action: FailJob
    onExitCodes:
      values: [42]
`);
});

const FOLDER = fileURLToPath(new URL('../../tests/scenarios', import.meta.url));

test('every example is what its scenario says', async () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => /\/.*\.md$/.test(file));
  const written = new Map((await loadGallery()).map((example) => [`${example.topic}/${example.title}`, example.manifest]));
  for (const file of files) {
    const claims: Example[] = await module.call('readScenarios', { text: readFileSync(`${FOLDER}/${file}`, 'utf8') });
    for (const { topic, title, manifest } of claims) {
      const after = written.get(`${topic}/${title}`) ?? '';
      expect(await module.call('changes', { before: manifest, after }), title).toEqual(await module.call('changes', { before: manifest, after: manifest }));
    }
  }
});

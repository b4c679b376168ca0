/** What is a recording, and what its first line holds. */
import { expect, test } from 'vitest';

import { openings } from '../src/share/files.ts';
import { module } from './steps.ts';

test('a recording is known by its first line, whatever its name is', async () => {
  const header = '{"recording":{"jobsmith":"0.1.0","component":"3f","kubernetes":"v1.37","configuration":{},"start":"2026-01-01T00:00:00Z"}}\n';
  const [opening] = await openings(module, 'incident.json', `${header}"restarted"\n`);
  expect(opening?.recording).toMatchObject({ jobsmith: '0.1.0', component: '3f', start: '2026-01-01T00:00:00Z', text: `${header}"restarted"\n` });
  expect(opening?.session).toMatchObject({ manifest: '', script: '', title: 'incident.json' });
  expect((await openings(module, 'job.yaml', 'kind: Job\n'))[0]?.recording).toBeUndefined();
});

test.each(['{"recording":{}}\n', '{"recording":'])('a first line without members leaves it empty: %s', async (text) => {
  expect((await openings(module, 'x.jsonl', text))[0]?.recording).toEqual({ text, jobsmith: '', component: '', kubernetes: '', start: '' });
});

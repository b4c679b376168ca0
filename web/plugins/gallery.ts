/** Gives the page all claims of `tests/scenarios`, read when it is built, as `virtual:gallery`, the one it opens with as `virtual:first`, and the beginning of its play as `virtual:opened`. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

import type { Claim } from '../src/gallery.ts';
import { answering, FIRST } from '../src/model/questions.ts';
import type { Opened } from '../src/protocol.ts';
import { FIRST_PIECE } from '../src/state/pieces.ts';
import type { Example, Progress } from '../src/views.ts';
import { blockStyle } from './block.ts';
import { engine, loaded } from './module.ts';

const FOLDER = fileURLToPath(new URL('../../tests/scenarios', import.meta.url));
/** The folders of the scenarios, in the order in which the page has them, with the Kubernetes page that each is about. */
const PAGES = [['job', 'Jobs'], ['cronjob', 'CronJob'], ['ttl', 'Automatic cleanup for finished Jobs']] as const;
const MODULES = new Map<string, () => unknown>([['virtual:gallery', all], ['virtual:first', first], ['virtual:opened', opened]]);

function all(): Claim[] {
  const { readScenarios } = loaded();
  return PAGES.flatMap(([folder, page]) => {
    const files = readdirSync(`${FOLDER}/${folder}`).filter((file) => file.endsWith('.md')).sort();
    return files.map((file) => readFileSync(`${FOLDER}/${folder}/${file}`, 'utf8')).flatMap((text) =>
      (readScenarios(text) as Example[]).map((example) => ({ ...example, manifest: blockStyle(example.manifest), page, outcomes: outcomes(text, example.title) })),
    );
  });
}

/** What is searched for of the trace of a claim. */
function outcomes(text: string, title: string): string {
  const [claim = ''] = text.slice(text.indexOf(`\n## ${title}\n`) + 1).split('\n## ');
  const [, trace = ''] = /```trace\n(.*?)```/s.exec(claim) ?? [];
  const lines = [...trace.matchAll(/^ *[\d:.]+ (job \S+ [A-Z].*|job \S+: [A-Z]\w+.*: [A-Z]\w+|pod \S+ .*(?:exit code|exited with code) \d+)/gm)].map(([, line = '']) => line.replace(/^(job|pod) \S+ /, ''));
  return [...new Set(lines)].join('\n');
}

function first(): Example {
  return answering(FIRST, all());
}

/** The first piece of the play of the first example, which must be all of it: the page shows it without the controllers. */
function opened(): Opened {
  const { manifest, script } = first();
  const answer = engine().open({ play: 0, size: FIRST_PIECE, runs: 0, until: 0, manifest, script });
  if ('problems' in answer || !(JSON.parse(answer.progress) as Progress).ended) throw new Error('the first example is not played to its end by its first piece');
  return answer;
}

export function gallery(): Plugin {
  return {
    name: 'gallery',
    resolveId: (id) => (MODULES.has(id) ? `\0${id}` : null),
    load: (id) => {
      const content = MODULES.get(id.slice(1));
      return content ? `export default ${JSON.stringify(content())};` : null;
    },
  };
}

/** Gives the page all claims of `tests/scenarios`, read when it is built, as `virtual:gallery`, and the one it opens with as `virtual:first`. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

import type { Claim } from '../src/gallery.ts';
import { answering, FIRST } from '../src/model/questions.ts';
import type { Example } from '../src/views.ts';
import { loaded } from './module.ts';

const FOLDER = fileURLToPath(new URL('../../tests/scenarios', import.meta.url));
/** The folders of the scenarios, in the order in which the page has them, with the Kubernetes page that each is about. */
const PAGES = [['job', 'Jobs'], ['cronjob', 'CronJob'], ['ttl', 'Automatic cleanup for finished Jobs']] as const;
const MODULES = new Map<string, () => unknown>([['virtual:gallery', all], ['virtual:first', () => answering(FIRST, all())]]);

function all(): Claim[] {
  const { readScenarios } = loaded();
  return PAGES.flatMap(([folder, page]) => {
    const files = readdirSync(`${FOLDER}/${folder}`).filter((file) => file.endsWith('.md')).sort();
    return files.flatMap((file) => JSON.parse(readScenarios(readFileSync(`${FOLDER}/${folder}/${file}`, 'utf8'))) as Example[]).map((example) => ({ ...example, page }));
  });
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

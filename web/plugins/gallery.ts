/** Gives the page all claims of `tests/scenarios`, read when it is built, as `virtual:gallery`, and the one it opens with as `virtual:first`. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

import { answering, FIRST } from '../src/model/questions.ts';
import type { Example } from '../src/views.ts';
import { loaded } from './module.ts';

const FOLDER = fileURLToPath(new URL('../../tests/scenarios', import.meta.url));
const MODULES = new Map<string, () => unknown>([['virtual:gallery', all], ['virtual:first', () => answering(FIRST, all())]]);

function all(): Example[] {
  const { readScenarios } = loaded();
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.includes('/') && file.endsWith('.md')).sort();
  return files.flatMap((file) => JSON.parse(readScenarios(readFileSync(`${FOLDER}/${file}`, 'utf8'))) as Example[]);
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

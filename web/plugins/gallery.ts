/** Gives the page every claim of `tests/scenarios`, read when it is built, as the module `virtual:gallery`. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

import { type Example, examples } from '../src/model/scenario.ts';

const FOLDER = fileURLToPath(new URL('../../tests/scenarios', import.meta.url));
const NAME = 'virtual:gallery';

function all(): Example[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.includes('/') && file.endsWith('.md')).sort();
  return files.flatMap((file) => examples(file.replace(/\.md$/, ''), readFileSync(`${FOLDER}/${file}`, 'utf8')));
}

export function gallery(): Plugin {
  return {
    name: 'gallery',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load: (id) => (id === `\0${NAME}` ? `export default ${JSON.stringify(all())};` : null),
  };
}

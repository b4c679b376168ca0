/** Gives the page the pages of the rules of `jobsmith lint`, as Markdown by their names, as `virtual:rules`: read from `crates/advice` when it is built. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const FOLDER = fileURLToPath(new URL('../../crates/advice/src/rules', import.meta.url));
const MODULE = 'virtual:rules';

/** The pages by the names in their first lines. */
function pages(): Record<string, string> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.md')).sort();
  return Object.fromEntries(files.map((file) => {
    const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
    const [, name] = /^# ([a-z\d-]+)\n/.exec(text) ?? [];
    if (name === undefined) throw new Error(`${file} does not begin with the name of its rule`);
    return [name, text];
  }));
}

export function rules(): Plugin {
  return {
    name: 'rules',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    load: (id) => (id === `\0${MODULE}` ? `export default ${JSON.stringify(pages())};` : null),
  };
}

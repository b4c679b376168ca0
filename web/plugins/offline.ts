/** Writes the service worker, with the names of all built files in it, so that the page works without a network after its first load. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const PUBLIC = fileURLToPath(new URL('../public', import.meta.url));
const SOURCE = fileURLToPath(new URL('./service-worker.js', import.meta.url));

export function offline(): Plugin {
  return {
    name: 'offline',
    apply: 'build',
    generateBundle(_options, bundle) {
      const files = [...Object.keys(bundle), ...readdirSync(PUBLIC)];
      // The names of all files but these few carry a hash of what is in them.
      const page = bundle['index.html'];
      const plain = [page?.type === 'asset' ? page.source : '', ...readdirSync(PUBLIC).map((file) => readFileSync(`${PUBLIC}/${file}`))];
      const hash = createHash('sha256').update(files.sort().join('\n'));
      for (const text of plain) hash.update(text);
      const version = hash.digest('hex').slice(0, 16);
      const source = readFileSync(SOURCE, 'utf8').replace('__VERSION__', version).replace('__FILES__', JSON.stringify(['./', './?embed', ...files], null, 2));
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
    },
  };
}

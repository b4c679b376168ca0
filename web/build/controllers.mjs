/**
 * Makes of the component what a browser can load: a core module, the JavaScript around it, and `about.json`, which says what it is.
 * `cargo xtask web` calls it with the component, the folder to write to, and the version of jobsmith.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transpileBytes } from '@bytecodealliance/jco-transpile';

const [component, folder, jobsmith] = process.argv.slice(2);
const bytes = await readFile(component);
const { files } = await transpileBytes(bytes, { name: 'controllers', instantiation: 'sync', minify: true });
for (const [name, content] of Object.entries(files)) {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

const { instantiate } = await import(pathToFileURL(join(folder, 'controllers.js')).href);
const module = new WebAssembly.Module(files['controllers.core.wasm']);
const versions = instantiate(() => module, {}).manager.about();
const sha256 = createHash('sha256').update(bytes).digest('hex');
await writeFile(join(folder, 'about.json'), `${JSON.stringify({ sha256, jobsmith, ...versions }, null, 2)}\n`);

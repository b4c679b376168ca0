/**
 * Plays sessions with the files that the page loads, and prints the trace of each, and a NUL after it.
 * It is started with the folder of these files and a file with the sessions, a JSON list of `{manifest, script}`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [generated, sessions] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(generated, name)).href);
const browser = await load('browser.js');
browser.initSync({ module: await readFile(join(generated, 'browser_bg.wasm')) });
const core = new WebAssembly.Module(await readFile(join(generated, 'controllers.core.wasm')));
const manager = () => new WebAssembly.Instance(core).exports;

let told = '';
for (const { manifest, script } of JSON.parse(await readFile(sessions, 'utf8'))) {
  const playing = browser.play(manager, manifest, script);
  while (!JSON.parse(playing.run(50)).ended);
  told += `${playing.trace(true)}\0`;
  playing.free();
}
process.stdout.write(told);

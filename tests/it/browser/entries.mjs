/**
 * Plays sessions with the files that the page loads, and prints what is seen of each: an entry a line, and a NUL after each session.
 * It is started with the folder of these files and a file with the sessions, a JSON list of `{manifest, script}`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [generated, sessions] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(generated, name)).href);
const [browser, { instantiate }] = [await load('browser.js'), await load('controllers.js')];
browser.initSync({ module: await readFile(join(generated, 'browser_bg.wasm')) });
const core = new WebAssembly.Module(await readFile(join(generated, 'controllers.core.wasm')));
const manager = () => instantiate(() => core, {}).manager;

let told = '';
for (const { manifest, script } of JSON.parse(await readFile(sessions, 'utf8'))) {
  const playing = browser.play(manager, manifest, script);
  for (let ended = false; !ended; ) {
    const progress = JSON.parse(playing.run(50));
    for (const { entries } of progress.steps) told += entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    ended = progress.ended;
  }
  playing.free();
  told += '\0';
}
process.stdout.write(told);

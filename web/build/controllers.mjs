/**
 * Makes of the component what a browser can load: its core module, and `about.json`, which says what it is.
 * `cargo xtask web` calls it with the component, the folder that has the module of the crate `browser`, and the version of jobsmith.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [component, folder, jobsmith] = process.argv.slice(2);
const bytes = await readFile(component);
const core = coreModule(bytes);
await writeFile(join(folder, 'controllers.core.wasm'), core);

const browser = await import(pathToFileURL(join(folder, 'browser.js')).href);
browser.initSync({ module: await readFile(join(folder, 'browser_bg.wasm')) });
const versions = browser.about(() => new WebAssembly.Instance(new WebAssembly.Module(core)).exports);
const sha256 = createHash('sha256').update(bytes).digest('hex');
await writeFile(join(folder, 'about.json'), `${JSON.stringify({ sha256, jobsmith, ...versions }, null, 2)}\n`);

/** The core module of a component: its section with the number 1. */
function coreModule(component) {
  let at = 8;
  while (at < component.length) {
    const section = component[at++];
    let [size, shift, byte] = [0, 0, 0];
    do {
      byte = component[at++];
      size |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80);
    if (section === 1) return component.subarray(at, at + size);
    at += size;
  }
  throw new Error('the component holds no core module');
}

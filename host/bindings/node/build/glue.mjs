/**
 * Makes the JavaScript that a component's functions are called through: `node build/glue.mjs COMPONENT FOLDER` writes `FOLDER/glue.js`.
 *
 * The code follows from the component's interface alone. It takes the core module from its caller, so none is written.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transpileBytes } from '@bytecodealliance/jco-transpile';

const [component, folder] = process.argv.slice(2);
const { files } = await transpileBytes(await readFile(component), { name: 'glue', instantiation: 'sync', minify: true });
let glue = new TextDecoder().decode(files['glue.js']);
// jco's decoder takes a U+FEFF at the beginning of a string away.
replace('new TextDecoder,', 'new TextDecoder("utf-8",{ignoreBOM:!0}),');
// Nothing here is asynchronous. In engines without this function, finding that out takes longer than making the rest of an instance.
replace('WebAssembly.promising(', '(');
// A directive that bundlers warn of.
replace('"use components";', '');
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'glue.js'), glue);

/** Replaces code that has to be there. */
function replace(code, other) {
  if (!glue.includes(code)) {
    throw new Error(`jco no longer writes ${code}: find out what it writes in its place`);
  }
  glue = glue.replaceAll(code, other);
}

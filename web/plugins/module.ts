/** The module of the crate `browser` where there is no page: when the page is built, and in tests. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import * as browser from '../src/generated/browser.js';

const FILE = fileURLToPath(new URL('../src/generated/browser_bg.wasm', import.meta.url));

export function loaded(): typeof browser {
  browser.initSync({ module: readFileSync(FILE) });
  return browser;
}

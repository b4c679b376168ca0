/** The modules where there is no page: when the page is built, and in tests. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { type Answers, answers } from '../src/engine.ts';
import * as browser from '../src/generated/browser.js';

function file(name: string): Buffer<ArrayBuffer> {
  return readFileSync(fileURLToPath(new URL(`../src/generated/${name}`, import.meta.url)));
}

export function loaded(): typeof browser {
  browser.initSync({ module: file('browser_bg.wasm') });
  return browser;
}

let ready: Answers | undefined;

/** What the worker would answer. */
export function engine(): Answers {
  loaded();
  return (ready ??= answers(new WebAssembly.Module(file('controllers.core.wasm'))));
}

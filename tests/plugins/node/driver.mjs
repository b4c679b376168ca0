/**
 * The driver: `node driver.mjs COMPONENT` carries out calls on a component, and compares what it answers.
 *
 * Docs: `tests/plugins/README.md`, "The driver". Values are compared in `values.mjs`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { Controllers, INTERFACE, Malformed, compile, coreModule } from '@jobsmith/controllers';
import { alike, value } from './values.mjs';

const [component] = process.argv.slice(2);
if (!component) {
  throw new Error('usage: node driver.mjs COMPONENT');
}
const bytes = await readFile(component);
const instantiate = component.endsWith('echo.wasm') ? await echo(bytes) : await controllers(bytes);
let functions;
let calls = 0;
let number = 0;
for await (const text of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  number += 1;
  const line = JSON.parse(text);
  if (line.history) {
    functions = await instantiate();
    continue;
  }
  const [expected, actual] = [value(line.answer), carryOut(line)];
  if (!alike(expected, actual)) {
    const shown = (value) => inspect(value, { depth: Infinity, maxStringLength: Infinity, maxArrayLength: Infinity });
    console.log(`line ${number}: ${line.call}\nexpected: ${shown(expected)}\ncame: ${shown(actual)}`);
    process.exit(1);
  }
  calls += 1;
}
console.log(`${calls} calls alike`);

/** Calls a function; what it throws because a `result` is an error comes as such. */
function carryOut({ call, arguments: values, answer }) {
  const name = call.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  const result = answer?.tag === 'ok' || answer?.tag === 'err';
  try {
    const answered = functions[name](...values.map(value));
    return result ? { tag: 'ok', val: answered } : answered;
  } catch (error) {
    if (!result) {
      throw error;
    }
    return { tag: 'err', val: refusal(error) };
  }
}

/** What a `result` has as its error. */
function refusal(error) {
  if (error instanceof Malformed) {
    return { kind: error.kind, name: error.object, reason: error.reason };
  }
  return ['ConfigError', 'ExplainError'].includes(error.name) ? error.message : error;
}

/** Makes instances of controllers, through the class that users call. */
async function controllers(bytes) {
  const module = await compile(bytes);
  return async () => {
    const made = await Controllers.create({}, { component: module });
    const explain = (object, warnings, now) => Controllers.prototype.explain.call(made, object, now, warnings);
    return Object.assign(made, { nextWakeup: made.wakeup, explain });
  };
}

/** Makes instances of the echo component, whose functions have glue of their own, made as that of the package. */
async function echo(bytes) {
  const folder = await mkdtemp(join(tmpdir(), 'jobsmith-echo-'));
  const build = fileURLToPath(new URL('../../../host/bindings/node/build/glue.mjs', import.meta.url));
  execFileSync(process.execPath, [build, component, folder], { stdio: 'inherit' });
  const glue = await readFile(join(folder, 'glue.js'), 'utf8');
  await rm(folder, { recursive: true });
  const { instantiate } = await import(`data:text/javascript,${encodeURIComponent(glue)}`);
  const module = await WebAssembly.compile(coreModule(bytes));
  return () => instantiate(() => module, {})[INTERFACE];
}

/**
 * A component as a file: the core module in it is what JavaScript engines can load.
 *
 * Docs: Component Model, "Binary Format". How the module's functions are called is in `instance.ts`.
 */
import { INTERFACE } from './types.js';

/** The bytes of a component. */
export type ComponentBytes = ArrayBuffer | Uint8Array;

/** The first eight bytes of a component: `\0asm`, the version of the format, and the layer. */
const PREAMBLE = [0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00];
/** The section that holds a core module. */
const CORE_MODULE = 1;

/**
 * Compiles a component, or the one in this package. Several `Controllers` can share the result, including those of workers that it is posted to.
 *
 * @throws An `Error` if it is not a component, or does not export this interface.
 */
export async function compile(component?: ComponentBytes): Promise<WebAssembly.Module> {
  const module = await WebAssembly.compile(coreModule(component ?? (await shipped())));
  if (!WebAssembly.Module.exports(module).some(({ name }) => name.startsWith(`${INTERFACE}#configure`))) {
    throw new Error(`the component does not export ${INTERFACE}, which this version of @jobsmith/controllers speaks`);
  }
  return module;
}

/** The one core module of a component, byte for byte. */
export function coreModule(component: ComponentBytes): ArrayBuffer {
  const bytes = new Uint8Array(component);
  if (PREAMBLE.some((byte, index) => bytes[index] !== byte)) {
    throw new Error('this is not a WebAssembly component');
  }
  let at = PREAMBLE.length;
  while (at < bytes.length) {
    const section = bytes[at++];
    let size = 0;
    let shift = 0;
    let byte;
    do {
      byte = bytes[at++] ?? 0;
      size += (byte & 0x7f) * 2 ** shift;
      shift += 7;
    } while (byte & 0x80);
    if (section === CORE_MODULE) {
      return bytes.buffer.slice(at, at + size);
    }
    at += size;
  }
  throw new Error('the component has no core module');
}

/** The component in this package. */
async function shipped(): Promise<ComponentBytes> {
  const url = new URL('../controllers.wasm', import.meta.url);
  if (url.protocol === 'file:') {
    // The name is a variable, so that bundlers for browsers do not look for the module.
    const files = 'node:fs/promises';
    const { readFile } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ files)) as typeof import('node:fs/promises');
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`${url.href} cannot be read: status ${response.status}`);
  }
  return response.arrayBuffer();
}

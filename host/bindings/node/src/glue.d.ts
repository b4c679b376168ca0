/** What jco makes of the component's interface: `dist/glue.js`, written by `build/glue.mjs`. */
import type { INTERFACE, Manager } from './types.js';

export function instantiate(
  getCoreModule: () => WebAssembly.Module,
  imports: Record<string, never>,
  instantiateCore: (module: WebAssembly.Module) => WebAssembly.Instance,
): Record<typeof INTERFACE, Manager>;

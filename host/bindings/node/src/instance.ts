/**
 * One instance of a component: its functions, and what its last panic left in its memory.
 *
 * Docs: `crates/component/wit/controllers.wit`, "Errors". What traps and refusals become is in `controllers.ts`.
 */
import { instantiate } from './glue.js';
import { INTERFACE, type Manager } from './types.js';

/** An instance that knows nothing yet. */
export class Instance {
  /** Its functions. They throw what a `result` has as its error as it is, and a trap as `WebAssembly.RuntimeError`. */
  readonly manager: Manager;
  private core!: WebAssembly.Instance;

  constructor(module: WebAssembly.Module) {
    const exports = instantiate(
      () => module,
      {},
      (module) => (this.core = new WebAssembly.Instance(module)),
    );
    this.manager = exports[INTERFACE];
  }

  /** The message of its panic; empty if there was none. */
  panic(): string {
    const { LAST_PANIC: message, memory } = this.core.exports;
    if (!(message instanceof WebAssembly.Global && memory instanceof WebAssembly.Memory)) {
      return '';
    }
    const address: number = message.value;
    const length = new DataView(memory.buffer).getUint32(address, true);
    return new TextDecoder().decode(new Uint8Array(memory.buffer, address + 4, length));
  }
}

/** The errors that controllers throw: each class is one thing that a caller can do something about. */
import type { Malformed as Details } from './types.js';

/** An object that was handed over is malformed. What was known of it stays; everything else in the same event is handled. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
  /** Its kind. */
  readonly kind: string;
  /** `namespace/name` if they can be read; otherwise empty. */
  readonly object: string;
  /** What is wrong, and where. */
  readonly reason: string;

  constructor({ kind, name, reason }: Details) {
    super(`${kind}${name && ` ${name}`} is malformed: ${reason}`);
    this.kind = kind;
    this.object = name;
    this.reason = reason;
  }
}

/** The configuration is refused, and nothing has changed: the message says what is wrong with it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** There is nothing to explain: the message says why. */
export class ExplainError extends Error {
  override readonly name = 'ExplainError';
}

/** The component trapped, and its instance is gone with all that it knew: call `restart()`, and list again. */
export class Lost extends Error {
  override readonly name = 'Lost';
  /** The message of the panic; empty if the trap was none. */
  readonly panic: string;

  constructor(panic: string, cause: Error) {
    super(`the controllers are lost: ${panic || cause.message}; call restart(), and list again`, { cause });
    this.panic = panic;
  }
}

/** A call that breaks the contract, and changes nothing: the message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

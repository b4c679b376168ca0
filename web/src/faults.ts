/** Messages about what goes wrong in the page itself. */

export const MISSING = 'This part of the page could not be loaded. Try again, or reload the page.';

const BUG = 'The playground crashed because of a bug. Choose “Share”, then “Copy CLI command”, and run it in a shell for details. Reload the page to continue.';

/** The message of an error. */
export function fault(error: unknown): string {
  // A trap, in which panics of the modules end: it has no message of its own.
  if (error instanceof WebAssembly.RuntimeError) return BUG;
  return error instanceof Error ? error.message : String(error);
}

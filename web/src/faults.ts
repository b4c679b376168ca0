/** What is said of what goes wrong in the page itself. */

export const MISSING = 'This part of the page cannot be loaded. Try it again, or load the page again.';

const BUG = 'The playground has stopped at a bug of its own. “Share”, “Save as a scenario file”, and `jobsmith simulate FILE` says more of it. Load the page again to go on.';

/** What an error says. */
export function fault(error: unknown): string {
  // A trap, in which panics of the modules end: it says nothing of its own.
  if (error instanceof WebAssembly.RuntimeError) return BUG;
  return error instanceof Error ? error.message : String(error);
}

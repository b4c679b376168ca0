/** Messages about what goes wrong in the page itself. */

export const MISSING = 'This part of the page could not be loaded. Try again, or reload the page.';

/** Why the controllers stop when a module traps, in which panics and a lack of memory end: a trap has no message of its own. */
export const CRASHED = 'they crashed because of a bug or ran out of memory. For details, choose “Share”, then “Copy CLI command”, and run it in a shell';

/** The message of an error. */
export function fault(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

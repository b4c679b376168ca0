/** Time that passes. */

/** The longest time that a timer takes, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Resolves after some milliseconds, or as soon as the signal is aborted. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      return resolve();
    }
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(Math.max(milliseconds, 0), LONGEST));
    signal.addEventListener('abort', end);
  });
}

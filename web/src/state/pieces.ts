/** The pieces of a play, as the worker plays them: one piece is always on its way while the one before it is drawn. */
import type { Oracle } from '../client.ts';
import type { Ahead, Opened, Source } from '../protocol.ts';

/** So many entries and objects are played at first: enough to see something, and soon. */
export const FIRST_PIECE = 500;
/** So many are played at a time afterwards: few enough not to hold up the page, and enough not to draw it all the time. */
const PIECE = 50_000;

let plays = 0;

export type Pieces = ReturnType<typeof createPieces>;

export function createPieces(oracle: Oracle) {
  let play = 0;
  let coming = Promise.resolve('');

  function close(): void {
    // A worker that has stopped has closed it.
    if (play > 0) void oracle.call('close', { play }).catch(() => {});
    play = 0;
  }

  return {
    close,
    /** Closes a play that failed; whether it was still the one that is played. */
    drop: (failed: number): boolean => {
      if (play !== failed) return false;
      close();
      return true;
    },
    /** The number of the play in the worker; 0 if there is none. */
    play: () => play,
    /** Opens another play; null if yet another was opened before this one was there. */
    async open(source: Source, ahead: Ahead): Promise<Opened | null> {
      close();
      const mine = (play = ++plays);
      const opened = await oracle.call('open', { play: mine, size: FIRST_PIECE, ...ahead, ...source });
      if (play !== mine) return null;
      if ('progress' in opened) coming = Promise.resolve(opened.progress);
      else play = 0;
      return opened;
    },
    /** The piece that is on its way, a `Progress` as JSON. */
    next: () => coming,
    /** Has the worker play a further piece. */
    request: (size = PIECE): void => {
      coming = oracle.call('run', { play, size });
    },
    /** Has it play CronJobs no further than this from here on. */
    limit: (ahead: Ahead): void => void (play > 0 && oracle.call('playAhead', { play, ...ahead })),
  };
}

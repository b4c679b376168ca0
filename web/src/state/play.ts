/** Plays a session in the worker, piece by piece, so that the page is never busy for long. */
import { batch, createSignal } from 'solid-js';

import type { Oracle } from '../client.ts';
import { fault } from '../faults.ts';
import type { Clock } from '../model/clock.ts';
import { Story } from '../model/story.ts';
import type { Ahead, Diagnostic, Progress, ScriptParts, Source } from '../protocol.ts';
import { createPieces, type Pieces } from './pieces.ts';

/** A play this long pauses until more of it is wanted. */
const STEPS = 60_000;
/** So many runs of CronJobs are played at first, and again when more are wanted. */
export const RUNS = 10;

/** So many entries and objects are played at a time while the progress is shown. */
const WATCHED = 5000;

/** How far a session has to be played to show what is sought. */
export interface Needed {
  steps: number;
  /** Milliseconds since the beginning. */
  at: number;
}

/** Why a play came to no end of its own. */
export interface Failed {
  message: string;
  /** Whether some of it was played, and is shown. */
  partial: boolean;
}

export type Play = ReturnType<typeof createPlay>;

/** `onPiece` is called after each piece; `fresh` is whether it is the first of another play. */
export function createPlay(oracle: Oracle, onPiece: (fresh: boolean) => void) {
  const [parts, setParts] = createSignal<ScriptParts>({ rules: [], actions: [] });
  const played = createPlayed();
  const { story, version, show, limit, setLimit, complete, starting, setStarting, fail } = played;
  const pieces = createPieces(oracle);
  /** Ends when all has been played that was wanted. */
  let wanted = Promise.resolve();

  /** Plays from the beginning, in place of what was played before. */
  function start(source: Source, needed: Needed): Promise<void> {
    setStarting(true);
    const opening = pieces.open(source, { runs: RUNS, until: needed.at });
    return (wanted = reported(pieces.play(), opening.then((opened) => {
      if (!opened) return;
      played.setFailure(null);
      played.setProblems('problems' in opened ? opened.problems : []);
      setParts(opened.parts);
      if ('problems' in opened) return void setStarting(false);
      setLimit(STEPS);
      return playOn(pieces.play(), new Story(), needed.steps);
    })));
  }

  /** Reports why a play failed, unless another one was opened meanwhile. */
  const reported = (mine: number, playing: Promise<void>): Promise<void> => playing.catch((error: unknown) => void (pieces.drop(mine) && fail(error)));

  /** Plays on to the requested point, in pieces of a given size, and at least this many steps. */
  async function playOn(mine: number, to: Story, steps: number, size?: number): Promise<void> {
    while (!to.ended && !to.paused && to.steps.length < limit()) {
      const text = await pieces.next();
      if (pieces.play() !== mine) return;
      const progress = JSON.parse(text) as Progress;
      // The worker plays on while this piece is drawn.
      if (!progress.ended && !progress.paused) pieces.request(size);
      to.add(progress);
      if (to.paused && to.steps.length < Math.min(steps, limit())) further(pieces, to, { runs: Math.max(RUNS, to.runs.count), until: 0 });
      batch(() => {
        const fresh = story() !== to;
        setStarting(false);
        show(to);
        onPiece(fresh);
      });
    }
  }

  /** Plays CronJobs further on, and a long session too. */
  function goOn(ahead: Ahead, size?: number): Promise<void> {
    const mine = pieces.play();
    return (wanted = wanted.then(() => {
      if (mine === 0 || pieces.play() !== mine) return;
      const to = story();
      if (to.steps.length >= limit()) setLimit((most) => most + STEPS);
      if (to.paused && to.steps.length < limit()) further(pieces, to, ahead, size);
      else pieces.limit(ahead);
      return reported(mine, playOn(mine, to, 0, size));
    }));
  }

  return {
    parts, problems: played.problems, failure: played.failure, shown: played.shown, clock: played.clock, story, version, starting, start, complete, close: pieces.close, play: pieces.play, settled: () => wanted,
    /** Plays a long session on, and CronJobs for so many further runs after a time. */
    more: (runs = RUNS, until = 0): Promise<void> => goOn({ runs, until }),
    /** Plays CronJobs on until a time, in milliseconds since the beginning. */
    playUntil: (until: number): Promise<void> => goOn({ runs: 0, until }, WATCHED),
    /** Plays CronJobs no further than they have been. */
    halt: (): void => void (complete() || pieces.limit({ runs: 0, until: 0 })),
  };
}

/** What was played, and how many steps are played by themselves. */
function createPlayed() {
  const [problems, setProblems] = createSignal<Diagnostic[]>([]);
  const [story, setStory] = createSignal(new Story());
  const [version, setVersion] = createSignal(0);
  const [limit, setLimit] = createSignal(STEPS);
  const [starting, setStarting] = createSignal(false);
  const [failure, setFailure] = createSignal<Failed | null>(null);
  return {
    problems, setProblems, story, version, limit, setLimit, starting, setStarting, failure, setFailure,
    fail: (error: unknown): void => batch(() => {
      setFailure({ message: fault(error), partial: !starting() });
      setStarting(false);
    }),
    show: (to: Story): void => {
      setStory(to);
      setVersion((number) => number + 1);
    },
    /** How its times are shown. */
    clock: (): Clock => (version(), story().clock),
    /** Whether there is something to show: what was played, or why nothing is. */
    shown: () => version() > 0 || problems().length > 0 || failure() !== null,
    /** Whether everything was played that is played by itself. */
    complete: (): boolean => (version(), failure() !== null || story().ended || story().paused || story().steps.length >= limit()),
  };
}

/** Plays CronJobs on from where they pause. */
function further(pieces: Pieces, to: Story, ahead: Ahead, size?: number): void {
  to.paused = false;
  pieces.limit(ahead);
  pieces.request(size);
}

/** Plays a session in the worker, piece by piece, so that the page is never busy for long. */
import { batch, createSignal } from 'solid-js';

import type { Oracle } from '../client.ts';
import { Story } from '../model/story.ts';
import type { Diagnostic, Progress, ScriptParts, Source } from '../protocol.ts';
import { createPieces } from './pieces.ts';

/** A play this long pauses until more of it is wanted. */
const STEPS = 60_000;
/** So many runs of CronJobs are played at first, and again when more are wanted. */
export const RUNS = 10;

/** How far a play has to come at least to show what is sought. */
export interface Least {
  steps: number;
  /** Milliseconds since the beginning. */
  at: number;
}

export type Play = ReturnType<typeof createPlay>;

/** `onPiece` is called after each piece; `fresh` is whether it is the first of another play. */
export function createPlay(oracle: Oracle, onPiece: (fresh: boolean) => void) {
  const [parts, setParts] = createSignal<ScriptParts>({ rules: [], actions: [] });
  const [problems, setProblems] = createSignal<Diagnostic[]>([]);
  const [story, setStory] = createSignal(new Story());
  const [version, setVersion] = createSignal(0);
  const [limit, setLimit] = createSignal(STEPS);
  const pieces = createPieces(oracle);
  /** Ends when all has been played that was wanted. */
  let wanted = Promise.resolve();

  /** Plays from the beginning, in place of what was played before. */
  async function start(source: Source, least: Least): Promise<void> {
    const opened = await pieces.open(source, { runs: RUNS, until: least.at });
    if (!opened) return;
    setProblems('problems' in opened ? opened.problems : []);
    if ('problems' in opened) return;
    setParts(opened.parts);
    setLimit(STEPS);
    wanted = playOn(pieces.play(), new Story(), least.steps);
    await wanted;
  }

  /** Plays on as far as is wanted, and in any case for so many steps. */
  async function playOn(mine: number, to: Story, steps: number): Promise<void> {
    while (!to.ended && !to.paused && to.steps.length < limit()) {
      const text = await pieces.next();
      if (pieces.play() !== mine) return;
      to.add(JSON.parse(text) as Progress);
      if (to.paused && to.steps.length < Math.min(steps, limit())) further(to, Math.max(RUNS, to.runs.count), 0);
      else if (!to.ended && !to.paused) pieces.request();
      batch(() => {
        const fresh = story() !== to;
        setStory(to);
        setVersion((number) => number + 1);
        onPiece(fresh);
      });
    }
  }

  function further(to: Story, runs: number, until: number): void {
    to.paused = false;
    pieces.requestRuns(runs, until);
  }

  /** Plays a long session on, and CronJobs for so many further runs after a time. */
  function more(runs = RUNS, until = 0): Promise<void> {
    const [mine, to] = [pieces.play(), story()];
    wanted = wanted.then(() => {
      if (pieces.play() !== mine) return;
      if (to.steps.length >= limit()) setLimit((most) => most + STEPS);
      if (to.paused) further(to, runs, until);
      return playOn(mine, to, 0);
    });
    return wanted;
  }

  return {
    parts, problems, story, version, start, more, close: pieces.close, play: pieces.play,
    /** Whether there is something to show: what was played, or why nothing is. */
    shown: () => version() > 0 || problems().length > 0,
    /** Whether everything was played that is played by itself. */
    complete: () => (version(), story().ended || story().paused || story().steps.length >= limit()),
  };
}

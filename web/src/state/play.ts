/** Plays a session in the worker, piece by piece, so that the page is never busy for long. */
import { batch, createSignal } from 'solid-js';

import type { Oracle } from '../client.ts';
import { Story } from '../model/story.ts';
import type { Diagnostic, Progress, ScriptParts, Source } from '../protocol.ts';

/** A play this long pauses until more of it is wanted. */
const STEPS = 60_000;
/** So many entries and objects are played at first: enough to see something, and soon. */
const FIRST = 500;
/** So many are played at a time afterwards: few enough not to hold up the page, and enough not to draw it all the time. */
const PIECE = 50_000;

let plays = 0;

export type Play = ReturnType<typeof createPlay>;

/** `onPiece` gets each piece; `fresh` is whether it is the first of another play. */
export function createPlay(oracle: Oracle, onPiece: (story: Story, fresh: boolean) => void) {
  const [parts, setParts] = createSignal<ScriptParts>({ rules: [], actions: [] });
  const [problems, setProblems] = createSignal<Diagnostic[]>([]);
  const [story, setStory] = createSignal(new Story());
  const [version, setVersion] = createSignal(0);
  const [limit, setLimit] = createSignal(STEPS);
  let play = 0;
  /** The piece that the worker plays while the one before it is drawn. */
  let coming = Promise.resolve('');

  /** Plays from the beginning, in place of what was played before. */
  async function start(source: Source): Promise<void> {
    const mine = ++plays;
    close();
    play = mine;
    const opened = await oracle.call('open', { play: mine, size: FIRST, ...source });
    if (play !== mine) return;
    setProblems('problems' in opened ? opened.problems : []);
    if ('problems' in opened) return;
    setParts(opened.parts);
    setLimit(STEPS);
    coming = Promise.resolve(opened.progress);
    await playOn(mine, new Story());
  }

  async function playOn(mine: number, to: Story): Promise<void> {
    while (!to.ended && to.steps.length < limit()) {
      const text = await coming;
      if (play !== mine) return;
      const progress = JSON.parse(text) as Progress;
      if (!progress.ended) coming = oracle.call('run', { play: mine, size: PIECE });
      to.add(progress);
      batch(() => {
        const fresh = story() !== to;
        setStory(to);
        setVersion((number) => number + 1);
        onPiece(to, fresh);
      });
    }
  }

  function close(): void {
    if (play > 0) void oracle.call('close', { play });
    play = 0;
  }

  return {
    parts, problems, story, version, start, close,
    /** By which number the worker knows the play. */
    play: () => play,
    /** Whether there is something to show: what was played, or why nothing is. */
    shown: () => version() > 0 || problems().length > 0,
    /** Whether everything was played that plays by itself. */
    complete: () => (version(), story().ended || story().steps.length >= limit()),
    /** Plays a long session on. */
    more: (): Promise<void> => {
      setLimit((steps) => steps + STEPS);
      return playOn(play, story());
    },
  };
}

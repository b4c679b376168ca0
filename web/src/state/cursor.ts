/** Where one looks in a play: at a step, at its own time or at a later one. */
import { batch, createSignal } from 'solid-js';

import type { Play } from './play.ts';
import { createSought, type Move, place, type Seek, time } from './sought.ts';

export function createCursor(play: Play) {
  const { story, complete, starting } = play;
  const { cursor, at, look, begin, past } = createLook(play);
  const { sought, atOutcome, seek, wait, end } = createSought();

  /** Whether to wait: another play is there in a moment, or what is beyond the end of this one. */
  const unplayed = (beyond: boolean): boolean => starting() || (beyond && !complete());

  function goTo(step: number, at?: number): void {
    if (unplayed(step >= story().steps.length)) return seek({ to: 'step', step: Math.max(0, step), ...(at === undefined ? {} : { at }) });
    seek(null);
    look(step, at);
  }

  function goFrom(move: Move): void {
    const wanted = sought()?.to;
    if (wanted === 'divergence' || (wanted && wanted !== 'end' && unplayed(true))) wait(move);
    else goTo(move(cursor()));
  }

  /** Looks at what was sought, and goes on from there. */
  function arrive(step: number, at?: number): void {
    batch(() => {
      const moves = end();
      look(step, at);
      for (const move of moves) goFrom(move);
    });
  }

  return {
    cursor, at, atOutcome, past,
    /** What to seek to look here again, in the same session or in one that is played the same. */
    whereabouts: (): Seek => sought() ?? (atOutcome() ? { to: 'outcome' } : { to: 'step', step: cursor(), at: at() }),
    /** Looks somewhere as soon as that has been played. */
    seek,
    /** Looks at what is sought, if what has been played by now has it; `fresh` is whether that is another play. */
    found: (fresh: boolean): void => {
      if (fresh) begin();
      const wanted = sought();
      if (!wanted) return;
      const step = place(story(), wanted, complete());
      if (step === null) return;
      if (wanted.to === 'end' && !complete()) look(step);
      else arrive(step, time(story(), wanted));
    },
    /** Looks at the step where the session diverges from the one beside it, as is sought. */
    arrive,
    /** Looks at a step, at its own time or at a later one. */
    goTo,
    /** Moves from the current step, or from the one that is being sought, to another one. */
    goFrom,
    /** Looks at a time, at the last step by then. */
    goToTime: (at: number): void => (unplayed(at > story().lastAt) ? seek({ to: 'time', at }) : goTo(story().stepAt(at), at)),
    /** Looks at the last step, and goes on to it while the session is still being played. */
    goToEnd: (): void => {
      if (!starting()) goTo(story().steps.length - 1);
      if (unplayed(true)) seek({ to: 'end' });
    },
    /** Whether it is to look where the session diverges from the one beside it, which is known once both were played. */
    seeksDivergence: () => sought()?.to === 'divergence',
    step: () => (play.version(), story().steps[cursor()]),
  };
}

/** The current step and time, among those that have been played. */
function createLook({ story, version }: Play) {
  const [cursor, setCursor] = createSignal(0);
  const [now, setNow] = createSignal<number | null>(null);
  /** The step that was shown last. */
  let seen = 0;
  return {
    cursor,
    at: (): number => (version(), now() ?? story().steps[cursor()]?.at ?? 0),
    look: (step: number, at: number | null = null): void => {
      const to = Math.max(0, Math.min(step, story().steps.length - 1));
      seen = Math.max(seen, to);
      batch(() => {
        setCursor(to);
        setNow(at);
      });
    },
    /** Another play has begun: none of its steps has been shown yet. */
    begin: (): void => void (seen = 0),
    /** Whether steps after the cursor have been shown: then an action here starts another future. */
    past: () => cursor() < seen,
  };
}

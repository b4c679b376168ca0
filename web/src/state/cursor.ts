/** Where one looks in a play: at a step, at its own time or at a later one; or what is sought until it has been played. */
import { batch, createSignal } from 'solid-js';

import { decisive } from '../model/outcome.ts';
import type { Story } from '../model/story.ts';
import type { Least, Play } from './play.ts';

/** Where to look once a session has been played. */
export type Seek = { to: 'step'; step: number; /** The time to show, if not that of the step. */ at?: number } | { to: 'time'; at: number } | { to: 'action'; at: number } | { to: 'outcome' } | { to: 'divergence' } | { to: 'end' };

export function createCursor({ story, version, complete }: Play) {
  const [cursor, setCursor] = createSignal(0);
  const [now, setNow] = createSignal<number | null>(null);
  const [atOutcome, setAtOutcome] = createSignal(false);
  const [sought, setSought] = createSignal<Seek | null>(null);
  let seen = 0;

  function look(step: number, at: number | null = null): void {
    const to = Math.max(0, Math.min(step, story().steps.length - 1));
    seen = Math.max(seen, to);
    batch(() => {
      setCursor(to);
      setNow(at);
    });
  }

  function seek(wanted: Seek | null): void {
    batch(() => {
      setSought(wanted);
      setAtOutcome(wanted?.to === 'outcome');
    });
  }

  function goTo(step: number, at?: number): void {
    seek(null);
    look(step, at);
  }

  const at = (): number => (version(), now() ?? story().steps[cursor()]?.at ?? 0);

  return {
    cursor,
    /** What to seek to look here again, in the same session or in one that is played the same. */
    whereabouts: (): Seek => sought() ?? (atOutcome() ? { to: 'outcome' } : { to: 'step', step: cursor(), at: at() }),
    /** Looks somewhere as soon as that has been played. */
    seek,
    /** Looks at what is sought, if what has been played by now has it; `fresh` is whether that is another play. */
    found: (fresh: boolean): void => {
      if (fresh) seen = 0;
      const wanted = sought();
      if (!wanted) return;
      const step = place(story(), wanted, complete());
      if (step === null) return;
      if (complete() || wanted.to === 'step') setSought(null);
      look(step, time(story(), wanted));
    },
    /** Looks at a step, at its own time or at a later one. */
    goTo,
    /** Looks at a time, at the last step by then. */
    goToTime: (at: number): void => goTo(story().stepAt(at), at),
    /** Looks at the last step, and goes on to it while the session is still being played. */
    goToEnd: (): void => {
      goTo(story().steps.length - 1);
      if (!complete()) seek({ to: 'end' });
    },
    /** Whether it is to look where the session diverges from the one beside it, which is known once both were played. */
    seeksDivergence: () => sought()?.to === 'divergence',
    /** Whether it shows its outcome, because nobody has looked elsewhere since it was opened: then it shows that of a change, too. */
    atOutcome,
    /** Whether steps after the cursor were looked at: then acting here is another future. */
    past: () => cursor() < seen,
    at,
    step: () => (version(), story().steps[cursor()]),
  };
}

/** How far a session has to be played to show what is sought. */
export function least(seek: Seek): Least {
  return { steps: seek.to === 'step' ? seek.step + 1 : 0, at: seek.to === 'time' || seek.to === 'action' ? seek.at : 0 };
}

/** The step that is sought, or null while it is not known. */
function place(story: Story, seek: Seek, complete: boolean): number | null {
  switch (seek.to) {
    case 'step':
      return complete || story.steps.length > seek.step ? seek.step : null;
    case 'outcome':
      return complete ? decisive(story) : null;
    case 'divergence':
      return null;
    case 'end':
      return story.steps.length - 1;
    case 'time':
      return complete || story.lastAt > seek.at ? Math.max(0, story.stepAt(seek.at)) : null;
    case 'action': {
      if (!complete && story.lastAt <= seek.at) return null;
      const found = story.steps.findLastIndex((step) => step.kind === 'action' && step.at === seek.at);
      return found < 0 ? Math.max(0, story.stepAt(seek.at)) : found;
    }
  }
}

/** The time that is sought; undefined if it is that of the step. */
function time(story: Story, seek: Seek): number | undefined {
  return seek.to === 'time' ? Math.min(seek.at, story.lastAt) : seek.to === 'step' ? seek.at : undefined;
}

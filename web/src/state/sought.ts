/** What is sought in a session until it has been played, and the steps from there that wait for it. */
import { batch, createSignal } from 'solid-js';

import { decisive } from '../model/outcome.ts';
import type { Story } from '../model/story.ts';
import type { Needed } from './play.ts';

/** Where to look once a session has been played. */
export type Seek = { to: 'step'; step: number; /** The time to show, if not that of the step. */ at?: number } | { to: 'time'; at: number } | { to: 'action'; at: number } | { /** The first decision that rests on a field of the manifest. */ to: 'field'; field: string } | { to: 'now' } | { to: 'outcome' } | { to: 'divergence' } | { to: 'end' };

/** From a step to another. */
export type Move = (step: number) => number;

export function createSought() {
  const [sought, setSought] = createSignal<Seek | null>(null);
  const [atOutcome, setAtOutcome] = createSignal(false);
  let waiting: Move[] = [];

  return {
    sought,
    /** Whether it shows its outcome, because no other step has been chosen since it was opened: then it also shows the outcome after a change. */
    atOutcome,
    seek: (wanted: Seek | null): void => batch(() => {
      waiting = [];
      setSought(wanted);
      setAtOutcome(wanted?.to === 'outcome');
    }),
    /** Has a move wait until what is sought is found. */
    wait: (move: Move): void => void waiting.push(move),
    /** Ends it, because what was sought is found; answers the moves that waited. */
    end: (): Move[] => {
      const moves = waiting;
      waiting = [];
      setSought(null);
      return moves;
    },
  };
}

/** How far a session has to be played to show what is sought. */
export function needed(seek: Seek): Needed {
  return { steps: seek.to === 'step' ? seek.step + 1 : 0, at: seek.to === 'time' || seek.to === 'action' ? seek.at : 0 };
}

/** The step that is sought, or null while it is not known. */
export function place(story: Story, seek: Seek, complete: boolean): number | null {
  switch (seek.to) {
    case 'step':
      return complete || story.steps.length > seek.step ? seek.step : null;
    case 'now':
      if (!complete && story.lastAt <= (story.past?.until ?? 0)) return null;
      return story.past ? Math.max(0, story.stepAt(story.past.until)) : 0;
    case 'outcome':
      return complete ? decisive(story) : null;
    case 'field': {
      const found = story.steps.findIndex(({ entries }) => entries.some((entry) => entry.type === 'decision' && entry.fields.includes(seek.field)));
      return found >= 0 ? found : complete ? decisive(story) : null;
    }
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
export function time(story: Story, seek: Seek): number | undefined {
  return seek.to === 'time' ? Math.min(seek.at, story.lastAt) : seek.to === 'step' ? seek.at : undefined;
}

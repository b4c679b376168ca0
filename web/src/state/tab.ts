/** A tab: a session, what was played of it, and where one looks. */
import { batch, createSignal } from 'solid-js';

import type { Oracle } from '../client.ts';
import { decisive } from '../model/outcome.ts';
import type { Recording } from '../model/recording.ts';
import type { Story } from '../model/story.ts';
import type { ScriptParts } from '../protocol.ts';
import type { Session } from '../session.ts';
import { createPlay, type Least } from './play.ts';

/** Where to look once a session has been played. */
export type Seek = { to: 'step'; step: number } | { to: 'time'; at: number } | { to: 'action'; at: number } | { to: 'interesting' } | { to: 'outcome' };

/** What a tab is opened with. */
export interface Opening {
  session: Session;
  seek: Seek;
  /** The text of the example, if it is one. */
  prose?: string;
  /** What is gone through instead of a session: it has no manifest and no script, and nothing can be done in it. */
  recording?: Recording;
}

export type Tab = ReturnType<typeof createTab>;

export function createTab(oracle: Oracle, opening: Opening) {
  const [title, setTitle] = createSignal(opening.session.title ?? '');
  const [prose, setProse] = createSignal(opening.prose ?? '');
  const [manifest, setManifest] = createSignal(opening.session.manifest);
  const [draft, setDraft] = createSignal(opening.session.manifest);
  const [script, setScript] = createSignal(opening.session.script);
  const [cursor, setCursor] = createSignal(0);
  const [now, setNow] = createSignal<number | null>(null);
  const [atOutcome, setAtOutcome] = createSignal(false);
  const play = createPlay(oracle, found);
  const { story, version } = play;
  let seen = 0;
  let sought: Seek | null = null;

  /** Shows the moment that was requested, as soon as it was played. */
  function found(played: Story, fresh: boolean): void {
    if (fresh) seen = 0;
    if (!sought) return;
    const step = place(played, sought, play.complete());
    if (step === null) return;
    if (play.complete() || sought.to === 'step') sought = null;
    look(step);
  }

  function look(step: number): void {
    const to = Math.max(0, Math.min(step, story().steps.length - 1));
    seen = Math.max(seen, to);
    batch(() => {
      setCursor(to);
      setNow(null);
    });
  }

  return {
    ...play, recording: opening.recording ?? null, title, setTitle, prose, setProse, manifest, setManifest, draft, setDraft, script, setScript, cursor,
    /** The time that is shown while time runs on its own. */
    setNow,
    /** Looks at a step. */
    goTo: (step: number): void => {
      sought = null;
      setAtOutcome(false);
      look(step);
    },
    /** Whether it shows its outcome, because nobody has looked elsewhere since it was opened: then it shows that of a change, too. */
    atOutcome,
    /** Plays the session from its beginning, as its manifest and script are by now. */
    replay: (seek: Seek): Promise<void> => {
      sought = seek;
      setAtOutcome(seek.to === 'outcome');
      return play.start(opening.recording ? { recording: opening.recording.text } : { manifest: manifest(), script: script() }, least(seek));
    },
    /** The script, changed by the meaning of its lines. */
    edited: async (change: (script: string, parts: ScriptParts) => string): Promise<string> => {
      const text = script();
      const parts = await oracle.call('readScript', { script: text });
      return change(text, parts);
    },
    /** Whether steps after the cursor were looked at: then acting here is another future. */
    past: () => cursor() < seen,
    at: () => (version(), now() ?? story().steps[cursor()]?.at ?? 0),
    step: () => (version(), story().steps[cursor()]),
    session: (): Session => ({ version: 1, manifest: manifest(), script: script(), cursor: cursor(), ...(title() === '' ? {} : { title: title() }) }),
  };
}

/** How far a session has to be played to show what is sought. */
function least(seek: Seek): Least {
  return { steps: seek.to === 'step' ? seek.step + 1 : 0, at: seek.to === 'time' || seek.to === 'action' ? seek.at : 0 };
}

/** The step that is sought, or null while it is not known. */
function place(story: Story, seek: Seek, complete: boolean): number | null {
  switch (seek.to) {
    case 'step':
      return complete || story.steps.length > seek.step ? seek.step : null;
    case 'interesting':
      return complete ? story.interesting() : null;
    case 'outcome':
      return complete ? decisive(story) : null;
    case 'time':
      return complete || story.lastAt > seek.at ? Math.max(0, story.stepAt(seek.at)) : null;
    case 'action': {
      if (!complete && story.lastAt <= seek.at) return null;
      const found = story.steps.findLastIndex((step) => step.kind === 'action' && step.at === seek.at);
      return found < 0 ? Math.max(0, story.stepAt(seek.at)) : found;
    }
  }
}

/** A tab: a session, what was played of it, and where one looks. */
import { batch, createSignal } from 'solid-js';

import type { Oracle } from '../client.ts';
import type { Recording } from '../model/recording.ts';
import { carried } from '../model/script.ts';
import type { Diagnostic, ScriptParts } from '../protocol.ts';
import type { Session } from '../session.ts';
import { createCursor } from './cursor.ts';
import { createPlay } from './play.ts';
import { needed, type Seek } from './sought.ts';

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
  const written = createWritten(opening.session);
  const { manifest, setManifest, draft, setDraft, script, setScript } = written;
  const play = createPlay(oracle, (fresh) => place.found(fresh));
  const place = createCursor(play);
  place.seek(opening.seek);
  let asleep = true;

  function replay(seek: Seek): Promise<void> {
    asleep = false;
    place.seek(seek);
    return play.start(opening.recording ? { recording: opening.recording.text } : { manifest: manifest(), script: script() }, needed(seek));
  }

  function session(): Session {
    const where = place.whereabouts();
    return {
      version: 1, ...written.texts(),
      ...(where.to === 'step' ? { cursor: where.step, at: where.at ?? place.at() } : { cursor: place.cursor(), at: place.at() }),
      ...(title() === '' ? {} : { title: title() }),
    };
  }

  return {
    ...play, ...place, ...written, ...createProblems(), recording: opening.recording ?? null, title, setTitle, prose, setProse,
    /** What the session is called: its title, or the first of its objects. */
    label: (): string => title() || (play.version(), play.story().first()) || 'Session',
    /** Plays the session from its beginning, as its manifest and script are by now. */
    replay,
    /** Plays the session unless it is played already: it may not have been shown since it was opened, or it may have been closed. */
    wake: (): void => {
      if (asleep) void replay(place.whereabouts());
    },
    /** Ends the play. The position is kept and restored when the tab wakes. */
    close: (): void => {
      place.seek(place.whereabouts());
      asleep = true;
      play.close();
    },
    /** The script, changed by the meaning of its lines. */
    rewritten: async (change: (script: string, parts: ScriptParts) => string): Promise<string> => {
      const text = script();
      return change(text, await oracle.call('readScript', { script: text }));
    },
    inTurn: createTurns(), session,
    /** The sessions that others have taken the place of here, by their manifests as they stood in the editor. */
    replaced: new Map<string, Opening>(),
    /** What a copy of this tab would be opened with. */
    opening: (): Opening => ({ session: session(), seek: place.whereabouts(), prose: prose(), ...(opening.recording ? { recording: opening.recording } : {}) }),
    /** Makes the session what it was. A text in the editor that is played nowhere stays, unless it is an edit of another manifest. */
    restore: (was: Opening): void => batch(() => {
      const { manifest: text, draft: typed = text, script: lines, title: name = '' } = was.session;
      const changed = text !== manifest() || lines !== script();
      if (text !== manifest() || draft() === written.standing()) setDraft(typed);
      setManifest(text);
      if (lines !== script()) setScript(lines);
      written.setEdited(was.session.edited);
      setTitle(name);
      setProse(was.prose ?? '');
      if (!changed) return;
      if (asleep) place.seek(was.seek);
      else void replay(was.seek);
    }),
  };
}

/** What is wrong with the texts that are being written. */
function createProblems() {
  const [draftProblems, setDraftProblems] = createSignal<Diagnostic[]>([]);
  const [scriptProblems, setScriptProblems] = createSignal<Diagnostic[]>([]);
  const invalid = (): boolean => draftProblems().some((problem) => problem.severity === 'error');
  return {
    /** The errors found in the draft so far. */
    draftProblems, setDraftProblems,
    /** Whether the draft cannot be played: then what is shown is of the manifest before. */
    invalid,
    /** The errors found in the script as it is typed. */
    scriptProblems, setScriptProblems,
    /** Why what is shown is of an earlier text; empty if it is not. */
    stale: (): string => {
      if (invalid()) return 'The outcome and timeline are those of the last valid manifest.';
      return scriptProblems().length > 0 ? 'The outcome and timeline are those of the last valid script.' : '';
    },
  };
}

/** Has changes of the script wait for one another: each reads what the one before it has written. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <Answer>(change: () => Promise<Answer>): Promise<Answer> => {
    const answered = last.then(change);
    last = answered.catch(() => {});
    return answered;
  };
}

/** What is written in a session: the manifest as it is played, as edits have left it, and as it stands in the editor; the script, and as it is typed. */
function createWritten(session: Session) {
  const [manifest, setManifest] = createSignal(session.manifest);
  const [draft, setDraft] = createSignal(session.draft ?? session.manifest);
  const [script, putScript] = createSignal(session.script);
  const [scriptDraft, setScriptDraft] = createSignal(session.scriptDraft ?? null);
  const [edited, setEdited] = createSignal(session.edited);

  /** Has another script played. What is typed and cannot be played gets the same lines. */
  function setScript(next: string): void {
    const [before, typed] = [script(), scriptDraft()];
    batch(() => {
      putScript(next);
      if (typed !== null) setScriptDraft(carried(typed, before, next));
    });
  }

  return {
    manifest, setManifest, draft, setDraft, script, setScript, edited, setEdited,
    /** The text in the script's field where it is not the script that is played; else null. */
    scriptDraft, setScriptDraft,
    /** The manifest as edits have left it, as long as they are in a script; else the one that is played. */
    standing: (lines = script(), known = edited()): string => (known?.actions.every((action) => lines.includes(`: ${action}\n`)) ? known.manifest : manifest()),
    /** These texts as parts of a session. */
    texts: (): Pick<Session, 'manifest' | 'draft' | 'script' | 'scriptDraft' | 'edited'> => {
      const [known, typed] = [edited(), scriptDraft()];
      return { manifest: manifest(), ...(draft() === manifest() ? {} : { draft: draft() }), script: script(), ...(typed === null ? {} : { scriptDraft: typed }), ...(known ? { edited: known } : {}) };
    },
  };
}

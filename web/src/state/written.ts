/** What is written in a session: the manifest as it is played, as edits have left it, and as it stands in the editor; and the script. */
import { createSignal } from 'solid-js';

import type { Session } from '../session.ts';

export function createWritten(session: Session) {
  const [manifest, setManifest] = createSignal(session.manifest);
  const [draft, setDraft] = createSignal(session.draft ?? session.manifest);
  const [script, setScript] = createSignal(session.script);
  const [edited, setEdited] = createSignal(session.edited);

  return {
    manifest, setManifest, draft, setDraft, script, setScript, edited, setEdited,
    /** The manifest as edits have left it, as long as they are in a script; else the one that is played. */
    standing: (lines = script(), known = edited()): string => (known?.actions.every((action) => lines.includes(`: ${action}\n`)) ? known.manifest : manifest()),
    /** These texts as parts of a session. */
    texts: (): Pick<Session, 'manifest' | 'draft' | 'script' | 'edited'> => {
      const known = edited();
      return { manifest: manifest(), ...(draft() === manifest() ? {} : { draft: draft() }), script: script(), ...(known ? { edited: known } : {}) };
    },
  };
}

/** Opens and saves files: manifests, scenario files, sessions, and recordings. */
import type { Oracle } from '../client.ts';
import { recording } from '../model/recording.ts';
import { read, type Session } from '../session.ts';
import type { Opening } from '../state/tab.ts';

export function save(name: string, content: string | Blob): void {
  const address = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type: 'text/plain' }) : content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** Lets a person choose a file; null if none was chosen. */
export function choose(): Promise<File | null> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.yaml,.yml,.json,.jsonl,.md,.jobsmith';
  return new Promise((chosen) => {
    input.onchange = () => chosen(input.files?.[0] ?? null);
    input.oncancel = () => chosen(null);
    input.click();
  });
}

/** What a file holds, by its name or its beginning: a recording, the claims of a scenario file, or else a manifest. */
export async function openings(oracle: Oracle, name: string, text: string): Promise<Opening[]> {
  const recorded = recording(text);
  if (recorded) return [{ session: { version: 1, manifest: '', script: '', cursor: 0, title: name }, seek: { to: 'outcome' }, recording: recorded }];
  if (name.endsWith('.md')) {
    const claims = await oracle.call('readScenarios', { text });
    return claims.map(({ title, manifest, script, prose }) => ({ session: { version: 1, manifest, script, cursor: 0, title }, seek: { to: 'outcome' }, prose }));
  }
  const session: Session = { version: 1, manifest: text, script: '', cursor: 0, title: name };
  return [{ session, seek: { to: 'outcome' } }];
}

/** The session of a file; an error says what the file is instead. */
export function saved(text: string): Session {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error(text.trimStart().startsWith('{') ? 'The file is damaged. Save the session again.' : 'This is not a playground session. If it is a manifest, rename it to .yaml; if it is a scenario file, rename it to .md.');
  }
}

/** What a file of a session is called, without its ending: as the file that it came from, or as its first object. */
export function fileName(title: string, first: string): string {
  const [, opened] = /^([\w.-]+)\.\w+$/.exec(title) ?? [];
  return opened ?? (first || 'session');
}

/** A session: all that a tab and a link are made of. Nothing is random, so the same session is the same play everywhere. */
import { megabytes } from './model/words.ts';
import type { Seek } from './state/sought.ts';

export interface Session {
  version: 1;
  /** YAML. */
  manifest: string;
  /** What pods do and what happens, in the script language. */
  script: string;
  /** The text in the editor, where it is not the manifest that is played: perhaps because it cannot be. */
  draft?: string;
  /** The text in the script's field, where it is not the script that is played: perhaps because it cannot be. */
  scriptDraft?: string;
  /** The manifest as edits have left it that are actions of the script. */
  edited?: Edited;
  /** The current step. */
  cursor: number;
  /** The current time, in milliseconds since the beginning; where it is missing, that of the step. */
  at?: number;
  title?: string;
  /** In a file: how far its CronJobs were played, in milliseconds since the beginning. */
  until?: number;
  /** The session in the other lane, where two are compared, and which lane that is. */
  beside?: { lane: Lane; session: Session };
}

/** A manifest, and the actions that made it what it is of the one that is played. */
export interface Edited {
  manifest: string;
  actions: string[];
}

export type Lane = 'left' | 'right';

/** The position in a session that the page shows. */
export function atCursor({ cursor, at }: Session): Seek {
  return { to: 'step', step: cursor, ...(at === undefined ? {} : { at }) };
}

/** The most bytes of a session that a link holds: a link may be made to keep the page busy. */
const MOST = 2_000_000;

/** The most letters that hold that many bytes, even if they cannot be packed. */
const MOST_LETTERS = 1.4 * MOST;

/** The text after `#` in a link: a version, a dot, and the session packed and written in letters that links may have. An error says that it does not fit. */
export async function encode(session: Session): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(session));
  if (bytes.length > MOST) throw new Error(`This session is ${megabytes(bytes.length)}, and a link holds at most 2 MB. Choose “Share”, then “Save .jobsmith file”, and share the file.`);
  const packed = await through(bytes, new CompressionStream('deflate-raw'), Infinity);
  const letters = btoa(Array.from(packed ?? [], (byte) => String.fromCharCode(byte)).join(''));
  return `1.${letters.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** The session of a link's fragment, with or without its `#`; an error names what is wrong with the link. */
export async function decode(fragment: string): Promise<Session> {
  const [, version, letters] = /^#?(\d+)\.([\w-]+)$/.exec(fragment) ?? [];
  if (version === undefined || letters === undefined) throw new Error('This link is incomplete. Copy the whole link, down to its last character.');
  if (version !== '1') throw new Error('This link was made by a newer version of the playground. Reload the page to get that version.');
  const text = await unpacked(letters);
  try {
    return read(text);
  } catch (error) {
    throw error instanceof SyntaxError ? new Error(DAMAGED) : error;
  }
}

/** Reads a session from JSON. */
export function read(text: string): Session {
  const value: unknown = JSON.parse(text);
  const { beside } = members(value);
  if (beside === undefined) return readSession(value);
  const { lane, session } = members(beside);
  return { ...readSession(value), beside: { lane: lane === 'left' ? 'left' : 'right', session: readSession(session) } };
}

function members(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('This is not a playground session.');
  return value as Record<string, unknown>;
}

/** A session without the one in the other lane. */
export function readSession(value: unknown): Session {
  const { version, manifest, draft, script, scriptDraft, edited, cursor, at, title } = members(value);
  if (typeof version === 'number' && version > 1) throw new Error('This session was made by a newer version of the playground. Reload the page to get that version.');
  if (typeof manifest !== 'string' || typeof script !== 'string' || typeof cursor !== 'number') {
    throw new Error('This is not a playground session: manifest, script or cursor is missing.');
  }
  return { version: 1, manifest, ...optional('draft', draft, 'string'), script, ...optional('scriptDraft', scriptDraft, 'string'), ...readEdited(edited), cursor, ...optional('at', at, 'number'), ...optional('title', title, 'string') };
}

/** What edits have left, if that is part of the session. */
function readEdited(value: unknown): Partial<Session> {
  if (value === undefined) return {};
  const { manifest, actions } = members(value);
  return typeof manifest === 'string' && Array.isArray(actions) ? { edited: { manifest, actions: actions.map(String) } } : {};
}

/** A member of a session that may be missing; of another type, it is ignored. */
function optional(name: 'draft' | 'scriptDraft' | 'at' | 'title', value: unknown, type: 'string' | 'number'): Partial<Session> {
  return typeof value === type ? { [name]: value } : {};
}

const DAMAGED = 'This link is damaged. Copy the whole link, down to its last character.';

async function unpacked(letters: string): Promise<string> {
  const bytes = letters.length > MOST_LETTERS ? null : await inflated(letters);
  if (!bytes) throw new Error('This link holds more than 2 MB, which is more than the playground opens. Ask for the session as a file.');
  return new TextDecoder().decode(bytes);
}

/** The bytes that were packed; null if there are too many. */
async function inflated(letters: string): Promise<Uint8Array | null> {
  try {
    const packed = Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    return await through(packed, new DecompressionStream('deflate-raw'), MOST);
  } catch {
    throw new Error(DAMAGED);
  }
}

/** What comes out of a stream; null as soon as that is more than so many bytes. */
async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array | null> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    length += part.value.length;
    if (length <= most) continue;
    void reader.cancel();
    return null;
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

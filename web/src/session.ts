/** A session: all that a tab and a link are made of. Nothing is random, so the same session is the same play everywhere. */
import type { Seek } from './state/cursor.ts';

export interface Session {
  version: 1;
  /** YAML. */
  manifest: string;
  /** What pods do and what happens, in the script language. */
  script: string;
  /** The text in the editor, where it is not the manifest that is played: perhaps because it cannot be. */
  draft?: string;
  /** The step that is looked at. */
  cursor: number;
  /** The time that is looked at, in milliseconds since the beginning; where it is missing, that of the step. */
  at?: number;
  title?: string;
  /** The session in the other lane, where two are compared, and which lane that is. */
  beside?: { lane: Lane; session: Session };
}

export type Lane = 'left' | 'right';

/** Where a session is looked at. */
export function atCursor({ cursor, at }: Session): Seek {
  return { to: 'step', step: cursor, ...(at === undefined ? {} : { at }) };
}

/** The text after `#` in a link: a version, a dot, and the session packed and written in letters that links may have. */
export async function encode(session: Session): Promise<string> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(session)), new CompressionStream('deflate-raw'));
  const letters = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  return `1.${letters.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** The session of a link's fragment, with or without its `#`; an error names what is wrong with the link. */
export async function decode(fragment: string): Promise<Session> {
  const [, version, letters] = /^#?(\d+)\.([\w-]+)$/.exec(fragment) ?? [];
  if (version === undefined || letters === undefined) throw new Error('This link is incomplete. Copy the whole link, down to its last character.');
  if (version !== '1') throw new Error('This link was made by a newer version of the page. Reload the page without the link, then open the link again.');
  return read(await unpacked(letters));
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
  const { manifest, draft, script, cursor, at, title } = members(value);
  if (typeof manifest !== 'string' || typeof script !== 'string' || typeof cursor !== 'number') {
    throw new Error('This is not a playground session: manifest, script or cursor is missing.');
  }
  return { version: 1, manifest, ...optional('draft', draft, 'string'), script, cursor, ...optional('at', at, 'number'), ...optional('title', title, 'string') };
}

/** A member of a session that may be missing; of another type, it is ignored. */
function optional(name: 'draft' | 'at' | 'title', value: unknown, type: 'string' | 'number'): Partial<Session> {
  return typeof value === type ? { [name]: value } : {};
}

async function unpacked(letters: string): Promise<string> {
  try {
    const packed = Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(await through(packed, new DecompressionStream('deflate-raw')));
  } catch {
    throw new Error('This link is damaged. Copy the whole link, down to its last character.');
  }
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** A recording of `jobsmith controller --record`: lines of JSON; the first is the header. */

export interface Recording {
  text: string;
  /** The version of the program that wrote it. */
  jobsmith: string;
  /** The SHA-256 of the component that decided. */
  component: string;
  kubernetes: string;
  /** When it begins, as the API writes it. */
  start: string;
}

/** The recording that a text is, or null. Members that its first line lacks are empty; whether it can be replayed turns out then. */
export function recording(text: string): Recording | null {
  if (!text.startsWith('{"recording":')) return null;
  const end = text.indexOf('\n');
  const known = { jobsmith: '', component: '', kubernetes: '', start: '' };
  try {
    const { recording } = JSON.parse(end < 0 ? text : text.slice(0, end)) as { recording: Partial<Recording> };
    return { ...known, ...recording, text };
  } catch {
    return { ...known, text };
  }
}

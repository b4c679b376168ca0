/** Which window of the browser this is: it keeps its tabs under a name that no other open window has. */
import { type Records, windows } from './keeping.ts';

const NAME = 'playground.window';

/** The name of a window that is loaded again is free as soon as the page before is gone: so many milliseconds at most. */
const WAIT = 500;

/** The window's own name, and that of the window whose tabs it shows; null if there is none. */
export interface Identity {
  id: string;
  from: string | null;
}

/** A window that is loaded again is the one it was. A fresh one goes on where the last closed window ended, and a copy of an open one has the same tabs under another name. */
export async function identity(records: Records): Promise<Identity> {
  const before = sessionStorage.getItem(NAME);
  const found = before === null ? await adopted(records) : { id: (await held(before, WAIT)) ? before : fresh(), from: before };
  sessionStorage.setItem(NAME, found.id);
  return found;
}

async function adopted(records: Records): Promise<Identity> {
  // Where a browser cannot tell which windows are open, each has its own copy.
  if (!('locks' in navigator)) return { id: fresh(), from: windows(records)[0] ?? null };
  for (const id of windows(records)) {
    if (await held(id, 0)) return { id, from: id };
  }
  return { id: fresh(), from: null };
}

/** A name that no other page can have: to wait until it is held would only delay what is seen. */
function fresh(): string {
  const id = Array.from(crypto.getRandomValues(new Uint32Array(2)), (number) => number.toString(36)).join('');
  void held(id, 0);
  return id;
}

/** Has a name for as long as the page is open; whether no other page has it. */
function held(id: string, wait: number): Promise<boolean> {
  if (!('locks' in navigator)) return Promise.resolve(true);
  return new Promise((answered) => {
    const hold = (lock: Lock | null): Promise<void> => {
      answered(lock !== null);
      return lock ? new Promise(() => {}) : Promise.resolve();
    };
    const options = wait === 0 ? { ifAvailable: true } : { signal: AbortSignal.timeout(wait) };
    navigator.locks.request(`${NAME}.${id}`, options, hold).catch(() => answered(false));
  });
}

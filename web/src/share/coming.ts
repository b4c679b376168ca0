/** How sessions come to the page: by its address, and as files that are dropped on it. */
import { createEffect, onCleanup } from 'solid-js';

import { fault } from '../faults.ts';
import { encode } from '../session.ts';
import type { Workspace } from '../state/workspace.ts';
import { onScreen } from './link.ts';
import { openText } from './opened.ts';

/** The address is not written while one step chases the other. */
const PAUSE = 400;

interface Address {
  onLink: (hash: string) => void;
  /** Whether the address is to stay as it is. */
  stays: () => boolean;
  /** Writes the address. */
  write: (address: string) => void;
}

/** Keeps what is on the screen in the address, so that loading the page again shows the same, and reports a link that is put there. */
export function useAddress(workspace: Workspace, { onLink, stays, write }: Address): void {
  let written = '';
  createEffect(() => {
    const tab = workspace.current();
    if (!tab || tab.recording || !tab.shown() || stays()) return;
    const session = onScreen(workspace, tab);
    let newest = true;
    const later = setTimeout(async () => {
      const before = location.hash;
      const link = await encode(session).then((text) => `#${text}`, () => null);
      // A link that was put there in the meantime stays, and what does not fit in a link is not in the address.
      if (!newest || link === null || location.hash !== before) return;
      written = link;
      write(link);
    }, PAUSE);
    onCleanup(() => {
      newest = false;
      clearTimeout(later);
    });
  });
  // The address itself may be written again before the event comes.
  const changed = ({ newURL }: HashChangeEvent): void => {
    const { hash } = new URL(newURL);
    if (hash !== written && hash.length > 1) onLink(hash);
  };
  addEventListener('hashchange', changed);
  onCleanup(() => removeEventListener('hashchange', changed));
}

/** Opens a file: each of its sessions in a tab of its own, and looks at the first. */
export async function openFile(workspace: Workspace, file: File): Promise<void> {
  try {
    await openText(workspace, file.name, await file.text());
    workspace.setMessage(`Opened ${file.name}.`);
  } catch (error) {
    workspace.setMessage(`Cannot open ${file.name}: ${fault(error)}`);
  }
}

/** Opens files that are dropped on the page. */
export function useDrop(workspace: Workspace): void {
  const over = (event: DragEvent): void => event.preventDefault();
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    for (const file of event.dataTransfer?.files ?? []) void openFile(workspace, file);
  };
  addEventListener('dragover', over);
  addEventListener('drop', drop);
  onCleanup(() => {
    removeEventListener('dragover', over);
    removeEventListener('drop', drop);
  });
}

/** Tells the pod behaviour that came with an example from what a person wrote. */
import first from 'virtual:first';

import { loadGallery } from '../gallery.ts';
import type { Example } from '../protocol.ts';
import type { Tab } from '../state/tab.ts';

/** The script of a tab without the lines of the example that it was opened with, if it was: they are about the pods of that example. */
export async function ownScript(tab: Tab): Promise<string> {
  if (tab.title() === '' && tab.prose() === '') return tab.script();
  const opened = ({ title, prose }: Example): boolean => title === tab.title() || (prose !== '' && prose === tab.prose());
  // A manifest is mostly pasted over what the page opens with, and over a slow network need not wait for the other examples. Without them, it is still played.
  const example = opened(first) ? first : (await loadGallery().catch(() => [])).find(opened);
  return example ? without(tab.script(), example.script) : tab.script();
}

/** A script without the lines of another one. */
export function without(script: string, other: string): string {
  const lines = new Set(other.split('\n').map((line) => line.trim()));
  return script.split(/(?<=\n)/).filter((line) => line.trim() === '' || !lines.has(line.trim())).join('').trimStart();
}

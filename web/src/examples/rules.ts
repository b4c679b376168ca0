/** Tells the pod behaviour that came with an example from what a person wrote. */
import { loadGallery } from '../gallery.ts';
import type { Tab } from '../state/tab.ts';

/** The script of a tab without the lines of the example that it was opened with, if it was: they are about the pods of that example. */
export async function ownScript(tab: Tab): Promise<string> {
  if (tab.title() === '' && tab.prose() === '') return tab.script();
  // Without the examples, what is pasted is still played.
  const gallery = await loadGallery().catch(() => []);
  const example = gallery.find(({ title, prose }) => title === tab.title() || (prose !== '' && prose === tab.prose()));
  return example ? without(tab.script(), example.script) : tab.script();
}

/** A script without the lines of another one. */
export function without(script: string, other: string): string {
  const lines = new Set(other.split('\n').map((line) => line.trim()));
  return script.split(/(?<=\n)/).filter((line) => line.trim() === '' || !lines.has(line.trim())).join('').trimStart();
}

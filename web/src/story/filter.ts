/** Which lines of the story a person wants to see, kept in this browser. */
import { createMemo } from 'solid-js';

import { LINE_KINDS, type LineFilter, type LineKind } from '../model/lines.ts';
import { kept } from '../state/settings.ts';

const isKinds = (value: unknown): value is LineKind[] => Array.isArray(value) && value.every((kind) => LINE_KINDS.includes(kind));
const isText = (value: unknown): value is string => typeof value === 'string';

export type Filtering = ReturnType<typeof createFiltering>;

export function createFiltering() {
  // Requests follow from decisions, and Why has those of each step.
  const [kinds, setKinds] = kept<LineKind[]>('storyKinds', ['decisions', 'objects', 'actions'], isKinds);
  const [words, setWords] = kept('storyWords', '', isText);
  const filter = createMemo<LineFilter>(() => ({ kinds: new Set(kinds()), words: words() }));
  return {
    filter, words, setWords,
    toggle: (kind: LineKind): void => setKinds(kinds().includes(kind) ? kinds().filter((one) => one !== kind) : [...kinds(), kind]),
    /** Lets everything through. */
    clear: (): void => {
      setKinds([...LINE_KINDS]);
      setWords('');
    },
  };
}

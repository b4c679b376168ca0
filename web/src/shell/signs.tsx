/** The sign of each state of an outcome. */
import type { JSX } from 'solid-js';

import type { State } from '../protocol.ts';
import { Icon } from './Icon.tsx';

export const SIGNS: Record<State, () => JSX.Element> = {
  failed: () => '✗', complete: () => '✓', deleted: () => '✕', stuck: () => <Icon name="timer" />, suspended: () => <Icon name="pause" />, running: () => <Icon name="run" />,
};

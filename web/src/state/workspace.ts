/** All tabs, and which of them is looked at. */
import { batch, createSignal } from 'solid-js';

import type { Oracle } from '../client.ts';
import type { Lane } from '../session.ts';
import { createTab, type Opening, type Tab } from './tab.ts';

export type Workspace = ReturnType<typeof createWorkspace>;

export function createWorkspace(oracle: Oracle) {
  const [tabs, setTabs] = createSignal<Tab[]>([]);
  const [current, setCurrent] = createSignal<Tab | null>(null);
  /** The tab that is shown beside the current one. */
  const [other, setOther] = createSignal<Tab | null>(null);
  /** A message that is shown for a moment. */
  const [message, setMessage] = createSignal('');

  /** Opens a session in a tab of its own and plays it. */
  function open(opening: Opening): Tab {
    const tab = createTab(oracle, opening);
    batch(() => {
      setTabs((all) => [...all, tab]);
      setCurrent(tab);
    });
    void tab.replay(opening.seek);
    return tab;
  }

  /** Opens a session instead of all that is open. */
  function openAlone(opening: Opening): Tab {
    const before = tabs();
    const tab = batch(() => {
      setTabs([]);
      setOther(null);
      return open(opening);
    });
    for (const one of before) one.close();
    return tab;
  }

  /** Opens two sessions side by side instead of all that is open, and looks at one of them. */
  function compare(left: Opening, right: Opening, looked: Lane): void {
    batch(() => {
      const lanes = { left: openAlone(left), right: open(right) };
      setOther(looked === 'left' ? lanes.right : lanes.left);
      setCurrent(lanes[looked]);
    });
  }

  /** Closes a tab, unless it is the last. */
  function close(tab: Tab): void {
    const left = tabs().filter((one) => one !== tab);
    if (left.length === 0) return;
    batch(() => {
      setTabs(left);
      if (other() === tab) setOther(null);
      if (current() === tab) setCurrent(left.find((one) => one !== other()) ?? left[0] ?? null);
      if (other() === current()) setOther(null);
    });
    tab.close();
  }

  return { oracle, tabs, current, setCurrent, other, setOther, message, setMessage, open, openAlone, compare, close };
}

/** All tabs, and which of them is current. */
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
  const awake = createAwake();
  const wake = (): void => awake.wake([current(), other()].filter((tab) => tab !== null));

  /** Has exactly these tabs, in their order, and plays those that are shown. */
  function arrange(wanted: Tab[], shown: Tab | null, beside: Tab | null = null): void {
    const closed = tabs().filter((tab) => !wanted.includes(tab));
    batch(() => {
      setTabs(wanted);
      setCurrent(shown);
      setOther(beside === shown ? null : beside);
    });
    for (const tab of closed) awake.close(tab);
    wake();
  }

  /** Opens a session in a tab of its own and plays it. */
  function open(opening: Opening): Tab {
    const tab = createTab(oracle, opening);
    arrange([...tabs(), tab], tab, other());
    return tab;
  }

  /** Opens sessions in tabs beside those that are there, and looks at the first of them alone. One that a tab has already is not opened again. */
  function openBeside(...openings: Opening[]): void {
    const made = openings.map((opening) => tabWith(tabs(), opening) ?? createTab(oracle, opening));
    arrange([...new Set([...tabs(), ...made])], made[0] ?? current());
  }

  /** Shows two sessions side by side in tabs of their own, unless they are there, and looks at one of them. */
  function compare(left: Opening, right: Opening, looked: Lane): void {
    const [known, knownBeside] = [tabWith(tabs(), left), tabWith(tabs(), right)];
    const there = known && knownBeside && tabs().indexOf(known) < tabs().indexOf(knownBeside);
    const [first, second] = there ? [known, knownBeside] : [createTab(oracle, left), createTab(oracle, right)];
    const [shown, beside] = looked === 'left' ? [first, second] : [second, first];
    arrange([...new Set([...tabs(), first, second])], shown, beside);
  }

  /** Closes a tab, unless it is the last. */
  function close(tab: Tab): void {
    const left = tabs().filter((one) => one !== tab);
    if (left.length === 0) return;
    const beside = other() === tab ? null : other();
    arrange(left, current() === tab ? (left.find((one) => one !== beside) ?? left[0] ?? null) : current(), beside);
  }

  /** Looks at a tab: in its lane if it has one, and else alone. */
  function look(tab: Tab): void {
    if (tab === current()) return;
    batch(() => {
      setOther(tab === other() ? current() : null);
      setCurrent(tab);
    });
    wake();
  }

  /** Shows a tab beside the current one, or none. */
  function lookBeside(tab: Tab | null): void {
    setOther(tab);
    wake();
  }

  return { oracle, tabs, current, setCurrent: look, other, setOther: lookBeside, message, setMessage, arrange, open, openBeside, compare, close };
}

/** The tab that already has this session, unchanged; it moves to the step that is asked for, if any. */
function tabWith(tabs: Tab[], { session, seek, recording }: Opening): Tab | undefined {
  const known = tabs.find((tab) => {
    const one = tab.session();
    return one.manifest === session.manifest && one.script === session.script && one.draft === session.draft && one.scriptDraft === session.scriptDraft && one.title === session.title && tab.recording?.text === recording?.text;
  });
  if (seek.to === 'step') void known?.replay(seek);
  return known;
}

/** So many tabs stay played at most: each needs an instance of the controllers, and browsers allow only about a hundred. */
const AWAKE = 16;

/** Which tabs keep what was played of them: those that were looked at last. */
function createAwake() {
  /** The one that was looked at last comes first. */
  let awake: Tab[] = [];
  return {
    /** Plays the tabs that are shown, in place of those that were looked at longest ago if there are many. */
    wake(shown: Tab[]): void {
      awake = [...shown, ...awake.filter((tab) => !shown.includes(tab))];
      for (const tab of awake.splice(AWAKE)) tab.close();
      for (const tab of shown) tab.wake();
    },
    /** Ends the play of a tab that is closed. */
    close(tab: Tab): void {
      awake = awake.filter((one) => one !== tab);
      tab.close();
    },
  };
}

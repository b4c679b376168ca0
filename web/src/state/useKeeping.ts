/** Keeps the tabs of this window in the browser, and opens them again when the page is loaded again. */
import { createEffect, onCleanup } from 'solid-js';

import { identity } from './identity.ts';
import { find, type Kept, write } from './keeping.ts';
import { createTab, type Tab } from './tab.ts';
import type { Workspace } from './workspace.ts';

/** Nothing is written while one step chases the other. */
const PAUSE = 300;

/** Under this name the window has its address, if that holds nothing but what this browser keeps, and the one before: a page that is reloaded while the address is written comes back with either. */
const ADDRESS = 'playground.address';

export function useKeeping(workspace: Workspace) {
  let id: string | null = null;
  /** What is to be written. */
  let next: Kept | null = null;
  let works = false;
  let reported = false;

  /** Writes the address of what is open. */
  function writeAddress(address: string): void {
    try {
      replaceAddress(address, works);
    } catch (error) {
      report(error);
    }
  }
  function report(error: unknown): void {
    works = false;
    forget();
    if (reported) return;
    reported = true;
    const full = error instanceof DOMException && error.name === 'QuotaExceededError';
    workspace.setMessage(`${full ? 'This browser’s storage is full' : 'This browser does not let the page store anything'}, so your tabs will be lost when you close or reload the page. Save or share what you want to keep.`);
  }
  function flush(): void {
    if (!next || id === null) return;
    try {
      write(localStorage, id, next, Date.now());
      works = true;
    } catch (error) {
      report(error);
    }
    next = null;
  }
  createEffect(() => {
    const tabs = workspace.tabs();
    if (tabs.length === 0) return;
    const place = (tab: Tab | null): number => (tab ? tabs.indexOf(tab) : -1);
    next = { tabs: tabs.map((tab) => tab.opening()), current: place(workspace.current()), other: place(workspace.other()) };
    const later = setTimeout(flush, PAUSE);
    onCleanup(() => clearTimeout(later));
  });
  const hidden = (): void => void (document.visibilityState === 'hidden' && flush());
  addEventListener('pagehide', flush);
  document.addEventListener('visibilitychange', hidden);
  onCleanup(() => {
    removeEventListener('pagehide', flush);
    document.removeEventListener('visibilitychange', hidden);
  });

  return {
    /** Opens the tabs that were kept; whether there were any. */
    async reopen(): Promise<boolean> {
      try {
        const found = await identity(localStorage);
        ({ id } = found);
        const kept = found.from === null ? null : find(localStorage, found.from);
        works = true;
        if (!kept) return false;
        const tabs = kept.tabs.map((opening) => createTab(workspace.oracle, opening));
        workspace.arrange(tabs, tabs[kept.current] ?? null, tabs[kept.other] ?? null);
        return true;
      } catch (error) {
        report(error);
        return false;
      }
    },
    writeAddress,
    addressed,
  };
}

function replaceAddress(address: string, kept: boolean): void {
  const before = kept && addressed() ? location.href : '';
  history.replaceState(null, '', address);
  if (kept) sessionStorage.setItem(ADDRESS, `${before} ${location.href}`);
}

/** Whether the address holds nothing but what has been opened again. */
function addressed(): boolean {
  return (sessionStorage.getItem(ADDRESS) ?? '').split(' ').includes(location.href);
}

/** What the address holds is opened again. */
function forget(): void {
  try {
    sessionStorage.removeItem(ADDRESS);
  } catch {
    // A browser that denies this has kept nothing.
  }
}

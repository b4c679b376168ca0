/** The head of the page: examples, what version this is, sharing, help, colours. */
import { Show } from 'solid-js';

import about from '../generated/about.json';
import { ShareList } from '../share/ShareList.tsx';
import type { History } from '../state/history.ts';
import { setTheme, theme, type Theme } from '../state/settings.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';
import { Icon } from './Icon.tsx';
import { Menu } from './Menu.tsx';
import type { Offline } from './offline.ts';
import type { Windows } from './windows.ts';

const NEXT: Record<Theme, Theme> = { auto: 'light', light: 'dark', dark: 'auto' };
const ICONS: Record<Theme, string> = { auto: '◐', light: '☀', dark: '☾' };

export function Header(props: { workspace: Workspace; history: History; windows: Windows; offline: Offline }) {
  return (
    <header class="head">
      <h1>jobsmith <span class="unseen">playground</span></h1>
      <button type="button" class="example-button" title="Examples (/)" onClick={() => props.windows.open('examples')}>
        <span class="muted wide-only">{kind(props.workspace.current())}</span><span class="ellipsis">{props.workspace.current()?.title() || 'choose one'}</span> <span class="caret" aria-hidden="true">▾</span>
      </button>
      <UndoButtons history={props.history} />
      <span class="space" />
      <div class="latest" role="status">
        <Show when={props.offline.outdated()}><span>A new version is available</span> <button type="button" title="Load the new version. Your tabs stay as they are." onClick={() => props.offline.reload()}>Reload<span class="unseen"> to get the new version</span></button></Show>
      </div>
      <span class="muted version wide-only">Kubernetes {about.kubernetes}</span>
      <Menu label="Share" class="share">{(place, close) => <ShareList workspace={props.workspace} place={place} onClose={close} />}</Menu>
      <button type="button" class="quiet icon" title="Help and keyboard shortcuts (?)" aria-label="Help and keyboard shortcuts" onClick={() => props.windows.open('help')}>?</button>
      <button type="button" class="quiet icon" title={`Theme: ${theme()}`} aria-label={`Theme: ${theme()}. Change the theme`} onClick={() => setTheme(NEXT[theme()])}>{ICONS[theme()]}</button>
    </header>
  );
}

/** What is open, before its name; nothing for a session of one's own. */
function kind(tab: Tab | null): string {
  if (tab?.recording) return 'Recording: ';
  return !tab || tab.title() === '' || tab.prose() !== '' ? 'Example: ' : '';
}

/** Buttons that undo and redo what was done to the sessions. */
function UndoButtons(props: { history: History }) {
  return (
    <>
      <UndoButton name="undo" word="Undo" key="Z" what={props.history.undoable()} onDo={props.history.undo} />
      <UndoButton name="redo" word="Redo" key="Shift+Z" what={props.history.redoable()} onDo={props.history.redo} />
    </>
  );
}

/** It is never disabled for the browser: a button that is loses the focus. */
function UndoButton(props: { name: 'undo' | 'redo'; word: string; key: string; what: string | undefined; onDo: () => void }) {
  const label = () => (props.what === undefined ? `Nothing to ${props.name}` : `${props.word}: ${props.what}`);
  return (
    <button type="button" class="quiet icon undo" aria-disabled={props.what === undefined} title={`${label()} (${props.key})`} aria-label={label()} onClick={() => props.onDo()}>
      <Icon name={props.name} />
    </button>
  );
}

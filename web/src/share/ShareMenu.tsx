/** Ways to take a session elsewhere. Nothing of it is sent to a server: a link holds all of it after its `#`. */
import { Show } from 'solid-js';

import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';
import { scenario } from '../model/scenario.ts';
import { encode } from '../session.ts';
import { Menu } from '../shell/Menu.tsx';
import type { Windows } from '../shell/windows.ts';
import { paragraph } from '../why/text.ts';
import { choose, fileName, openings, save } from './files.ts';
import { issue, markdown, type Shared } from './text.ts';

/** The address of this page with a session in it. */
async function link(tab: Tab): Promise<string> {
  return `${location.href.split('#')[0] ?? ''}#${await encode(tab.session())}`;
}

export async function copyLink(workspace: Workspace): Promise<void> {
  const tab = workspace.current();
  if (!tab) return;
  if (tab.recording) {
    workspace.setMessage('A recording does not fit into a link: send its file, or choose “What if…” and share that session.');
    return;
  }
  await navigator.clipboard.writeText(await link(tab));
  workspace.setMessage('The link is copied.');
}

async function shared(workspace: Workspace, tab: Tab): Promise<Shared> {
  const trace = await workspace.oracle.ask('trace', { play: tab.play(), all: false });
  return { session: tab.session(), link: await link(tab), trace };
}

async function copyIssue(workspace: Workspace, tab: Tab): Promise<void> {
  const step = tab.step();
  const reasons = step ? paragraph(step, tab.story().waitsAfter(tab.cursor())) : '';
  const about = await workspace.oracle.ask('about', {});
  await navigator.clipboard.writeText(issue(await shared(workspace, tab), reasons, about));
  workspace.setMessage('The text of an issue is copied.');
}

/** Opens a file: its first session in place of all, the others beside it. */
export async function openFile(workspace: Workspace, file: File): Promise<void> {
  try {
    for (const opening of openings(file.name, await file.text())) workspace.open(opening);
    workspace.setMessage(`${file.name} is open.`);
  } catch (error) {
    workspace.setMessage(`${file.name} cannot be opened: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function ShareMenu(props: { workspace: Workspace; windows: Windows }) {
  const { workspace } = props;
  return (
    <Menu label="Share" name="Share" class="share">
      {(close) => {
        const on = (act: (tab: Tab) => Promise<void> | void) => (): void => {
          const tab = workspace.current();
          close();
          if (tab) void act(tab);
        };
        const name = (tab: Tab): string => fileName(tab.title());
        return (
          <>
            <Show when={!workspace.current()?.recording}>
              <button type="button" onClick={on(() => copyLink(workspace))}>Copy the link</button>
              <button type="button" onClick={on(async (tab) => {
                await navigator.clipboard.writeText(markdown(await shared(workspace, tab)));
                workspace.setMessage('The session is copied as Markdown.');
              })}>Copy as Markdown</button>
              <button type="button" onClick={on((tab) => copyIssue(workspace, tab))}>Copy as the text of an issue</button>
              <hr />
              <button type="button" onClick={on((tab) => save(`${name(tab)}.jobsmith`, JSON.stringify(tab.session(), null, 2)))}>Save the session</button>
              <button type="button" onClick={on((tab) => save(`${name(tab)}.md`, scenario(tab.title() || 'A session', tab.manifest(), tab.script())))}>Save as a scenario file</button>
            </Show>
            <button type="button" onClick={on(async () => {
              const file = await choose();
              if (file) await openFile(workspace, file);
            })}>Open a file…</button>
          </>
        );
      }}
    </Menu>
  );
}

/** Ways to take a session elsewhere, and to bring one. */
import { Show } from 'solid-js';

import { type Place, Popup } from '../shell/Popup.tsx';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';
import { paragraph } from '../why/text.ts';
import { openFile } from './coming.ts';
import { choose, fileName, save } from './files.ts';
import { copyLink, link } from './link.ts';
import { issue, markdown, type Shared } from './text.ts';

async function shared(workspace: Workspace, tab: Tab): Promise<Shared> {
  const trace = await workspace.oracle.call('trace', { play: tab.play(), all: false });
  return { session: tab.session(), link: await link(workspace, tab), trace };
}

async function copyIssue(workspace: Workspace, tab: Tab): Promise<void> {
  const step = tab.step();
  const reasons = step ? paragraph(step, tab.story().waitsAfter(tab.cursor())) : '';
  const about = await workspace.oracle.call('about', {});
  await navigator.clipboard.writeText(issue(await shared(workspace, tab), reasons, about));
  workspace.setMessage('Copied the issue report.');
}

export function ShareList(props: { workspace: Workspace; place: Place; onClose: () => void }) {
  const { workspace } = props;
  const on = (act: (tab: Tab) => Promise<void> | void) => (): void => {
    const tab = workspace.current();
    props.onClose();
    if (tab) void act(tab);
  };
  const name = (tab: Tab): string => fileName(tab.title());
  return (
    <Popup place={props.place} label="Share" onClose={props.onClose}>
      <Show when={!workspace.current()?.recording}>
        <button type="button" onClick={on(() => copyLink(workspace))}>Copy the link</button>
        <button type="button" onClick={on(async (tab) => {
          await navigator.clipboard.writeText(markdown(await shared(workspace, tab)));
          workspace.setMessage('Copied the session as Markdown.');
        })}>Copy as Markdown</button>
        <button type="button" onClick={on((tab) => copyIssue(workspace, tab))}>Copy as issue report</button>
        <hr />
        <button type="button" onClick={on((tab) => save(`${name(tab)}.jobsmith`, JSON.stringify(tab.session(), null, 2)))}>Save the session</button>
        <button type="button" onClick={on(async (tab) => save(`${name(tab)}.md`, await workspace.oracle.call('writeScenario', { title: tab.title() || 'A session', manifest: tab.manifest(), script: tab.script() })))}>Save as a scenario file</button>
      </Show>
      <button type="button" onClick={on(async () => {
        const file = await choose();
        if (file) await openFile(workspace, file);
      })}>Open a file…</button>
    </Popup>
  );
}

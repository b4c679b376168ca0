/** Ways to take a session elsewhere, the most used first, and to bring one. */
import { For, Show } from 'solid-js';

import { ordered } from '../compare/lanes.ts';
import { fault } from '../faults.ts';
import about from '../generated/about.json';
import { type Place, Popup } from '../shell/Popup.tsx';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';
import { reasons } from '../why/text.ts';
import { openFile } from './coming.ts';
import { command } from './command.ts';
import { choose, fileName, save } from './files.ts';
import { png, svg } from './image.ts';
import { copyEmbedCode, copyLink, isLocal, link, outgoing, savedText } from './link.ts';
import { issue, markdown, type Shared } from './text.ts';

/** One way: what it is called, what it is for, and what it does. */
interface Way {
  name: string;
  use: string;
  /** Whether a recording can go this way: it has no manifest and no script. */
  recordings?: boolean;
  act: (tab: Tab) => Promise<unknown> | void;
}

function ways(workspace: Workspace): Way[] {
  const { oracle } = workspace;
  const copy = async (text: string, what: string): Promise<void> => {
    await navigator.clipboard.writeText(text);
    workspace.setMessage(`Copied the ${what}.`);
  };
  const shared = async (tab: Tab): Promise<Shared> => ({ session: outgoing(tab), link: await link(workspace, tab), local: isLocal(), trace: await oracle.call('trace', { play: tab.play(), all: false }) });
  const name = (tab: Tab): string => fileName(tab.title(), tab.story().first());
  const drawn = async (tab: Tab): Promise<string> => svg(ordered(workspace, tab), about);
  const scenario = (tab: Tab): Promise<string> => oracle.call('writeScenario', { title: tab.label(), manifest: outgoing(tab).manifest, script: tab.script(), until: tab.story().lastAt });
  return [
    { name: 'Copy link', use: 'everything on the screen', act: () => copyLink(workspace) },
    { name: 'Copy embed code', use: 'for a blog or a docs page', act: (tab) => copyEmbedCode(workspace, tab) },
    { name: 'Copy issue report', use: 'reasons, manifest and trace', act: async (tab) => copy(issue(await shared(tab), reasons(tab), about), 'issue report') },
    { name: 'Copy Markdown', use: 'manifest and trace, for a chat', act: async (tab) => copy(markdown(await shared(tab)), 'session as Markdown') },
    { name: 'Copy CLI command', use: 'runs this session in a shell', act: (tab) => copy(command(outgoing(tab), tab.story()), 'CLI command') },
    { name: 'Save scenario file', use: 'a test that jobsmith test runs', act: async (tab) => save(`${name(tab)}.md`, await scenario(tab)) },
    { name: 'Save .jobsmith file', use: 'opens here and in the CLI', act: (tab) => save(`${name(tab)}.jobsmith`, savedText(workspace, tab)) },
    { name: 'Save SVG', use: 'the timeline as a vector image', recordings: true, act: async (tab) => save(`${name(tab)}.svg`, await drawn(tab)) },
    { name: 'Save PNG', use: 'the timeline as an image, for a chat', recordings: true, act: async (tab) => save(`${name(tab)}.png`, await png(await drawn(tab))) },
  ];
}

export function ShareList(props: { workspace: Workspace; place: Place; onClose: () => void }) {
  const { workspace } = props;
  const shown = () => ways(workspace).filter((way) => way.recordings || !workspace.current()?.recording);
  const take = async (way: Way): Promise<void> => {
    const tab = workspace.current();
    props.onClose();
    try {
      if (tab) await way.act(tab);
    } catch (error) {
      workspace.setMessage(fault(error));
    }
  };
  return (
    <Popup place={props.place} label="Share" onClose={props.onClose}>
      <Show when={workspace.current()}>
        <For each={shown()}>{(way) => <button type="button" class="way" onClick={() => void take(way)}><span>{way.name}</span> <span class="muted">{way.use}</span></button>}</For>
        <hr />
      </Show>
      <button type="button" onClick={() => {
        props.onClose();
        void choose().then((file) => file && openFile(workspace, file));
      }}>Open a file…</button>
    </Popup>
  );
}

/** A link to a session. Nothing of it is sent to a server: a link holds all of it after its `#`. */
import { ordered } from '../compare/lanes.ts';
import { encode, type Session } from '../session.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';
import { escaped } from '../timeline/svgInk.ts';
import { withoutSecrets } from './secrets.ts';

/** The session of a tab as it goes elsewhere: without Secrets. */
export function outgoing(tab: Tab): Session {
  const { draft, edited, ...session } = tab.session();
  const [manifest, typed] = [withoutSecrets(session.manifest), draft === undefined ? undefined : withoutSecrets(draft)];
  return {
    ...session, manifest,
    ...(typed === undefined || typed === manifest ? {} : { draft: typed }),
    ...(edited ? { edited: { ...edited, manifest: withoutSecrets(edited.manifest) } } : {}),
  };
}

/** The session of a tab with that of the lane beside it. A recording is not a session. */
export function onScreen(workspace: Workspace, tab: Tab): Session {
  const [left, right] = ordered(workspace, tab);
  const other = tab === left ? right : left;
  if (!other || other.recording) return outgoing(tab);
  return { ...outgoing(tab), beside: { lane: other === left ? 'left' : 'right', session: outgoing(other) } };
}

/** What is on the screen as a file. CronJobs never end: it says how far they were played. */
export function savedText(workspace: Workspace, tab: Tab): string {
  const [session, story] = [onScreen(workspace, tab), tab.story()];
  const shown: Session = story.runs.cronJobs.length === 0 ? session : { ...session, until: Math.ceil(Math.max(1000, story.lastAt)) };
  return JSON.stringify(shown, null, 2);
}

/** The address of this page with what is on the screen in it. */
export async function link(workspace: Workspace, tab: Tab): Promise<string> {
  return `${location.origin}${location.pathname}#${await encode(onScreen(workspace, tab))}`;
}

/** What is on the screen as a frame in another page. */
async function embedCode(workspace: Workspace, tab: Tab): Promise<string> {
  const address = (await link(workspace, tab)).replace('#', '?embed#');
  return `<iframe src="${address}" title="${escaped(tab.title() || 'A Kubernetes Job, step by step')}" width="800" height="500" style="max-width: 100%; border: 1px solid #8885" loading="lazy"></iframe>`;
}

/** Copies the embed code, with a warning if only this computer can load the page. */
export async function copyEmbedCode(workspace: Workspace, tab: Tab): Promise<void> {
  await navigator.clipboard.writeText(await embedCode(workspace, tab));
  workspace.setMessage(isLocal() ? `Copied the embed code. It works only on this computer, because this page is at ${location.hostname}. For a public page, copy it from a playground that is hosted on the web.` : 'Copied the embed code.');
}

/** Whether only this computer can load the page. */
export function isLocal(): boolean {
  return /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(location.hostname);
}

/** Chats, mail programs and servers cut or refuse links that are longer. */
const LONG = 8000;

function tooLong(length: number): string {
  return `It is ${Math.round(length / 1000)} kB long, and some programs cut links longer than 8 kB. To be safe, choose “Share”, then “Save .jobsmith file”, and share the file.`;
}

export async function copyLink(workspace: Workspace): Promise<void> {
  const tab = workspace.current();
  if (!tab) return;
  if (tab.recording) {
    workspace.setMessage('A recording does not fit in a link. Send the file, or choose “What if…” and share the new session.');
    return;
  }
  const text = await link(workspace, tab);
  await navigator.clipboard.writeText(text);
  const copied = workspace.other()?.recording ? 'Copied the link without the other lane: a recording does not fit in a link.' : 'Copied the link.';
  const local = isLocal() ? ` It opens only on this computer, while this page is at ${location.host}. For others, choose “Share”, then “Save .jobsmith file”.` : '';
  workspace.setMessage(`${copied}${text.length > LONG ? ` ${tooLong(text.length)}` : ''}${local}`);
}

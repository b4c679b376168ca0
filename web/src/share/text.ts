/** A session as text for others: Markdown for a chat or a page, and an issue. */
import type { About } from '../protocol.ts';
import type { Session } from '../session.ts';

export interface Shared {
  session: Session;
  link: string;
  /** Whether only this computer can open the link. */
  local: boolean;
  /** What `jobsmith simulate` prints of it. */
  trace: string;
}

/** A block of code; its fence is longer than any in the text. */
function block(kind: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map((one) => one.length + 1)));
  return `${fence}${kind}\n${text.trimEnd()}\n${fence}`;
}

export function markdown({ session, link, local, trace }: Shared): string {
  const script = session.script.trim() === '' ? [] : ['What its pods do:', block('', session.script)];
  const where = local ? ' (only on the computer that this was copied on)' : '';
  return [`## ${session.title ?? 'A Job'}`, block('yaml', session.manifest), ...script, 'What happens:', block('', trace), `[Open it in the playground](${link})${where}`].join('\n\n');
}

/** `reasons` are those of the current step. */
export function issue(shared: Shared, reasons: string, about: About): string {
  const versions = `Kubernetes ${about.kubernetes}, jobsmith ${about.jobsmith}, component sha256 ${about.sha256}`;
  return ['### What happens', block('', reasons), '### What I expected', '', '### How to reproduce it', markdown(shared), '### Versions', versions].join('\n\n');
}

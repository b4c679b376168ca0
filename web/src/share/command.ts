/** A session as a command that plays it in a shell: the manifest on standard input, the script as an option. */
import type { Story } from '../model/story.ts';
import { length } from '../model/time.ts';
import type { Session } from '../session.ts';

/** `jobsmith simulate` with what was played of a session. */
export function command({ manifest, script }: Session, story: Story): string {
  const end = delimiter(manifest);
  const options = [...(script.trim() === '' ? [] : ['--script', quoted(script.trim())]), ...times(story)];
  return `jobsmith simulate - ${[...options, `<<'${end}'`].join(' ')}\n${manifest.trimEnd()}\n${end}\n`;
}

/** A CronJob never ends, and those of a cluster begin at the time of day: what the page has is given. */
function times(story: Story): string[] {
  if (story.runs.cronJobs.length === 0) return [];
  const from = ['--from', new Date(story.start).toISOString()];
  return story.ended ? from : [...from, '--for', length(Math.max(1000, story.lastAt))];
}

/** A text in single quotes, which a shell leaves as it is. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A word that is not a line of the text, and so ends it. */
function delimiter(text: string): string {
  const lines = new Set(text.split(/\r?\n/));
  let word = 'EOF';
  while (lines.has(word)) word += '_';
  return word;
}

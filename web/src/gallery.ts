/** The examples: every claim of the scenario files, by topic. They are loaded when somebody wants to see them. */
import type { Example } from './protocol.ts';

export type { Example };

export async function loadGallery(): Promise<Example[]> {
  return (await import('virtual:gallery')).default;
}

/** The examples by topic, in the order of the files. */
export function byTopic(gallery: Example[]): Map<string, Example[]> {
  const topics = new Map<string, Example[]>();
  for (const example of gallery) {
    const known = topics.get(example.topic);
    if (known) known.push(example);
    else topics.set(example.topic, [example]);
  }
  return topics;
}

/** The examples: every claim of the scenario files, by topic. They are loaded on demand. */
import type { Example } from './protocol.ts';

/** A claim, with the Kubernetes page that it is about. */
export interface Claim extends Example {
  page: string;
  /** How its Jobs and pods end, in lines: conditions with their reasons, and exit codes. */
  outcomes: string;
}

export async function loadGallery(): Promise<Claim[]> {
  return (await import('virtual:gallery')).default;
}

/** The examples by topic, in the order of the files; of another page than that about Jobs, with its name. */
export function byTopic(gallery: Claim[]): Map<string, Claim[]> {
  const topics = new Map<string, Claim[]>();
  for (const example of gallery) {
    const topic = example.page === 'Jobs' ? example.topic : `${example.page}: ${example.topic}`;
    const known = topics.get(topic);
    if (known) known.push(example);
    else topics.set(topic, [example]);
  }
  return topics;
}

/** Reads and writes scenario files: one title, and claims of which each has its words, a manifest and a script. */

/** One claim of a scenario file, as it is shown in the gallery. */
export interface Example {
  /** The file and the claim's place in it: `job/pod-failure-policy/2`. */
  id: string;
  /** The heading of the Kubernetes page that it belongs to. */
  topic: string;
  /** The claim, in one sentence. */
  title: string;
  /** What the file says about the claim. */
  prose: string;
  manifest: string;
  script: string;
}

const FENCE = /^```(\w*)$/;

/** The text of a claim, taken apart into its words and its blocks. */
function parts(text: string): { prose: string; blocks: Map<string, string> } {
  const prose: string[] = [];
  const blocks = new Map<string, string>();
  let open: { kind: string; lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    const fence = FENCE.exec(line);
    if (open && fence) {
      blocks.set(open.kind, open.lines.map((one) => `${one}\n`).join(''));
      open = null;
    } else if (open) {
      open.lines.push(line);
    } else if (fence) {
      open = { kind: fence[1] ?? '', lines: [] };
    } else {
      prose.push(line);
    }
  }
  return { prose: prose.join('\n').trim(), blocks };
}

/** The claims of one scenario file. `name` is its path without the ending: `job/pod-failure-policy`. */
export function examples(name: string, text: string): Example[] {
  const [head = '', ...claims] = text.split(/^## /m);
  const topic = /^# (.*)$/m.exec(head)?.[1] ?? name;
  return claims.map((claim, place) => {
    const end = claim.indexOf('\n');
    const { prose, blocks } = parts(claim.slice(end + 1));
    const manifest = blocks.get('yaml');
    if (manifest === undefined) throw new Error(`${name}: the claim "${claim.slice(0, end)}" has no yaml block`);
    return { id: `${name}/${place + 1}`, topic, title: claim.slice(0, end), prose, manifest, script: blocks.get('script') ?? '' };
  });
}

/** A session as a scenario file; its trace and its status are written down by running the scenarios with `UPDATE_EXPECT=1`. */
export function scenario(title: string, manifest: string, script: string): string {
  const block = (kind: string, text: string): string => `\`\`\`${kind}\n${text.trimEnd()}\n\`\`\`\n`;
  const blocks = [block('yaml', manifest), ...(script.trim() === '' ? [] : [block('script', script)]), '```trace\n```\n', '```status\n```\n'];
  return [`# ${title}\n`, `## ${title}\n`, ...blocks].join('\n');
}

/** What a session is outside of the page: a picture of its timeline, and a command. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { Story } from '../src/model/story.ts';
import type { Outcome, State } from '../src/protocol.ts';
import { command, quoted } from '../src/share/command.ts';
import { fileName } from '../src/share/files.ts';
import { openText } from '../src/share/opened.ts';
import { picture } from '../src/share/picture.ts';
import { withoutSecrets } from '../src/share/secrets.ts';
import { createWorkspace } from '../src/state/workspace.ts';
import { markdown } from '../src/share/text.ts';
import type { Palette } from '../src/timeline/palette.ts';
import { SvgInk } from '../src/timeline/svgInk.ts';
import { cronJob, decision, job, module, plan, about, played, pod, progress, step } from './steps.ts';

const TOKENS = readFileSync(new URL('../src/styles/tokens.css', import.meta.url), 'utf8');

/** The light colours of the style sheet. */
const colours = new Proxy({} as Palette, {
  get: (_, name) => (name === 'font' ? '"Segoe UI", sans-serif' : (new RegExp(`--${String(name)}: (?:light-dark\\()?(#\\w+)`).exec(TOKENS)?.[1] ?? '')),
});

/** A Job with one pod that succeeds and one that fails. */
const story = played(
  step(0, { jobs: [job({ completionMode: 'Indexed', completions: 2 })] }),
  plan(0, about('pi'), decision('Creating 2 pods')),
  step(0, { pods: [0, 1].map((index) => pod(`pi-${index}`, { index })) }),
  step(1000, { pods: [0, 1].map((index) => pod(`pi-${index}`, { index, phase: 'Running', ready: index === 0 })) }),
  step(9000, { pods: [pod('pi-0', { index: 0, phase: 'Succeeded', exitCode: 0 }), pod('pi-1', { index: 1, phase: 'Failed', exitCode: 42 })] }),
  step(10_000, { jobs: [job({ conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }] })] }),
);
story.add(progress([], { outcomes: [outcome('failed', 'Failed at 0:10', 'BackoffLimitExceeded', '2 pods')] }));
const drawn = (title: string, of = story): string => picture([{ title, story: of, step: of.steps.length - 1 }], 'Kubernetes v1.37', colours);

function outcome(state: State, ...facts: string[]): Outcome {
  return { kind: 'Job', namespace: 'default', name: 'pi', state, facts: facts.map((fact) => [fact]), decided: null };
}

/** Whether all elements of a document end in the order in which they began. */
function wellFormed(xml: string): boolean {
  const open: string[] = [];
  for (const [, end, name, alone] of xml.matchAll(/<(\/?)([a-z]+)(?:\s+[\w:-]+="[^"<]*")*\s*(\/?)>/gi)) {
    if (end) {
      if (open.pop() !== name) return false;
    } else if (name && !alone) open.push(name);
  }
  return open.length === 0 && !/&(?!(amp|lt|gt|quot);)/.test(xml) && !xml.replace(/<\/?[a-z]+(\s+[\w:-]+="[^"<]*")*\s*\/?>/gi, '').includes('<');
}

/** All texts of a picture. */
const texts = (svg: string): string[] => [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text ?? '');

describe('a picture of the timeline', () => {
  test('has title, outcome, axis, rows, codes and a legend of what is in it', () => {
    const svg = drawn('Why did it fail?');
    expect(wellFormed(svg)).toBe(true);
    expect(texts(svg)).toEqual(expect.arrayContaining(['Why did it fail?', 'Job pi: Failed at 0:10, BackoffLimitExceeded, 2 pods', '0:04', 'index 0', 'index 1', '✓', '✗ 42', 'decisions', 'Kubernetes v1.37']));
    expect(texts(svg)).toEqual(expect.arrayContaining(['Pending', 'Running', 'Ready', 'Succeeded', 'Failed, with its exit code', 'decision to act']));
    for (const absent of ['being deleted', 'waiting', 'container restarted', 'no Job started', 'action']) expect(texts(svg)).not.toContain(absent);
    expect(svg).toContain('<title>Why did it fail?. Job pi: Failed at 0:10, BackoffLimitExceeded, 2 pods</title>');
  });

  test('has both lanes of a comparison, by the same axis', () => {
    const lane = (title: string, of: Story) => ({ title, story: of, step: of.steps.length - 1 });
    const short = played(step(0, { jobs: [job()] }), step(0, { pods: [pod('pi-x')] }), step(4000, { jobs: [job({ conditions: [{ type: 'Complete', status: 'True', reason: '' }] })] }));
    short.add(progress([], { outcomes: [outcome('complete', 'Complete at 0:04', '1 pod')] }));
    const svg = picture([lane('A: Never', story), lane('B: OnFailure', short)], 'Kubernetes v1.37', colours);
    const all = texts(svg);
    const count = (text: string): number => all.filter((one) => one === text).length;
    expect(wellFormed(svg)).toBe(true);
    expect(all.indexOf('A: Never')).toBeLessThan(all.indexOf('B: OnFailure'));
    expect(['0:08', 'Pending', 'Kubernetes v1.37'].map(count)).toEqual([2, 1, 1]);
    expect(svg).toContain('<title>A: Never. Job pi: Failed at 0:10, BackoffLimitExceeded, 2 pods. B: OnFailure. Job pi: Complete at 0:04, 1 pod</title>');
  });

  test('says the same of whatever is in a title', () => {
    const svg = drawn('a < b && "c" \u0001');
    expect(wellFormed(svg)).toBe(true);
    expect(texts(svg)).toContain('a &lt; b &amp;&amp; &quot;c&quot; ');
  });

  test('has room for a long title, many rows and none', () => {
    const pods = Array.from({ length: 300 }, (_, index) => pod(`pi-${index}`, { index }));
    const many = drawn('word '.repeat(60), played(step(0, { jobs: [job()], pods }), step(9000)));
    expect([wellFormed(many), texts(many).includes('300 rows'), texts(many).filter((text) => text.startsWith('word')).length > 1]).toEqual([true, true, true]);
    expect(wellFormed(drawn('', played(step(0))))).toBe(true);
  });

  test('has shapes of a canvas', () => {
    const ink = new SvgInk();
    ink.fillStyle = 'red';
    ink.arc(10, 10, 5, 0, 2 * Math.PI);
    ink.fill();
    ink.beginPath();
    ink.arc(0, 0, 2, Math.PI, 0);
    ink.setLineDash([2, 4]);
    ink.globalAlpha = 0.5;
    ink.stroke();
    expect(ink.drawn()).toBe('<path d="M15 10A5 5 0 0 1 5 10A5 5 0 0 1 15 10" fill="red"/>\n<path d="M-2 0A2 2 0 0 1 0 -2A2 2 0 0 1 2 0" fill="none" stroke="#000000" stroke-width="1" stroke-dasharray="2 4" opacity="0.5"/>');
  });
});

test('a file that is no session says what it is', async () => {
  const opened = (text: string) => openText(createWorkspace(module), 'a.jobsmith', text);
  await expect(opened('{"version": 1, "manifest": "ki')).rejects.toThrow('The file is damaged. Save the session again.');
  await expect(opened('kind: Job\n')).rejects.toThrow('If it is a manifest, rename it to .yaml');
  await expect(opened('{"version": 2}')).rejects.toThrow('made by a newer version of the playground');
  await expect(opened('{"version": 1}')).rejects.toThrow('manifest, script or cursor is missing');
});

test('in Markdown, a manifest with a fence of its own stays in its block', () => {
  const session = { version: 1 as const, manifest: 'a: |\n  ```\n  b\n  ```\n', script: '', cursor: 0 };
  const shared = { session, link: 'x', trace: 'y' };
  expect(markdown({ ...shared, local: false })).toContain('````yaml\na: |\n  ```\n  b\n  ```\n````\n');
  expect([false, true].map((local) => markdown({ ...shared, local }).split('\n').at(-1))).toEqual(['[Open it in the playground](x)', '[Open it in the playground](x) (only on the computer that this was copied on)']);
});

describe('a Secret goes nowhere', () => {
  const job = 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\n';
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  password: hunter2\n';

  test.each([
    ['in a document', `${secret}---\n${job}`],
    ['in flow style', `${job}---\n{apiVersion: v1, kind: Secret, stringData: {password: hunter2}}\n`],
    ['in a list', `apiVersion: v1\nitems:\n- apiVersion: batch/v1\n  kind: Job\n  metadata: {name: a}\n- apiVersion: v1\n  data: {password: hunter2}\n  kind: Secret\nkind: List\n`],
    ['in a list in JSON', JSON.stringify({ kind: 'List', items: [{ kind: 'Secret', data: { password: 'hunter2' } }, { kind: 'Job', metadata: { name: 'a' } }] })],
    ['in a list of Secrets', `${job}---\nkind: SecretList\nitems:\n- data: {password: hunter2}\n`],
    ['in a document that cannot be read', `${job}---\nkind: "Secret"\n  data: [hunter2\n`],
  ])('%s', (_, manifest) => {
    const left = withoutSecrets(manifest);
    expect(left).not.toContain('hunter2');
    expect(left).toMatch(/kind"?: "?Job\b/);
  });

  test('and nothing else is left out', () => {
    const other = `${job}---\nkind: ConfigMap\ndata:\n  secretName: kind\n`;
    expect(withoutSecrets(other)).toBe(other);
  });
});

test('a file is called as the object is, or as the file that it came from', () => {
  expect([fileName('With OnFailure and a backoffLimit of 3, …', 'report'), fileName('nightly.v2.yaml', 'report'), fileName('', '')]).toEqual(['report', 'nightly.v2', 'session']);
});

describe('a command', () => {
  const session = { version: 1 as const, manifest: 'kind: Job\n', script: '', cursor: 0 };
  const hostile = `it's $HOME \`id\` "x" \\ !`;

  test('has the manifest on standard input', () => {
    expect(command(session, story)).toBe("jobsmith simulate - <<'EOF'\nkind: Job\nEOF\n");
  });

  test('has the script as an option, and the times of a CronJob', () => {
    const endless = new Story();
    endless.add(progress([step(0, { cronJobs: [cronJob()] }), step(605_000)], { ended: false, paused: true }));
    expect(command({ ...session, script: 'pods: exit 1 after 5s\n' }, endless)).toBe("jobsmith simulate - --script 'pods: exit 1 after 5s' --from 2026-01-01T00:00:00.000Z --for 10m5s <<'EOF'\nkind: Job\nEOF\n");
  });

  test('is read by a shell as it was written', () => {
    const manifest = `${hostile}\nEOF\nEOF_`;
    const typed = command({ ...session, manifest, script: `${hostile}\n${hostile}` }, story);
    const shell = `jobsmith() { printf '%s\\n' "$@"; cat; }\n${typed}`;
    expect(execFileSync('sh', ['-c', shell], { encoding: 'utf8' })).toBe(`simulate\n-\n--script\n${hostile}\n${hostile}\n${manifest}\n`);
    expect(execFileSync('sh', ['-c', `printf %s ${quoted(hostile)}`], { encoding: 'utf8' })).toBe(hostile);
  });
});

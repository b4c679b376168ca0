/** What can be written into the cells of a rule: the indexes, containers and Jobs that there are, and what pods are known to do. */
import { type Named, scripted } from './names.ts';
import type { Story } from './story.ts';

export interface Proposals {
  which: string[];
  what: string[];
}

/** So many indexes are proposed. */
const MOST = 30;

const WHAT = [
  'succeed after 5s', 'exit 1 after 5s', 'exit 1 once', 'exit 1 twice', 'exit 1 3 times', 'exit 75 after 5s, message "retry-after 30"', 'killed by signal 9 after 5s', 'OOMKilled after 5s', 'runs forever', 'runs forever, ignores TERM', 'ends 2s after TERM with 0',
  'evicted after 10s', 'preempted after 10s', 'evicted by the kubelet after 10s', 'scheduled after 10s', 'never scheduled', 'starts after 5s', 'never starts (image cannot be pulled)', 'ready after 5s', 'never ready',
];

export function proposals(story: Story, manifest: string): Proposals {
  const jobs = [...story.jobs.values()].flatMap((history) => history.at(-1)?.view ?? []);
  const rows = story.bars.rows();
  const completions = jobs.filter((job) => job.completionMode === 'Indexed').map((job) => job.completions ?? 0);
  const indexes = Math.min(MOST, Math.max(0, ...completions, ...rows.map((row) => (row.index ?? -1) + 1)));
  const index = Array.from({ length: indexes }, (_, number) => `index ${number}`);
  const names = story.names.several ? [...story.runs.cronJobs.map((cronJob) => `cronjob ${scripted(cronJob)}`), ...jobs.map((job: Named) => `job ${scripted(job)}`)] : [];
  const containers = new Set(rows.slice(0, MOST).flatMap((row) => row.bars[0]?.views.at(-1)?.view.containers.map(({ name }) => `container ${name}`) ?? []));
  return {
    which: ['pods', ...index, 'attempt 1', 'attempts 1-2', ...index.map((one) => `${one} attempts 1-2`), 'start 1', ...containers, ...names],
    what: [...WHAT, ...conditionTypes(manifest).map((type) => `condition ${type} after 2s`), ...exitCodes(manifest).map((code) => `exit ${code} after 5s`)],
  };
}

/** The conditions in the rules of a pod failure policy that no disruption gives pods; one as an example where there is none. */
export function conditionTypes(manifest: string): string[] {
  const lists = manifest.split(/\bonPodConditions\b/).slice(1).map((rest) => rest.split(/\b(?:action|onExitCodes|template)\b/, 1)[0] ?? '');
  const types = lists.flatMap((list) => [...list.matchAll(/\btype["']?:\s*["']?([\w./-]+)/g)].flatMap(([, type]) => type ?? []));
  const own = [...new Set(types)].filter((type) => type !== 'DisruptionTarget');
  return own.length > 0 ? own : ['ConfigIssue'];
}

/** The exit codes in the rules of a pod failure policy. */
function exitCodes(manifest: string): string[] {
  const lists = [...manifest.matchAll(/\bvalues:\s*(\[[\d,\s]*\]|(?:\n\s*- \d+)+)/g)];
  return [...new Set(lists.flatMap(([, list = '']) => list.match(/\d+/g) ?? []))].filter((code) => code !== '0' && code !== '1');
}

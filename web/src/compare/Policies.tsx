/** The three concurrency policies side by side: what happens to the runs of a CronJob under each; each opens beside this session. */
import { createEffect, createMemo, createSignal, For, onCleanup, Show } from 'solid-js';

import { withSpecField } from '../editor/write.ts';
import { key, scripted } from '../model/names.ts';
import { type CronJob, countsAt, POLICIES, type Policy } from '../model/runs.ts';
import type { RunCounts } from '../protocol.ts';
import { Dialog } from '../shell/Dialog.tsx';
import type { Session } from '../session.ts';
import { createTab, type Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

interface Props {
  workspace: Workspace;
  tab: Tab;
  cronJob: CronJob;
  onClose: () => void;
}

const COLUMNS: [keyof RunCounts, string, string][] = [
  ['started', 'Started', 'Runs for which a Job was created'],
  ['skipped', 'Skipped', 'Runs for which no Job was created'],
  ['replaced', 'Replaced', 'Runs whose Job was deleted to make way for the next run'],
  ['overlapping', 'Overlapping', 'Runs that started while another Job was still active'],
];

export function Policies(props: Props) {
  const { workspace, tab, cronJob } = props;
  /** How far this session was played, once it is; null before that. */
  const until = createMemo<number | null>((known) => known ?? (tab.complete() ? tab.story().lastAt : null), null);
  const own = cronJob.views[0]?.view.concurrencyPolicy;
  const sessions = new Map<Policy, Session>();
  const [lanes, setLanes] = createSignal<Partial<Record<Policy, Tab>>>({});
  let closed = false;
  onCleanup(() => {
    closed = true;
    for (const lane of Object.values(lanes())) lane.close();
  });
  createEffect(() => {
    const at = until();
    if (at !== null) for (const policy of POLICIES) if (policy !== own) void play(policy, at);
  });

  /** Plays the session with another policy up to the time that this one has reached. */
  async function play(policy: Policy, at: number): Promise<void> {
    const session = await changed(tab, cronJob, policy);
    if (closed) return;
    sessions.set(policy, session);
    const lane = createTab(workspace.oracle, { session, seek: { to: 'time', at } });
    setLanes((all) => ({ ...all, [policy]: lane }));
    lane.wake();
  }
  const laneOf = (policy: Policy) => (policy === own ? tab : lanes()[policy]);
  /** The outcomes of the runs; null while they are being played, or if they cannot be played. */
  function counted(policy: Policy): RunCounts | null {
    const of = laneOf(policy);
    const at = until();
    if (!of || at === null || !of.complete() || of.failure()) return null;
    of.version();
    const found = of.story().runs.cronJobs.find((one) => one.key === key(cronJob));
    return found ? countsAt(found, at) : null;
  }
  function open(policy: Policy): void {
    const session = sessions.get(policy);
    if (session) {
      const made = workspace.open({ session, seek: { to: 'divergence' } });
      workspace.setCurrent(tab);
      workspace.setOther(made);
      tab.seek({ to: 'divergence' });
    }
    props.onClose();
  }
  return (
    <Dialog title="Concurrency policies" onClose={props.onClose}>
      <p>Runs of <span class="mono">cronjob/{tab.story().names.of(cronJob)}</span> up to {tab.clock().show(until() ?? tab.story().lastAt)} under each <code>concurrencyPolicy</code>.</p>
      <table class="policies">
        <thead><tr><th scope="col">Policy</th><For each={COLUMNS}>{([, name, title]) => <th scope="col" title={title}>{name}</th>}</For><th /></tr></thead>
        <tbody>
          <For each={POLICIES}>
            {(policy) => (
              <tr>
                <th scope="row" class="mono">{policy}</th>
                <Show when={counted(policy)} fallback={<td colspan={COLUMNS.length} class="muted">{laneOf(policy)?.failure()?.message ?? 'Playing…'}</td>}>
                  {(found) => <For each={COLUMNS}>{([column]) => <td>{found()[column]}</td>}</For>}
                </Show>
                <td><button type="button" aria-label={policy === own ? `Back to this session, ${policy}` : `Compare ${policy} with this session`} onClick={() => open(policy)}>{policy === own ? 'This session' : 'Compare'}</button></td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </Dialog>
  );
}

/** The session with another policy: in its manifest if it is written there, else set at the start. */
async function changed(tab: Tab, cronJob: CronJob, policy: Policy): Promise<Session> {
  const { yamlLanguage } = await import('../editor/yaml.ts');
  const { manifest, script } = tab.session();
  const written = withSpecField(yamlLanguage.parser.parse(manifest), manifest, { kind: 'CronJob', namespace: cronJob.namespace, name: cronJob.name }, 'concurrencyPolicy', policy);
  const set = `at 0s: set cronjob ${scripted(cronJob)} spec.concurrencyPolicy="${policy}"\n`;
  return { version: 1, manifest: written ?? manifest, script: written === null ? set + script : script, cursor: 0, title: `concurrencyPolicy: ${policy}` };
}

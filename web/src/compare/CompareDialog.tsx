/** Chooses what to compare: a ready-made pair, another tab, or a copy of this session to change. */
import { createSignal, For, Show } from 'solid-js';

import type { CronJob } from '../model/runs.ts';
import { Dialog } from '../shell/Dialog.tsx';
import type { Opening, Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';
import { Policies } from './Policies.tsx';
import { READY, type Ready } from './ready.ts';
import { Variants } from './Variants.tsx';

interface Props {
  workspace: Workspace;
  onClose: () => void;
}

export function CompareDialog(props: Props) {
  const [chosen, setChosen] = createSignal<{ tab: Tab; cronJob: CronJob } | null>(null);
  return (
    <Show when={chosen()} keyed fallback={<Choices {...props} onPolicies={(tab, cronJob) => setChosen({ tab, cronJob })} />}>
      {({ tab, cronJob }) => <Policies workspace={props.workspace} tab={tab} cronJob={cronJob} onClose={props.onClose} />}
    </Show>
  );
}

function Choices(props: Props & { onPolicies: (tab: Tab, cronJob: CronJob) => void }) {
  const { workspace } = props;
  /** The current session, if it can be changed. */
  const session = () => (workspace.current()?.recording ? null : workspace.current());
  const others = () => workspace.tabs().filter((tab) => tab !== workspace.current());
  function open(ready: Ready): void {
    const lane = (side: 0 | 1): Opening => ({
      session: { version: 1, manifest: ready.manifests[side], script: ready.script, cursor: 0, title: ready.titles[side] },
      seek: { to: 'divergence' },
    });
    workspace.compare(lane(0), lane(1), 'left');
    props.onClose();
  }
  function beside(tab: Tab): void {
    workspace.setOther(tab);
    workspace.current()?.seek({ to: 'divergence' });
    props.onClose();
  }
  function copy(): void {
    const tab = workspace.current();
    if (!tab) return;
    const title = `Copy of ${tab.title() || 'this session'}`;
    const made = workspace.open({ session: { ...tab.session(), title, cursor: 0 }, seek: { to: 'step', step: 0 } });
    beside(tab);
    workspace.setCurrent(made);
    workspace.setMessage('Change one thing in the manifest or in the pod behaviour. The other lane keeps the original.');
  }
  return (
    <Dialog title="Compare" onClose={props.onClose}>
      <p>Shows two sessions side by side, and the moment when they diverge.</p>
      <Show when={session()}>{(tab) => <Variants workspace={workspace} tab={tab()} onClose={props.onClose} />}</Show>
      <h3>Common questions</h3>
      <ul class="examples">
        <For each={READY}>{(ready) => <li><button type="button" onClick={() => open(ready)}>{ready.question} <span class="muted">{ready.titles.join(' / ')}</span></button></li>}</For>
      </ul>
      <h3>Compare this session with</h3>
      <ul class="examples">
        <Show when={session()}>
          {(tab) => (
            <>
              <li><button type="button" onClick={copy}>A copy that you can change</button></li>
              <For each={tab().story().runs.cronJobs}>{(cronJob) => <li><button type="button" onClick={() => props.onPolicies(tab(), cronJob)}>Each concurrency policy of <span class="mono">cronjob/{tab().story().names.of(cronJob)}</span></button></li>}</For>
            </>
          )}
        </Show>
        <For each={others()}>{(tab) => <li><button type="button" onClick={() => beside(tab)}>{tab.label()}</button></li>}</For>
        <Show when={workspace.other()}><li><button type="button" onClick={() => (workspace.setOther(null), props.onClose())}>Stop comparing</button></li></Show>
      </ul>
    </Dialog>
  );
}

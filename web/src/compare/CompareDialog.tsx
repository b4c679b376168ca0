/** Chooses what to compare: a ready-made pair, another tab, or a copy of this session to change. */
import { createMemo, createSignal, For, Show } from 'solid-js';

import type { CronJob } from '../model/runs.ts';
import type { Variant } from '../protocol.ts';
import { Dialog } from '../shell/Dialog.tsx';
import { createAnswer } from '../state/answers.ts';
import type { Opening, Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';
import { Policies } from './Policies.tsx';
import { READY, type Ready } from './ready.ts';

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
  const written = createMemo(() => session()?.manifest());
  const variants = createAnswer(() => written() ?? null, (manifest) => workspace.oracle.call('variants', { manifest }));
  /** Compares the session with one that has a single change. Without rules for its pods, both get those with which the change shows. */
  function change({ titles, base, manifest, script }: Variant): void {
    const tab = session();
    if (!tab) return;
    const ruled = script === '' || tab.parts().rules.length > 0;
    const both = { version: 1 as const, script: ruled ? tab.script() : script + tab.script(), cursor: 0 };
    const changed: Opening = { session: { ...both, manifest, title: titles[1] }, seek: { to: 'divergence' } };
    if (ruled && base === undefined) {
      workspace.open(changed);
      return beside(tab);
    }
    workspace.compare({ session: { ...both, manifest: base ?? tab.manifest(), title: titles[0] }, seek: { to: 'divergence' } }, changed, 'left');
    if (!ruled) workspace.setMessage(`So that the change shows, both sessions have a rule for pods: ${script.split('\n')[0]}.`);
    props.onClose();
  }
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
      <Show when={variants()?.length}>
        <h3>This session with one change</h3>
        <ul class="examples two-columns">
          <For each={variants()}>{(variant) => <li><button type="button" onClick={() => change(variant)}>{variant.titles[1]} <span class="muted">now: {variant.titles[0]}</span></button></li>}</For>
        </ul>
      </Show>
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

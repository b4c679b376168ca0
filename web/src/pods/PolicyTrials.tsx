/** A pod failure policy in each of its cases: which rule matches, and what happens to the Job; one click puts a case into the session. */
import { createMemo, createSignal, For, onCleanup, onMount, Show } from 'solid-js';

import { idle, matched, ruleField } from '../model/policy.ts';
import { rendered } from '../model/sentence.ts';
import type { FailurePolicy, PolicyCase, PolicyTrial } from '../protocol.ts';
import { Dialog } from '../shell/Dialog.tsx';
import { SIGNS } from '../shell/signs.tsx';
import { tryCase } from '../state/acts.ts';
import { createAnswer } from '../state/answers.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

interface Props {
  workspace: Workspace;
  tab: Tab;
  policies: FailurePolicy[];
  onClose: () => void;
}

/** Opens the cases of the pod failure policies, where a manifest has any. */
export function TryPolicy(props: Pick<Props, 'workspace' | 'tab'>) {
  const [trying, setTrying] = createSignal(false);
  const manifest = createMemo(() => (props.tab.shown() ? props.tab.manifest() : null));
  const policies = createAnswer(manifest, (text) => props.workspace.oracle.call('policies', { manifest: text }));
  return (
    <Show when={policies()?.length}>
      <button type="button" class="quiet" title="Which rule of the pod failure policy matches in which case" onClick={() => setTrying(true)}>Try the policy…</button>
      <Show when={trying()}><PolicyTrials {...props} policies={policies() ?? []} onClose={() => setTrying(false)} /></Show>
    </Show>
  );
}

function PolicyTrials(props: Props) {
  return (
    <Dialog title="Pod failure policy" class="trials" onClose={props.onClose}>
      <p>Each case is simulated by itself: the first pod of the Job ends in this way, and every other pod succeeds after 5 s.</p>
      <For each={props.policies}>{(policy, place) => <Trials {...props} policy={policy} place={place()} />}</For>
    </Dialog>
  );
}

function Trials(props: Props & { policy: FailurePolicy; place: number }) {
  const { workspace, tab, policy } = props;
  const [trials, setTrials] = createSignal<PolicyTrial[]>([]);
  const [problem, setProblem] = createSignal('');
  let closed = false;
  onCleanup(() => (closed = true));
  onMount(() => void simulate().catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error))));

  const manifest = tab.manifest();
  const simulated = (place: number): Promise<PolicyTrial> => workspace.oracle.call('tryPolicy', { manifest, policy: props.place, case: place });
  /** One case after another, so that the worker can answer others between them. */
  async function simulate(): Promise<void> {
    for (let place = 0; place < policy.cases.length && !closed; place++) {
      const trial = await simulated(place);
      setTrials((all) => [...all, trial]);
    }
  }
  const complete = () => trials().length === policy.cases.length;
  const rules = createMemo(() => (complete() ? idle(policy, trials()) : []));

  async function play(one: PolicyCase, place: number): Promise<void> {
    props.onClose();
    const { matched: rule } = trials()[place] ?? (await simulated(place));
    await tryCase(workspace, tab, policy, one, rule === null ? { to: 'outcome' } : { to: 'field', field: ruleField(rule) });
  }
  return (
    <section>
      <Show when={props.policies.length > 1}><h3 class="mono">{policy.kind.toLowerCase()}/{policy.name}</h3></Show>
      <p class="muted" role="status">{problem() || (complete() ? `${policy.cases.length} cases simulated.` : `Simulating case ${trials().length + 1} of ${policy.cases.length}…`)}</p>
      <Show when={rules().length > 0}><ul class="idle-rules"><For each={rules()}>{({ sentence }) => <li>{sentence}</li>}</For></ul></Show>
      <table class="policies">
        <thead><tr><th scope="col">Case</th><th scope="col">Rule that matches</th><th scope="col">Job</th><th><span class="unseen">Try it</span></th></tr></thead>
        <tbody><For each={policy.cases}>{(one, place) => <Case policy={policy} case={one} trial={trials()[place()]} onPlay={() => void play(one, place())} />}</For></tbody>
      </table>
    </section>
  );
}

function Case(props: { policy: FailurePolicy; case: PolicyCase; trial: PolicyTrial | undefined; onPlay: () => void }) {
  const outcome = () => props.trial?.outcome;
  const facts = () => outcome()?.facts.map(rendered) ?? [];
  return (
    <tr>
      <th scope="row">{props.case.title}</th>
      <td data-column="Rule that matches">{props.trial ? matched(props.policy, props.trial) : '…'}</td>
      <td data-column="Job"><Show when={outcome()} fallback="…">{(known) => <span class={`outcome-line ${known().state}`}><span class="outcome-sign" aria-hidden="true">{SIGNS[known().state]()}</span> <span><strong>{facts()[0]}</strong>{facts().slice(1).map((fact) => ` · ${fact}`).join('')}</span></span>}</Show></td>
      <td><button type="button" aria-label={`Try it: ${props.case.title}`} title={`Put this into the script:\n${props.case.script}`} onClick={() => props.onPlay()}>Try it</button></td>
    </tr>
  );
}

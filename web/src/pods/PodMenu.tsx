/** What can be done to one pod at the current moment, and what it will do from its start. */
import { createSignal, For, Show } from 'solid-js';

import { ended, podAt } from '../model/bars.ts';
import { scripted } from '../model/names.ts';
import { conditionTypes } from '../model/proposals.ts';
import { withRule } from '../model/script.ts';
import { podState, restarts, sentence } from '../model/words.ts';
import type { PodView } from '../protocol.ts';
import { Popup } from '../shell/Popup.tsx';
import { actOnPod, change } from '../state/acts.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';
import type { PodClick } from '../timeline/Timeline.tsx';
import { ComesFirst } from './ActionMenu.tsx';
import { RuleForm } from './RuleForm.tsx';

interface Props {
  workspace: Workspace;
  tab: Tab;
  click: PodClick;
  onClose: () => void;
}

export function PodMenu(props: Props) {
  const pod = () => podAt(props.click.bar, props.tab.cursor());
  const alive = () => {
    const known = pod();
    return known !== null && !ended(known.phase);
  };
  const unready = () => pod()?.ready === false && pod()?.containers.some((container) => container.running) === true;
  const [code, setCode] = createSignal(1);
  const perform = (action: string): void => {
    props.onClose();
    actOnPod(props.workspace, props.tab, props.click.bar, action);
  };
  const add = (rule: string): void => {
    props.onClose();
    void change(props.workspace, props.tab, (script, parts) => withRule(script, parts, rule)).then(([problem]) => problem && props.workspace.setMessage(sentence(problem)));
  };
  const name = () => scripted(props.click.bar);
  const now = () => props.tab.clock().show(props.tab.at());
  return (
    <Popup place={props.click} label={`Pod ${props.click.bar.name}`} onClose={props.onClose}>
      <h3><span class="mono">{props.click.bar.name}</span> {phase(pod())} at {now()}</h3>
      <p class="muted">{details(props)}</p>
      <Show when={alive() && !props.tab.recording} fallback={<Elsewhere tab={props.tab} click={props.click} onClose={props.onClose} />}>
        <ComesFirst tab={props.tab} />
        <For each={[...new Set(pod()?.containers.filter((container) => container.running).map((container) => container.name))]}>
          {(container, place) => (
            <form class="line" onSubmit={(event) => (event.preventDefault(), perform(`exit ${code()} in pod ${name()} container ${container}`))}>
              <button type="submit">Exit <span class="mono">{container}</span> at {now()} with</button>
              <input type="number" min="0" max="255" aria-label={`Exit code of ${container}`} autofocus={place() === 0} value={code()} onInput={(event) => setCode(event.currentTarget.valueAsNumber || 0)} />
            </form>
          )}
        </For>
        <Show when={unready()}><button type="button" onClick={() => perform(`make pod ${name()} ready`)}>Make ready at {now()}</button></Show>
        <button type="button" onClick={() => perform(`delete pod ${name()}`)}>Delete at {now()}</button>
        <button type="button" onClick={() => perform(`evict pod ${name()}`)}>Evict at {now()}</button>
        <button type="button" onClick={() => perform(`evict pod ${name()} by the kubelet`)}>Evict by the kubelet (node pressure) at {now()}</button>
        <button type="button" onClick={() => perform(`preempt pod ${name()}`)}>Preempt at {now()}</button>
        <button type="button" onClick={() => perform('lose node')}>Take its node offline at {now()}</button>
      </Show>
      <Show when={!props.tab.recording}>
        <details class="from-start">
          <summary>Change what it does from the start</summary>
          <p>
            <For each={['once', 'twice', '3 times']}>{(times) => <button type="button" onClick={() => add(`${whichRow(props)}: exit 1 after 5s ${times}`)}>Fail {times}</button>}</For>
          </p>
          <RuleForm which={which(props)} conditions={conditionTypes(props.tab.standing())} onRule={add} />
        </details>
      </Show>
    </Popup>
  );
}

/** The pod as a rule names it, so that the rule holds for it from its start. */
function which(props: Props): string {
  const { bar } = props.click;
  return `${bar.index === null ? jobOf(props) : `${jobOf(props)}index ${bar.index} `}attempt ${bar.attempt}`;
}

/** All attempts of the pod's index as a rule names them, or of its Job if that has no indexes. */
function whichRow(props: Props): string {
  const { bar } = props.click;
  return bar.index === null ? jobOf(props).trim() || 'pods' : `${jobOf(props)}index ${bar.index}`;
}

/** The pod's Job as a rule names it, where there are several. */
function jobOf({ tab, click: { bar } }: Props): string {
  return tab.story().names.several && bar.job !== '' ? `job ${scripted({ namespace: bar.namespace, name: bar.job })} ` : '';
}

/** For a pod that is not there at this step: where it is. */
function Elsewhere(props: Omit<Props, 'workspace'>) {
  const go = (step: number): void => {
    props.onClose();
    props.tab.goTo(step);
  };
  return (
    <>
      <Show when={props.click.bar.phases[0]}>{(first) => <button type="button" onClick={() => go(first().step)}>Go to its creation</button>}</Show>
      <Show when={props.click.bar.ended}>{(ended) => <button type="button" onClick={() => go(ended().step)}>Go to its end</button>}</Show>
    </>
  );
}

/** What the pod is doing at the current moment, in a word or two. */
function phase(pod: PodView | null): string {
  if (!pod) return '';
  return pod.deleting ? 'being deleted' : pod.phase;
}

function details(props: Props): string {
  const pod = podAt(props.click.bar, props.tab.cursor());
  if (!pod) return (props.click.bar.phases[0]?.step ?? 0) > props.tab.cursor() ? 'It does not exist yet at this step.' : 'It no longer exists at this step.';
  const parts = [
    ...podState(pod).slice(1),
    `attempt ${pod.attempt}`,
    restarts(pod.restarts),
    pod.phase === 'Pending' ? '' : pod.reason,
    pod.held ? 'kept until the Job’s status counts it' : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

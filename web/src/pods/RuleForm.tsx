/** A form that makes one rule of the script language: which pods, what they do, after how long. */
import { createSignal, For, Show } from 'solid-js';

interface Props {
  /** Which pods, to begin with. */
  which: string;
  /** The conditions that pods may get. */
  conditions: string[];
  onRule: (rule: string) => void;
  /** Takes the form away without a rule, where it can be. */
  onCancel?: () => void;
  /** Whether it has the focus when it appears. */
  focused?: boolean;
}

interface Ending {
  label: string;
  what: string;
  /** Whether it takes a length of time. */
  timed: boolean;
  /** Whether it takes an exit code. */
  coded?: boolean;
}

/** What a pod can do. */
const ENDINGS: Ending[] = [
  { label: 'succeed', what: 'succeed', timed: true },
  { label: 'exit with a code', what: 'exit', timed: true, coded: true },
  { label: 'are killed by signal 9', what: 'killed by signal 9', timed: true },
  { label: 'run forever', what: 'runs forever', timed: false },
  { label: 'run forever and ignore SIGTERM', what: 'runs forever, ignores TERM', timed: false },
  { label: 'are OOMKilled', what: 'OOMKilled', timed: true },
  { label: 'are evicted', what: 'evicted', timed: true },
  { label: 'are preempted', what: 'preempted', timed: true },
  { label: 'are evicted by the kubelet (node pressure)', what: 'evicted by the kubelet', timed: true },
  { label: 'are never scheduled', what: 'never scheduled', timed: false },
  { label: 'never start (the image cannot be pulled)', what: 'never starts (image cannot be pulled)', timed: false },
  { label: 'are never ready', what: 'never ready', timed: false },
];

/** For how many attempts a rule holds. */
const TIMES = ['always', 'once', 'twice', '3 times'];

export function RuleForm(props: Props) {
  const [which, setWhich] = createSignal(props.which);
  const [ending, setEnding] = createSignal(1);
  const [code, setCode] = createSignal(1);
  const [after, setAfter] = createSignal('5s');
  const [times, setTimes] = createSignal('always');
  const endings = (): Ending[] => [...ENDINGS, ...props.conditions.map((type) => ({ label: `get the condition ${type}`, what: `condition ${type}`, timed: true }))];
  const chosen = () => endings()[ending()];
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const what = chosen();
    if (!what) return;
    props.onRule(`${which().trim()}: ${what.what}${what.coded ? ` ${code()}` : ''}${what.timed ? ` after ${after().trim()}` : ''}${times() === 'always' ? '' : ` ${times()}`}`);
  }
  return (
    <form class="rule-form" onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && props.onCancel?.()}>
      <label>Which pods <input class="mono" list="which-proposals" required ref={(field) => props.focused && requestAnimationFrame(() => field.focus())} value={which()} onInput={(event) => setWhich(event.currentTarget.value)} /></label>
      <label>What they do
        <select onChange={(event) => setEnding(event.currentTarget.selectedIndex)}>
          <For each={endings()}>{(one, place) => <option selected={place() === ending()}>{one.label}</option>}</For>
        </select>
      </label>
      <Show when={chosen()?.coded}>
        <label>Exit code <input type="number" min="0" max="255" value={code()} onInput={(event) => setCode(event.currentTarget.valueAsNumber || 0)} /></label>
      </Show>
      <Show when={chosen()?.timed}>
        <label>After <input class="mono short" required value={after()} onInput={(event) => setAfter(event.currentTarget.value)} /></label>
      </Show>
      <label>How often
        <select onChange={(event) => setTimes(event.currentTarget.value)}><For each={TIMES}>{(one) => <option selected={one === times()}>{one}</option>}</For></select>
      </label>
      <button type="submit">Add rule</button>
      <Show when={props.onCancel}>{(cancel) => <button type="button" class="quiet" onClick={() => cancel()()}>Cancel</button>}</Show>
    </form>
  );
}

/** Faults to inject at the current moment: into requests, the controller and its watch, the node, the clock. */
import { createSignal, createUniqueId, For, Show, type Signal } from 'solid-js';

import { length, timeOf } from '../model/time.ts';
import { type Place, Popup } from '../shell/Popup.tsx';
import { type ActionMenu, ComesFirst, Group, Line, perform } from './ActionMenu.tsx';

const WRITES: { label: string; action: string }[] = [
  { label: 'Refuse it with a conflict', action: 'refuse next write with conflict' },
  { label: 'Refuse it as forbidden', action: 'refuse next write with forbidden' },
  { label: 'Refuse it because the namespace is terminating', action: 'refuse next write with namespace terminating' },
  { label: 'Fail it with a server error', action: 'refuse next write with server error' },
  { label: 'Let it time out before it takes effect', action: 'refuse next write with timeout before' },
  { label: 'Let it time out after it takes effect', action: 'refuse next write with timeout after' },
];

/** What was written into a field is there again when the list is opened the next time. */
const [refuse, pause, delay, cut, jump] = [createSignal('30s'), createSignal('30s'), createSignal('5s'), createSignal('30s'), createSignal('1h')];

export function FaultList(props: ActionMenu & { place: Place }) {
  const title = () => `Inject fault at ${props.tab.clock().show(props.tab.at())}`;
  const inject = (action: string): void => perform(props, action);
  return (
    <Popup place={props.place} label={title()} onClose={props.onClose}>
      <h3>{title()}</h3>
      <ComesFirst tab={props.tab} />
      <Group title="The next writes">
        <For each={WRITES}>{({ label, action }) => <button type="button" onClick={() => inject(action)}>{label}</button>}</For>
        <LengthLine label="Refuse to create pods for" name="Length of the refusal" title="As when a quota is exceeded or a permission is missing" text={refuse} onDo={(long) => inject(`refuse pod creations for ${long} with forbidden`)} />
      </Group>
      <Group title="The controller">
        <button type="button" onClick={() => inject('restart controller')}>Crash it (it restarts and loses its in-memory state)</button>
        <LengthLine label="Pause the controller for" name="Length of the pause" text={pause} onDo={(long) => inject(`pause controller for ${long}`)} />
        <LengthLine label="Delay the watch by" name="Length of the delay" title="The controller receives no events for this long, and then all of them" text={delay} onDo={(long) => inject(`delay watch by ${long}`)} />
        <LengthLine label="Cut the watch for" name="Length of the cut" title="When it reconnects, it lists all objects; it never sees those that were created and deleted in between" text={cut} onDo={(long) => inject(`cut watch for ${long}`)} />
      </Group>
      <Group title="The node">
        <button type="button" onClick={() => inject('evict pods')}>Drain it (evicts all its pods)</button>
        <button type="button" onClick={() => inject('lose node')}>Take it offline (it stops reporting)</button>
        <button type="button" title="If nodes are offline, only those are removed" onClick={() => inject('remove node')}>Remove it (its pods fail and are deleted)</button>
      </Group>
      <Group title="The clock">
        <LengthLine label="Jump the clock ahead by" name="Length of the jump" text={jump} onDo={(long) => inject(`advance ${long}`)} />
      </Group>
    </Popup>
  );
}

/** A fault with a duration. An invalid duration injects nothing, and the line shows the valid format. */
function LengthLine(props: { label: string; name: string; title?: string; text: Signal<string>; onDo: (length: string) => void }) {
  const [text, setText] = props.text;
  const [wrong, setWrong] = createSignal('');
  const answer = createUniqueId();
  let field: HTMLInputElement | undefined;
  function submit(): void {
    const long = timeOf(text());
    if (long !== null) return props.onDo(length(long));
    setWrong(`“${text()}” is not a valid duration. Enter one such as 30s, 500ms, 1h30m or 2d.`);
    field?.select();
  }
  return (
    <>
      <Line label={props.label} onDo={submit}>
        <input
          class="mono" ref={field} aria-label={props.name} title={props.title} value={text()} autocomplete="off" spellcheck={false}
          aria-invalid={wrong() !== ''} aria-describedby={wrong() === '' ? undefined : answer} onInput={(event) => (setText(event.currentTarget.value), setWrong(''))}
        />
      </Line>
      <Show when={wrong()}><p class="problem" role="alert" id={answer}>{wrong()}</p></Show>
    </>
  );
}

/** The page embedded in another: the outcome of the session, when and why, with a link to the playground. It is read-only. */
import { createEffect, createResource, createSignal, For, onCleanup, onMount, Show } from 'solid-js';

import { Retries } from '../compare/Retries.tsx';
import { useLanes } from '../compare/lanes.ts';
import { openFirst } from '../examples/opening.ts';
import { link } from '../share/link.ts';
import { Dialog } from '../shell/Dialog.tsx';
import { Failure } from '../shell/Failure.tsx';
import { useFaults } from '../shell/faults.ts';
import { useFocus } from '../shell/focus.ts';
import { Icon } from '../shell/Icon.tsx';
import { Problem } from '../shell/Problem.tsx';
import { Toast } from '../shell/Toast.tsx';
import { oracle } from '../state/oracle.ts';
import type { Tab } from '../state/tab.ts';
import { createWorkspace, type Workspace } from '../state/workspace.ts';
import { StoryPane } from '../story/StoryPane.tsx';
import { OutcomeLines } from '../timeline/OutcomeLines.tsx';
import { PastLines } from '../timeline/PastLines.tsx';
import { Timeline } from '../timeline/Timeline.tsx';
import { useView } from '../timeline/useView.ts';
import { Why } from '../why/Why.tsx';

export function Embedded() {
  const workspace = createWorkspace(oracle());
  const [retries, setRetries] = createSignal(false);
  const shown = () => (workspace.current()?.shown() ? workspace.current() : null);
  onMount(() => void openFirst(workspace, location.hash));
  useFaults(workspace.setMessage);
  useFocus();
  useSteps(workspace);
  createEffect(() => {
    const tab = shown();
    if (tab && tab.draft() !== tab.standing()) void workspace.oracle.call('check', { manifest: tab.draft() }).then(tab.setDraftProblems);
  });
  return (
    <div class="embed">
      <Show when={shown()} fallback={<p class="loading" role="status">Loading the controllers…</p>}>
        {(tab) => (
          <>
            <Head tab={tab()} />
            <Lanes workspace={workspace} tab={tab()} />
            <Why workspace={workspace} tab={tab()} onRetries={() => setRetries(true)} />
            <Footer workspace={workspace} tab={tab()} />
            <Show when={retries()}><Retries tab={tab()} onClose={() => setRetries(false)} /></Show>
          </>
        )}
      </Show>
      <Toast message={workspace.message()} onEnd={() => workspace.setMessage('')} />
    </div>
  );
}

/** What is shown: its title, the ways through its steps, and its manifest on request. */
function Head(props: { tab: Tab }) {
  const [reading, setReading] = createSignal(false);
  const step = (icon: 'start' | 'back' | 'step' | 'end', label: string, go: () => void) => (
    <button type="button" class="quiet icon" title={label} aria-label={label} onClick={() => go()}><Icon name={icon} /></button>
  );
  return (
    <header class="embed-head">
      <h1 title={props.tab.label()}>{props.tab.label()}</h1>
      <div class="embed-steps" role="group" aria-label="Steps">
        {step('start', 'Go to the first step', () => props.tab.goTo(0))}
        {step('back', 'Go to the previous step', () => props.tab.goFrom((step) => step - 1))}
        {step('step', 'Go to the next step', () => props.tab.goFrom((step) => step + 1))}
        {step('end', 'Go to the last step', () => props.tab.goToEnd())}
      </div>
      <Show when={!props.tab.recording}><button type="button" onClick={() => setReading(true)}>Manifest</button></Show>
      <Show when={reading()}>
        <Dialog title="Manifest" onClose={() => setReading(false)}>
          <pre class="yaml" tabindex="0">{props.tab.draft()}</pre>
          <Show when={props.tab.script().trim()}>{(script) => <><h3>What its pods do</h3><pre class="yaml" tabindex="0">{script()}</pre></>}</Show>
        </Dialog>
      </Show>
    </header>
  );
}

/** The session, and the one that it is compared with. */
function Lanes(props: { workspace: Workspace; tab: Tab }) {
  const { lanes, lastAt, diverged } = useLanes(props.workspace, () => props.tab);
  const { view, setView } = useView(lanes, () => props.tab, lastAt);
  return (
    <main class="centre">
      <For each={props.tab.problems()}>{(problem) => <p class="cannot"><Problem problem={problem} /></p>}</For>
      <For each={props.tab.invalid() ? props.tab.draftProblems() : []}>{(problem) => <p class="cannot"><Problem problem={problem} /></p>}</For>
      <Show when={props.tab.failure()}>{(failure) => <Failure tab={props.tab} failure={failure()} />}</Show>
      <div class="lanes">
        <For each={lanes()}>
          {(tab, place) => (
            <div class="lane-box">
              <PastLines tab={tab} onGo={(step) => tab.goTo(step)} />
              <OutcomeLines tab={tab} side={lanes().length > 1 ? ['A', 'B'][place()] ?? '' : ''} onGo={(step) => tab.goTo(step)} />
              <Timeline tab={tab} paired={lanes().length > 1} view={view()} setView={setView} lastAt={lastAt()} divergesAt={diverged()?.at ?? null} onPick={(pick) => 'bar' in pick && tab.goTo(pick.bar.ended?.step ?? pick.bar.phases[0]?.step ?? 0)} />
            </div>
          )}
        </For>
      </div>
      <StoryPane tab={props.tab} side={lanes().length > 1 ? (lanes()[0] === props.tab ? 'A' : 'B') : ''} onGo={(step) => props.tab.goTo(step)} />
    </main>
  );
}

function Footer(props: { workspace: Workspace; tab: Tab }) {
  const [address] = createResource(() => ({ tab: props.tab, step: props.tab.cursor() }), ({ tab }) => link(props.workspace, tab));
  return (
    <footer class="embed-foot">
      <span class="muted ellipsis">jobsmith playground</span>
      <a href={address.latest ?? location.pathname} target="_blank" rel="noopener">Open in the playground ↗</a>
    </footer>
  );
}

/** The keys that move the cursor. */
function useSteps(workspace: Workspace): void {
  const moves: Record<string, (tab: Tab) => void> = {
    ArrowLeft: (tab) => tab.goFrom((step) => step - 1), ArrowRight: (tab) => tab.goFrom((step) => step + 1), Home: (tab) => tab.goTo(0), End: (tab) => tab.goToEnd(),
  };
  function pressed(event: KeyboardEvent): void {
    const [tab, move] = [workspace.current(), moves[event.key]];
    const taken = event.ctrlKey || event.metaKey || event.altKey || (event.target instanceof Element && event.target.closest('input, dialog, [role="separator"]'));
    if (!tab || !move || taken) return;
    event.preventDefault();
    move(tab);
  }
  addEventListener('keydown', pressed);
  onCleanup(() => removeEventListener('keydown', pressed));
}

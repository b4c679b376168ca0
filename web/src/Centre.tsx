/** The middle of the page: what happens, in one lane or in two, and the transport. */
import first from 'virtual:first';
import { createEffect, createSignal, For, on, Show } from 'solid-js';

import { useLanes } from './compare/lanes.ts';
import { Comparison } from './compare/Comparison.tsx';
import { Policies } from './compare/Policies.tsx';
import { ActList } from './pods/ActList.tsx';
import { FaultList } from './pods/FaultList.tsx';
import { PodMenu } from './pods/PodMenu.tsx';
import { headline } from './model/words.ts';
import { Calendar } from './runs/Calendar.tsx';
import { CronJobMenu } from './runs/CronJobMenu.tsx';
import { JobMenu } from './runs/JobMenu.tsx';
import { RunList } from './runs/RunList.tsx';
import { Failure } from './shell/Failure.tsx';
import { Menu } from './shell/Menu.tsx';
import { Problem } from './shell/Problem.tsx';
import { Prose } from './shell/Prose.tsx';
import type { Windows } from './shell/windows.ts';
import { goOn } from './state/acts.ts';
import type { Tab } from './state/tab.ts';
import type { Workspace } from './state/workspace.ts';
import { StoryPane } from './story/StoryPane.tsx';
import { OutcomeLines } from './timeline/OutcomeLines.tsx';
import { PastLines } from './timeline/PastLines.tsx';
import { type Pick, Timeline } from './timeline/Timeline.tsx';
import { useView } from './timeline/useView.ts';
import type { Running } from './transport/running.ts';
import { Transport } from './transport/Transport.tsx';

interface Props {
  workspace: Workspace;
  tab: Tab;
  running: Running;
  windows: Windows;
  /** Shows the reasons, where they have a pane of their own. */
  onWhy: () => void;
}

export function Centre(props: Props) {
  const { workspace } = props;
  const [picked, setPicked] = createSignal<{ tab: Tab; pick: Pick } | null>(null);
  const { lanes, lastAt, diverged, goToDivergence } = useLanes(workspace, () => props.tab);
  const { view, setView } = useView(lanes, () => props.tab, lastAt);

  const timeline = (tab: Tab, name: string) => (
    <div class="lane-box" classList={{ beside: tab !== props.tab }} onPointerDown={() => workspace.setCurrent(tab)}>
      <PastLines tab={tab} onGo={(step) => (workspace.setCurrent(tab), props.running.stop(), tab.goTo(step))} />
      <OutcomeLines tab={tab} side={lanes().length > 1 ? name : ''} onGo={(step) => (workspace.setCurrent(tab), props.running.stop(), tab.goTo(step))} />
      <Timeline
        tab={tab} paired={lanes().length > 1} title={<Show when={lanes().length > 1}><LaneTitle tab={tab} current={props.tab} name={name} onChoose={() => workspace.setCurrent(tab)} /></Show>} view={view()} setView={setView} lastAt={lastAt()} divergesAt={diverged()?.at ?? null} onPick={(pick) => setPicked({ tab, pick })}
      />
    </div>
  );
  return (
    <section class="centre" aria-label="What happens">
      <TabBar workspace={workspace} />
      <Strip tab={props.tab} onTour={() => props.windows.open('tour')} />
      <For each={lanes()}>
        {(tab) => (
          <>
            <Show when={tab.problems().length > 0}><Cannot tab={tab} /></Show>
            <Show when={tab.failure()}>{(failure) => <Failure tab={tab} failure={failure()} />}</Show>
          </>
        )}
      </For>
      <Show when={lanes()[1]}>
        {(right) => <Comparison left={lanes()[0]} right={right()} divergence={diverged()} onGo={goToDivergence} onReason={(tab, { step, at }) => (workspace.setCurrent(tab), props.running.stop(), tab.goTo(step, at))} onClose={() => workspace.setOther(null)} />}
      </Show>
      <div class="lanes">
        <Show when={lanes()[0]} keyed>{(left) => timeline(left, 'A')}</Show>
        <Show when={lanes()[1]} keyed>{(right) => timeline(right, 'B')}</Show>
      </div>
      <StoryPane tab={props.tab} side={lanes().length > 1 ? (lanes()[0] === props.tab ? 'A' : 'B') : ''} onGo={(step) => (props.running.stop(), props.tab.goTo(step))} />
      <Show when={props.tab.step()}>{(step) => <button type="button" class="why-line" onClick={() => props.onWhy()}><b>Why</b> <span class="ellipsis">{headline(step())}</span></button>}</Show>
      <Transport tab={props.tab} running={props.running}>
        <Show when={!props.tab.recording} fallback={<button type="button" title="Start a session from the objects at this step (F)" onClick={() => goOn(workspace, props.tab)}>What if…</button>}>
          <button type="button" class="secondary" title="Continue from here in a new tab (F)" onClick={() => goOn(workspace, props.tab)}>Fork</button>
          <Menu label="Actions">{(place, close) => <ActList workspace={workspace} tab={props.tab} place={place} onClose={close} />}</Menu>
          <Menu label="Inject fault">{(place, close) => <FaultList workspace={workspace} tab={props.tab} place={place} onClose={close} />}</Menu>
        </Show>
        <button type="button" class="secondary" title="Show two sessions side by side (C)" onClick={() => props.windows.open('compare')}>Compare…</button>
      </Transport>
      <Show when={picked()} keyed>{({ tab, pick }) => <Picked {...props} tab={tab} pick={pick} onPick={(next) => setPicked({ tab, pick: next })} onClose={() => setPicked(null)} />}</Show>
    </section>
  );
}

/** What can be done with what was clicked on. */
function Picked(props: Props & { pick: Pick; onPick: (pick: Pick) => void; onClose: () => void }) {
  const { workspace, tab, pick, onClose } = props;
  if ('policies' in pick) return <Policies workspace={workspace} tab={tab} cronJob={pick.policies} onClose={onClose} />;
  if ('calendar' in pick) return <Calendar oracle={workspace.oracle} tab={tab} cronJob={pick.calendar} onGo={() => props.running.stop()} onClose={onClose} />;
  if ('runs' in pick) return <RunList tab={tab} cronJob={pick.runs} onGo={() => props.running.stop()} onClose={onClose} />;
  if ('bar' in pick) return <PodMenu workspace={workspace} tab={tab} click={pick} onClose={onClose} />;
  if ('job' in pick) return <JobMenu workspace={workspace} tab={tab} place={pick} job={pick.job} onClose={onClose} />;
  return <CronJobMenu workspace={workspace} tab={tab} place={pick} cronJob={pick.cronJob} onCalendar={() => props.onPick({ calendar: pick.cronJob })} onRuns={() => props.onPick({ runs: pick.cronJob })} onPolicies={() => props.onPick({ policies: pick.cronJob })} onClose={onClose} />;
}

/** The name of a lane; a click looks at it. */
function LaneTitle(props: { tab: Tab; current: Tab; name: string; onChoose: () => void }) {
  return (
    <p class="lane-title">
      <button type="button" class="link" aria-pressed={props.tab === props.current} onClick={() => props.onChoose()}><span class="side">{props.name}</span> {props.tab.label()}</button>
    </p>
  );
}

/** Why a session is not played. */
function Cannot(props: { tab: Tab }) {
  return (
    <div class="cannot" role="alert">
      <p><b>This session cannot be played as written.</b></p>
      <For each={props.tab.problems()}>{(problem) => <p><Problem problem={problem} /></p>}</For>
    </div>
  );
}

/** The open sessions, when there is more than one. */
function TabBar(props: { workspace: Workspace }) {
  const { workspace } = props;
  let bar: HTMLElement | undefined;
  /** The session that is shown next gets the focus, and not the button that closes another. */
  function close(tab: Tab): void {
    workspace.close(tab);
    bar?.querySelector<HTMLElement>('[aria-current="true"]')?.focus();
  }
  // With more tabs than fit, the one that is shown is seen.
  createEffect(on([() => workspace.current(), () => workspace.tabs().length], () => bar?.querySelector('.tab.current')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })));
  return (
    <Show when={workspace.tabs().length > 1}>
      <nav class="tabs" aria-label="Sessions" ref={bar}>
        <For each={workspace.tabs()}>
          {(tab) => (
            <span class="tab" classList={{ current: tab === workspace.current() }}>
              <button type="button" class="ellipsis" aria-current={tab === workspace.current() ? 'true' : undefined} title={tab.label()} onClick={() => workspace.setCurrent(tab)}>
                {tab.label()}
              </button>
              <button type="button" class="quiet" aria-label={`Close ${tab.label()}`} onClick={() => close(tab)}>✕</button>
            </span>
          )}
        </For>
      </nav>
    </Show>
  );
}

/** The text of the example and the way into the tour, in a strip that can be closed. */
function Strip(props: { tab: Tab; onTour: () => void }) {
  return (
    <Show when={props.tab.prose()}>
      <aside class="strip" aria-label="About this example">
        <p><Show when={props.tab.title() === first.title}><strong>See what Kubernetes does with your Job, step by step: paste it over this example.</strong> </Show><Prose text={props.tab.prose()} /> <button type="button" class="link" onClick={() => props.onTour()}>Take the tour</button></p>
        <button type="button" class="quiet" aria-label="Close this description" onClick={() => props.tab.setProse('')}>✕</button>
      </aside>
    </Show>
  );
}

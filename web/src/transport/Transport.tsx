/** The transport: one step, one decision, one run of a CronJob, to the end; or time runs at a speed. */
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js';

import { Icon } from '../shell/Icon.tsx';
import { toNextFailure, toNextRun, toNextSkipped, toPreviousRun } from '../state/acts.ts';
import { RUNS } from '../state/play.ts';
import type { Tab } from '../state/tab.ts';
import { comesNext } from '../why/text.ts';
import { type Running, SPEEDS } from './running.ts';
import { TimeField } from './TimeField.tsx';

interface Props {
  tab: Tab;
  running: Running;
  /** What else can be done at this moment. */
  children?: JSX.Element;
}

export function Transport(props: Props) {
  const go = (step: number): void => {
    props.running.stop();
    props.tab.goTo(step);
  };
  const failed = () => (props.tab.version(), props.tab.story().bars.failures.any);
  const endless = () => (props.tab.version(), props.tab.story().runs.cronJobs.length > 0);
  const skips = () => (props.tab.version(), props.tab.story().runs.nextSkipped(-1) >= 0);
  const goesOn = () => (props.tab.version(), !props.tab.story().ended || props.tab.story().runs.next(props.tab.cursor()) >= 0);
  const last = () => (props.tab.version(), props.tab.story().steps.length - 1);
  /** On a low screen, what is needed less is folded. */
  const [unfolded, setUnfolded] = createSignal(false);
  return (
    <section class="transport" classList={{ unfolded: unfolded() }} aria-label="Time">
      <div class="buttons">
        <button type="button" class="round" title="Go to the first step (Home)" aria-label="First step" disabled={props.tab.cursor() === 0} onClick={() => go(0)}><Icon name="start" /></button>
        <button type="button" class="round" title="Go to the previous step (←)" aria-label="Previous step" disabled={props.tab.cursor() === 0} onClick={() => go(props.tab.cursor() - 1)}><Icon name="back" /></button>
        <button type="button" class="round main" title="Play or pause (Space)" aria-label={props.running.runs() ? 'Pause' : 'Play'} onClick={() => props.running.toggle()}><Icon name={props.running.runs() ? 'pause' : 'run'} /></button>
        <button type="button" class="round" title="Go to the next step (→)" aria-label="Next step" disabled={props.tab.cursor() >= last()} onClick={() => go(props.tab.cursor() + 1)}><Icon name="step" /></button>
        <button type="button" class="round" title="Go to the last step (End)" aria-label="Last step" disabled={props.tab.complete() && props.tab.cursor() >= last()} onClick={() => (props.running.stop(), props.tab.goToEnd())}><Icon name="end" /></button>
        <button type="button" class="wide-only secondary" title="Go to the next decision (Shift+→)" disabled={props.tab.cursor() >= last()} onClick={() => go(props.tab.story().nextDecision(props.tab.cursor()))}>Next decision</button>
        <Show when={failed()}>
          <button type="button" title="Go to the next failure (X); Shift+X goes to the previous one" onClick={() => (props.running.stop(), void toNextFailure(props.tab))}>Next failure</button>
        </Show>
        <Show when={endless()}>
          <button type="button" title="Go to the previous run of a CronJob (Shift+N)" disabled={props.tab.story().runs.previous(props.tab.cursor()) < 0} onClick={() => (props.running.stop(), toPreviousRun(props.tab))} aria-label="Previous run">‹</button>
          <button type="button" title="Go to the next run of a CronJob (N)" disabled={!goesOn()} onClick={() => (props.running.stop(), void toNextRun(props.tab))}>Next run</button>
        </Show>
        <Show when={skips()}>
          <button type="button" class="wide-only" title="Go to the next skipped run of a CronJob (K); Shift+K goes to the previous one" onClick={() => (props.running.stop(), void toNextSkipped(props.tab))}>Next skipped</button>
        </Show>
        <select class="speed secondary" aria-label="Speed" title="Playback speed" onChange={(event) => props.running.setSpeed(Number(event.currentTarget.value))}>
          <For each={SPEEDS}>{(speed) => <option value={speed} selected={speed === props.running.speed()}>{speed} ×</option>}</For>
        </select>
      </div>
      <TimeField tab={props.tab} running={props.running} />
      <div class="buttons">{props.children}</div>
      <button type="button" class="more" aria-expanded={unfolded()} onClick={() => setUnfolded(!unfolded())}>More</button>
      <p class="next muted secondary"><Next tab={props.tab} /></p>
      <Show when={props.tab.complete() && !props.tab.story().ended && !props.tab.failure()}><Stopped tab={props.tab} /></Show>
    </section>
  );
}

/** Why the play ends here, and how to continue it. */
function Stopped(props: { tab: Tab }) {
  const story = () => (props.tab.version(), props.tab.story());
  const more = (runs: number) => <button type="button" onClick={() => void props.tab.more(runs)}>Simulate {runs} more runs</button>;
  return (
    <div class="stopped secondary">
      <Show when={story().paused} fallback={<>This session is long. <button type="button" onClick={() => void props.tab.more()}>Continue</button></>}>
        <span>Simulated up to {story().clock.show(story().lastAt)}</span> {more(RUNS)} {more(RUNS * 10)}
      </Show>
    </div>
  );
}

function Next(props: { tab: Tab }) {
  const next = createMemo(() => comesNext(props.tab));
  return <span title={next()}>{next()}</span>;
}

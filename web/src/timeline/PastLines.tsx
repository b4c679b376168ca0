/** How the Jobs of a pasted cluster stood: the answer about the one that people ask about, what helps, and a line each of the others. */
import { createMemo, For, Show } from 'solid-js';

import { key } from '../model/names.ts';
import { written } from '../model/sentence.ts';
import { dayAndTime } from '../model/wallClock.ts';
import { counted } from '../model/words.ts';
import type { Part, Past, Standing } from '../protocol.ts';
import type { Tab } from '../state/tab.ts';

const SIGNS: Record<Standing['state'], string> = { failed: '✗', complete: '✓', stuck: '!', running: '▸' };

interface Props {
  tab: Tab;
  onGo: (step: number) => void;
}

export function PastLines(props: Props) {
  const past = () => (props.tab.version(), props.tab.story().past);
  return <Show when={past()}>{(known) => <Recorded {...props} past={known()} />}</Show>;
}

function Recorded(props: Props & { past: Past }) {
  const story = () => props.tab.story();
  const finished = ({ state }: Standing): boolean => state === 'failed' || state === 'complete';
  /** A time of its own has its date; those of a sentence that is true at a time are of that day, or have theirs. */
  const text = (standing: Standing): string => {
    if (finished(standing)) return written(standing.parts, (at) => dayAndTime(story(), at), story().start);
    return `At ${dayAndTime(story(), props.past.until)}: ${words(standing.parts)}`;
  };
  const words = (parts: Part[]): string => written(parts, story().clock.show, story().start);
  /** Of the other Jobs, the runs of CronJobs in columns, the last ones first. */
  const runs = (): string[][] => props.past.others.flatMap(({ run, parts }) => (run ? [[story().clock.show(run.scheduledAt), run.started, run.took, run.result || words(parts)]] : []));
  /** The step that decided how it ended, if that is told. */
  const decided = createMemo(() => {
    props.tab.version();
    const { job } = props.past.job;
    return finished(props.past.job) && props.past.stepwise ? story().outcomes.find(({ kind, object }) => kind === 'Job' && key(object) === key(job))?.decided : null;
  });
  return (
    <section class="past" classList={{ stale: props.tab.stale() !== '' }} aria-label="What was recorded">
      <p class={`past-line ${props.past.job.state}`}><span class="outcome-sign" aria-hidden="true">{SIGNS[props.past.job.state]}</span><span><strong>{text(props.past.job)}</strong> <Show when={decided()}>{(known) => <button type="button" class="link" onClick={() => props.onGo(known().step)}>{known().question}: {story().clock.show(story().steps[known().step]?.at ?? 0)} →</button>}</Show></span></p>
      <Show when={props.past.job.help.length > 0}><p class="past-help">What helps: {words(props.past.job.help)}</p></Show>
      <For each={props.past.job.also}>{(also) => <p class="past-help">Also: {words(also)}</p>}</For>
      <Show when={props.past.job.later.length > 0}><p class="past-help">If that is still so later: {words(props.past.job.later)}</p></Show>
      <Show when={props.past.pods}>
        {(command) => <p class="past-help">What was pasted does not include its pods, which have the exit codes, and the times of what happened in between. If they still exist, get them with: <code>{command()}</code></p>}
      </Show>
      <Show when={props.past.others.length > 0}>
        <details class="past-others">
          <summary>{counted(props.past.others.length + props.past.more, 'other Job')}</summary>
          <Show when={runs().length > 0}>
            <table class="past-runs">
              <thead><tr><th>Scheduled</th><th>Started</th><th>Took</th><th>Result</th></tr></thead>
              <tbody><For each={runs()}>{(cells) => <tr><For each={cells}>{(cell) => <td>{cell}</td>}</For></tr>}</For></tbody>
            </table>
          </Show>
          <ul>
            <For each={props.past.others.filter(({ run }) => !run)}>{(other) => <li class={`past-line ${other.state}`}><span class="outcome-sign" aria-hidden="true">{SIGNS[other.state]}</span><span>{text(other)}</span></li>}</For>
          </ul>
          <Show when={props.past.more > 0}><p class="muted">and {props.past.more} more</p></Show>
        </details>
      </Show>
    </section>
  );
}

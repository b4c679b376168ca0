/** The page as it is printed: a report with title, outcome, timeline, manifest and the whole story, without anything to press. */
import { createSignal, For, onCleanup, onMount, Show } from 'solid-js';

import { ordered } from '../compare/lanes.ts';
import about from '../generated/about.json';
import type { Clock } from '../model/clock.ts';
import { lineWords, type StoryLine } from '../model/lines.ts';
import { counted, grouped } from '../model/words.ts';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';
import { svg } from './image.ts';
import { inWords } from './picture.ts';
import { withoutSecrets } from './secrets.ts';

/** This many lines fill hundreds of pages; the files of “Share” hold more. */
const MOST = 10_000;

export function Report(props: { workspace: Workspace }) {
  const printing = usePrinting();
  return (
    <Show when={printing() && props.workspace.current()} keyed>
      {(current) => {
        const lanes = ordered(props.workspace, current);
        return <div class="report"><For each={lanes}>{(tab, place) => <SessionReport tab={tab} side={lanes.length > 1 ? `${'AB'[place()]}: ` : ''} />}</For></div>;
      }}
    </Show>
  );
}

/** Whether the page is being printed: only then is all of a story drawn. */
function usePrinting(): () => boolean {
  const [printing, setPrinting] = createSignal(false);
  const media = matchMedia('print');
  const changed = (): void => void setPrinting(media.matches);
  const before = (): void => void setPrinting(true);
  onMount(() => {
    media.addEventListener('change', changed);
    addEventListener('beforeprint', before);
    addEventListener('afterprint', changed);
  });
  onCleanup(() => {
    media.removeEventListener('change', changed);
    removeEventListener('beforeprint', before);
    removeEventListener('afterprint', changed);
  });
  return printing;
}

/** The report of one session. */
function SessionReport(props: { tab: Tab; side: string }) {
  const { tab } = props;
  const story = tab.story();
  return (
    <article>
      <h1>{props.side}{tab.label()}</h1>
      <p class="muted">Kubernetes {about.kubernetes} · jobsmith {about.jobsmith}</p>
      <h2>Outcome</h2>
      <For each={tab.problems()}>{({ message }) => <p>{message}</p>}</For>
      <For each={story.outcomes}>{(outcome) => <p class={outcome.state}>{inWords(outcome)}.</p>}</For>
      <h2>Timeline</h2>
      <figure innerHTML={svg([tab], about, true)} />
      <Show when={!tab.recording}>
        <h2>Manifest</h2>
        <pre>{withoutSecrets(tab.manifest()).trimEnd()}</pre>
        <Show when={tab.script().trim()}>{(script) => <><h2>Pod behaviour</h2><pre>{script()}</pre></>}</Show>
      </Show>
      <h2>Story</h2>
      <ol><For each={story.lines.slice(0, MOST)}>{(line) => <ReportLine line={line} clock={story.clock} />}</For></ol>
      <Show when={story.lines.length > MOST}><p>These are the first {grouped(MOST)} of {counted(story.lines.length, 'line')}. For all of them, run <code>jobsmith simulate</code>.</p></Show>
    </article>
  );
}

function ReportLine(props: { line: StoryLine; clock: Clock }) {
  const { mark, text } = lineWords(props.line);
  return <li data-kind={props.line.kind}><span>{props.clock.show(props.line.at)}</span> <span>{mark}</span> <span>{text}</span></li>;
}

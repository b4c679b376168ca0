/** The runs and pods at the current step, in words, for screen readers. */
import { createMemo, For } from 'solid-js';

import { bandSentence } from '../model/bands.ts';
import { estimated, podAt, title } from '../model/bars.ts';
import { exists } from '../model/runs.ts';
import { jobState, podState, waitText } from '../model/words.ts';
import type { Tab } from '../state/tab.ts';
import type { Line } from './tree.ts';

/** So many are read out; the rest is a number. */
const MOST = 50;

export function PodTexts(props: { tab: Tab; lines: Line[] }) {
  const texts = createMemo(() => {
    props.tab.version();
    const texts = props.lines.slice(0, MOST).flatMap((line) => texted(line, props.tab));
    return props.lines.length > MOST ? [...texts, `and ${props.lines.length - MOST} more rows`] : texts;
  });
  return <ul class="unseen" aria-label="Pods at this step"><For each={texts()}>{(text) => <li>{text}</li>}</For></ul>;
}

/** What holds at the current step for whole objects, such as a condition or a back-off, in words. */
export function BandTexts(props: { tab: Tab }) {
  const texts = createMemo(() => {
    props.tab.version();
    const [story, step, at] = [props.tab.story(), props.tab.cursor(), props.tab.at()];
    return story.bands.filter(({ from, until }) => from.step <= step && from.at <= at && (from.step === step || (until?.at ?? Infinity) > at)).map((band) => bandSentence(band, story, story.lastAt));
  });
  return <ul class="unseen" aria-label="What holds at this step"><For each={texts()}>{(text) => <li>{text}</li>}</For></ul>;
}

/** What exists of a line; a CronJob has a text of its own above the timeline. */
function texted(line: Line, tab: Tab): string[] {
  const { names } = tab.story();
  switch (line.kind) {
    case 'cronJob':
      return [];
    case 'job':
      return exists(line.job, tab.cursor()) ? [`Job ${names.of(line.job)}: ${jobState(line.job, tab.cursor())}`] : [];
    case 'pods':
      return [
        ...line.row.bars.flatMap((bar) => {
          const pod = podAt(bar, tab.cursor());
          const restarts = bar.restarts.filter((one) => one.step <= tab.cursor()).map(({ at, container, exitCode }) => `container ${container} ended at ${tab.clock().show(at)}${exitCode === null ? '' : ` with exit code ${exitCode}`}`);
          return pod ? [`${title(line.row, names)}: pod ${pod.name} ${[...podState(pod), ...restarts, ...(estimated(bar) ? ['partly estimated'] : [])].join(', ')}`] : [];
        }),
        ...line.row.waits.filter(({ from, until }) => from <= tab.at() && tab.at() < until).map(({ until, planned }) => `${title(line.row, names)}: waiting ${waitText(until, planned, tab.clock())}`),
      ];
  }
}

/** The pods at the step that is looked at, in words, for those who do not see the picture. */
import { createMemo, For } from 'solid-js';

import { podAt, title } from '../model/bars.ts';
import { podState } from '../model/words.ts';
import type { Tab } from '../state/tab.ts';

/** So many are read out; the rest is a number. */
const MOST = 50;

export function PodTexts(props: { tab: Tab }) {
  const texts = createMemo(() => {
    props.tab.version();
    const { bars, names } = props.tab.story();
    const rows = bars.rows();
    const texts = rows.slice(0, MOST).flatMap((row) => row.bars.flatMap((bar) => {
      const pod = podAt(bar, props.tab.cursor());
      return pod ? [`${title(row, names)}: pod ${pod.name} ${podState(pod).join(', ')}`] : [];
    }));
    return rows.length > MOST ? [...texts, `and ${rows.length - MOST} more rows`] : texts;
  });
  return <ul class="unseen" aria-label="Pods at this step"><For each={texts()}>{(text) => <li>{text}</li>}</For></ul>;
}

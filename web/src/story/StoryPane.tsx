/** The story: all that happened in a session, as lines that can be searched, under the timeline and bound to the same cursor. */
import { createMemo, For, Show } from 'solid-js';

import { LINE_KINDS, type LineFilter, type LineKind, type Listing, listing } from '../model/lines.ts';
import { matches } from '../shell/media.ts';
import { Splitter } from '../shell/Splitter.tsx';
import { embedded } from '../state/embedded.ts';
import { isFlag, kept } from '../state/settings.ts';
import type { Tab } from '../state/tab.ts';
import { MANY } from '../timeline/heat.ts';
import { StoryLines } from './StoryLines.tsx';

interface Props {
  tab: Tab;
  /** Which of two timelines it tells of; empty if there is only one. */
  side: string;
  onGo: (step: number) => void;
}

const KINDS: Record<LineKind, [label: string, title: string]> = {
  decisions: ['Decisions', 'What the controllers decided'],
  objects: ['Pods', 'What happened to pods, Jobs and CronJobs'],
  requests: ['Requests', 'Requests to the API server, and Events'],
  actions: ['What you did', 'Actions and faults'],
};

/** The height that a person has chosen; null while it takes what the timeline leaves. */
const isHeight = (value: unknown): value is number | null => value === null || (typeof value === 'number' && value > 0);

export function StoryPane(props: Props) {
  const [height, setHeight] = kept<number | null>('story', null, isHeight);
  const [folded, setFolded] = kept('storyFolded', false, isFlag);
  const [foldedFull, setFoldedFull] = kept('storyFoldedFull', true, isFlag);
  const filtering = createFiltering();
  const story = () => (props.tab.version(), props.tab.story());
  // A map of many pods and two timelines on a low screen need the room more.
  const many = createMemo(() => story().runs.cronJobs.length === 0 && story().bars.rows().length > MANY);
  // On a phone it has a pane of its own, and is never folded there; a page that is a part of another has no panes.
  const narrow = matches('(max-width: 900px)');
  const alone = () => narrow() && !embedded;
  const low = matches('(max-height: 1099px)');
  const lowest = matches('(max-height: 500px)');
  const full = () => many() || (lowest() && !embedded) || (props.side !== '' && low());
  const hidden = () => !alone() && (full() ? foldedFull() : folded());
  const fills = () => !alone() && !hidden() && height() === null && !many() && props.side === '';
  const hide = (hides: boolean): void => (full() ? setFoldedFull : setFolded)(hides);
  const listed = createMemo((before: Listing | undefined): Listing => listing(story(), filtering.filter(), before), undefined, { equals: false });

  function resize(to: number): void {
    hide(to === 0);
    if (to > 0) setHeight(to);
  }
  return (
    <>
      <Splitter label="Height of the Story pane" direction="down" turned value={hidden() ? 0 : height()} min={120} max={800} onChange={resize} />
      <section class="story" classList={{ folded: hidden(), fills: fills(), stale: props.tab.stale() !== '' }} style={height() === null ? {} : { '--story': `${height()}px` }} aria-labelledby="story-title">
        <header class="pane-head">
          <h2 id="story-title">
            <Show when={!alone()} fallback="Story">
              <button type="button" class="story-fold" aria-expanded={!hidden()} onClick={() => hide(!hidden())}><span class="caret" aria-hidden="true">{hidden() ? '▸' : '▾'}</span> Story</button>
            </Show>
          </h2>
          <Show when={props.side}><span class="side">{props.side}</span></Show>
          <Filters filtering={filtering} />
        </header>
        <div class="story-body">
          <Show when={!hidden()}><Show when={listed().shown.length > 0} fallback={<p class="muted pad">{listed().of.length === 0 ? 'Nothing has happened yet.' : 'No lines match.'} <Show when={listed().of.length > 0}><button type="button" class="link" onClick={filtering.clear}>Show all lines</button></Show></p>}>
            <StoryLines lines={listed().shown} clock={props.tab.clock()} several={story().names.several} step={props.tab.cursor()} onGo={props.onGo} />
          </Show></Show>
        </div>
      </section>
    </>
  );
}

function Filters(props: { filtering: Filtering }) {
  return (
    <div class="story-filters">
      <input type="search" placeholder="Search" aria-label="Search the story" value={props.filtering.words()} onInput={(event) => props.filtering.setWords(event.currentTarget.value)} />
      <For each={LINE_KINDS}>
        {(kind) => <button type="button" class="chip" title={KINDS[kind][1]} aria-pressed={props.filtering.filter().kinds.has(kind)} onClick={() => props.filtering.toggle(kind)}>{KINDS[kind][0]}</button>}
      </For>
    </div>
  );
}

const isKinds = (value: unknown): value is LineKind[] => Array.isArray(value) && value.every((kind) => LINE_KINDS.includes(kind));
const isText = (value: unknown): value is string => typeof value === 'string';

type Filtering = ReturnType<typeof createFiltering>;

/** Which lines of the story a person wants to see, kept in this browser. */
function createFiltering() {
  // Requests follow from decisions, and Why has those of each step.
  const [kinds, setKinds] = kept<LineKind[]>('storyKinds', ['decisions', 'objects', 'actions'], isKinds);
  const [words, setWords] = kept('storyWords', '', isText);
  const filter = createMemo<LineFilter>(() => ({ kinds: new Set(kinds()), words: words() }));
  return {
    filter, words, setWords,
    toggle: (kind: LineKind): void => setKinds(kinds().includes(kind) ? kinds().filter((one) => one !== kind) : [...kinds(), kind]),
    /** Lets everything through. */
    clear: (): void => {
      setKinds([...LINE_KINDS]);
      setWords('');
    },
  };
}

/** The timeline of one tab: what happened to every run and pod, with a cursor that can be dragged. */
import { createEffect, createMemo, createSignal, type JSX, onCleanup, onMount, Show } from 'solid-js';

import type { Bar } from '../model/bars.ts';
import type { CronJob, RunJob } from '../model/runs.ts';
import { matches } from '../shell/media.ts';
import type { Place } from '../shell/Popup.tsx';
import type { Tab } from '../state/tab.ts';
import { themed } from '../state/settings.ts';
import { Axis } from './Axis.tsx';
import { Cursor } from './Cursor.tsx';
import { JobLine } from './JobLine.tsx';
import { Lanes } from './Lanes.tsx';
import { bandLanes, drawBands, drawMarks, LANE, MARK_LANES, ONE_MARK_LANE } from './lanes.ts';
import { type Palette, palette } from './palette.ts';
import { BandTexts, PodTexts } from './PodTexts.tsx';
import { ROW } from './rows.ts';
import { Rows } from './Rows.tsx';
import { moved, scale, type View, whole, zoomed } from './scale.ts';
import { usePointer } from './usePointer.ts';
import { useTree } from './useTree.ts';

/** Where a person clicked on a pod. */
export interface PodClick extends Place {
  bar: Bar;
}

/** Where a person clicked on a pod, a Job or a CronJob, or the CronJob whose calendar or policies are wanted. */
export type Pick = PodClick | (Place & { job: RunJob }) | (Place & { cronJob: CronJob }) | { calendar: CronJob } | { policies: CronJob };

interface Props {
  tab: Tab;
  /** Whether there are two timelines. */
  paired: boolean;
  /** What stands before the Jobs, where there are two timelines. */
  title?: JSX.Element;
  /** What is in view; null for all of it. Two timelines side by side share it. */
  view: View | null;
  setView: (view: View | null) => void;
  /** How long the longer of two timelines is. */
  lastAt: number;
  onPick: (pick: Pick) => void;
  /** When two sessions diverge. */
  divergesAt: number | null;
}

/** The height of the axis and of the lines between it, the rows and the lanes, in pixels. */
const AXIS = 34;

export function Timeline(props: Props) {
  let plot: HTMLDivElement | undefined;
  const [width, setWidth] = createSignal(0);
  const [colours, setColours] = createSignal<Palette | null>(null);
  const story = () => (props.tab.version(), props.tab.story());
  const most = createMemo(() => whole(props.lastAt));
  const shown = createMemo(() => scale(props.view ?? most(), width(), props.tab.clock()));
  const tree = useTree(() => props.tab);
  const bands = createMemo(() => bandLanes(story().bands, story().names));
  const [low, lowest] = [matches('(max-height: 760px)'), matches('(max-height: 500px)')];
  const markLanes = () => (lowest() || (low() && props.paired) ? ONE_MARK_LANE : MARK_LANES);
  /** Some rows are always seen; where there is less room, all of the timeline scrolls. */
  const least = () => ({
    '--least': `calc(min(var(--rows), ${Math.max(1, tree.lines().length)}) * ${ROW}px + 1px)`,
    'min-height': `calc(${AXIS + markLanes().length * LANE}px + min(${bands().length * LANE}px, var(--bands)) + var(--least) + var(--above, 0px))`,
  });

  /** What is shown where the manifest or the script cannot be played. */
  const stale = () => {
    if (story().steps.length === 0) return '';
    if (props.tab.invalid()) return 'The outcome and timeline are those of the last valid manifest.';
    return props.tab.problems().length > 0 || props.tab.failure()?.partial === false ? 'The timeline is that of the last session that could be played.' : '';
  };

  onMount(() => {
    const place = plot;
    if (!place) return;
    const measured = new ResizeObserver(() => setWidth(place.clientWidth));
    measured.observe(place);
    onCleanup(() => measured.disconnect());
  });
  createEffect(() => {
    themed();
    if (plot && width() > 0) setColours(palette(plot));
  });

  const zoom = (factor: number, around: number): void => {
    const view = zoomed(shown().view, factor, around, most());
    props.setView(view === most() ? null : view);
  };
  function wheel(event: WheelEvent): void {
    const sideways = event.shiftKey ? event.deltaY : event.deltaX;
    if (sideways !== 0 && (event.shiftKey || Math.abs(sideways) >= Math.abs(event.deltaY))) {
      event.preventDefault();
      props.setView(moved(shown().view, shown().time(sideways) - shown().view.from, most()));
    } else if (event.ctrlKey || event.metaKey || !scrolls(event.target as Element)) {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, shown().time(event.clientX - (plot?.getBoundingClientRect().left ?? 0)));
    }
  }
  const pointer = usePointer({ tab: () => props.tab, plot: () => plot, scale: shown, lines: tree.lines, bands, marks: markLanes, lastAt: () => props.lastAt, onPick: (pick) => props.onPick(pick) });

  return (
    <section class="timeline" aria-label={`Timeline of ${props.tab.title() || 'the session'}`}>
      <div class="job-head">{props.title}<JobLine tab={props.tab} onCalendar={(calendar) => props.onPick({ calendar })} /></div>
      <Show when={stale()}><p class="stale-line" role="status">{stale()}</p></Show>
      <div class="plots" classList={{ stale: stale() !== '', several: story().names.several, 'one-mark-lane': markLanes() === ONE_MARK_LANE }} style={least()} onWheel={wheel} onPointerDown={pointer.down} onPointerMove={pointer.move} onPointerLeave={pointer.leave} onClick={pointer.click}>
        <Axis ref={(element) => (plot = element)} scale={shown()} onZoom={(factor) => zoom(factor, props.tab.at())} onAll={() => props.setView(null)} />
        <Lanes class="bands" labels={bands()} scale={shown()} draw={(ink) => drawBands(ink, bands(), shown(), colours(), props.lastAt)} />
        <Rows lines={tree.lines()} version={props.tab.version()} scale={shown()} colours={colours()} last={props.lastAt} onPick={props.onPick} onFold={tree.fold} tab={props.tab} />
        <Lanes class="marks" labels={markLanes().map(({ label }) => ({ title: label }))} scale={shown()} draw={(ink) => drawMarks(ink, story().marks, shown(), colours(), markLanes())} />
        <Cursor tab={props.tab} scale={shown()} divergesAt={props.divergesAt} />
      </div>
      <p class="hint-line" aria-hidden="true">{pointer.hint()}</p>
      <PodTexts tab={props.tab} lines={tree.lines()} />
      <BandTexts tab={props.tab} />
    </section>
  );
}

/** Whether what is under the pointer can be scrolled up or down. */
function scrolls(target: Element): boolean {
  return ['.bands', '.rows', '.timeline', '.lanes'].some((selector) => {
    const around = target.closest(selector);
    return around !== null && around.scrollHeight > around.clientHeight + 1;
  });
}

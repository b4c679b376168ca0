/** The timeline of one tab: what happened to every run and pod, with a cursor that can be dragged. */
import { createEffect, createMemo, createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js';

import type { Bar } from '../model/bars.ts';
import type { CronJob, RunJob } from '../model/runs.ts';
import type { Story } from '../model/story.ts';
import { since } from '../model/time.ts';
import { matches } from '../shell/media.ts';
import type { Place } from '../shell/Popup.tsx';
import type { Tab } from '../state/tab.ts';
import { themed } from '../state/settings.ts';
import { fresh, type Ink } from './canvas.ts';
import { JobLine } from './JobLine.tsx';
import { bandLanes, drawBands, drawMarks, foldedLanes, LANE, MARK_LANES, ONE_MARK_LANE } from './lanes.ts';
import { type Palette, palette } from './palette.ts';
import { BandTexts, PodTexts } from './PodTexts.tsx';
import { ROW } from './rows.ts';
import { Rows } from './Rows.tsx';
import { moved, scale, type Scale, type View, whole, zoomed } from './scale.ts';
import { Shortened } from './Shortened.tsx';
import { alike, lines, type Unfolded } from './tree.ts';
import { usePointer } from './usePointer.ts';

/** Where a person clicked on a pod. */
export interface PodClick extends Place {
  bar: Bar;
}

/** Where a person clicked on a pod, a Job or a CronJob, or the CronJob whose calendar, runs or policies are wanted. */
export type Pick = PodClick | (Place & { job: RunJob }) | (Place & { cronJob: CronJob }) | { calendar: CronJob } | { runs: CronJob } | { policies: CronJob };

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
/** How high the button is that unfolds bands. */
const FOLD = 24;

export function Timeline(props: Props) {
  let plot: HTMLDivElement | undefined;
  const [width, setWidth] = createSignal(0);
  const [colours, setColours] = createSignal<Palette | null>(null);
  const story = () => (props.tab.version(), props.tab.story());
  const most = createMemo(() => whole(props.lastAt));
  const shown = createMemo(() => scale(props.view ?? most(), width(), props.tab.clock()));
  const tree = useTree(() => props.tab);
  const { bands, folds, unfolded, setUnfolded } = useBands(story);
  const [low, lowest] = [matches('(max-height: 760px)'), matches('(max-height: 500px)')];
  const markLanes = () => (lowest() || (low() && props.paired) ? ONE_MARK_LANE : MARK_LANES);
  /** Some rows are always seen; where there is less room, all of the timeline scrolls. */
  const least = () => ({
    '--least': `calc(min(var(--rows), ${Math.max(1, tree.lines().length)}) * ${ROW}px + 1px)`,
    'min-height': `calc(${AXIS + (folds() ? FOLD : 0) + markLanes().length * LANE}px + min(${bands().length * LANE}px, var(--bands)) + var(--least) + var(--above, 0px))`,
  });

  /** What is shown where the manifest or the script cannot be played. */
  const stale = () => {
    if (story().steps.length === 0) return '';
    if (props.tab.stale()) return props.tab.stale();
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
      <div class="job-head">{props.title}<JobLine tab={props.tab} onCalendar={(calendar) => props.onPick({ calendar })} onRuns={(runs) => props.onPick({ runs })} /></div>
      <Show when={stale()}><p class="stale-line" role="status">{stale()}</p></Show>
      <div class="plots" classList={{ stale: stale() !== '', several: story().names.several, 'one-mark-lane': markLanes() === ONE_MARK_LANE }} style={least()} onWheel={wheel} onPointerDown={pointer.down} onPointerMove={pointer.move} onPointerLeave={pointer.leave} onClick={pointer.click}>
        <Axis ref={(element) => (plot = element)} scale={shown()} onZoom={(factor) => zoom(factor, props.tab.at())} onAll={() => props.setView(null)} />
        <Show when={folds()}><BandsFold open={unfolded()} onOpen={setUnfolded} /></Show>
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

/** The lanes of bands; of many, those of Jobs that have finished are folded until a person unfolds them. */
function useBands(story: () => Story) {
  const all = createMemo(() => bandLanes(story().bands, story().names));
  const few = createMemo(() => foldedLanes(all()));
  const [unfolded, setUnfolded] = createSignal(false);
  const bands = createMemo(() => (unfolded() ? all() : few()));
  return { bands, folds: () => few().length < all().length, unfolded, setUnfolded };
}

function BandsFold(props: { open: boolean; onOpen: (open: boolean) => void }) {
  return (
    <button type="button" class="quiet bands-fold" aria-expanded={props.open} onClick={() => props.onOpen(!props.open)}>
      <span aria-hidden="true">{props.open ? '▾' : '▸'}</span> Conditions of Jobs that have finished
    </button>
  );
}

/** The lines of a timeline as they are folded at the moment. */
function useTree(tab: () => Tab) {
  const [unfolded, setUnfolded] = createSignal<Unfolded>(new Set());
  const all = createMemo(() => (tab().version(), tab().story().bars.rows()), undefined, { equals: false });
  // Only what CronJobs show depends on the current step.
  const step = () => (tab().story().runs.cronJobs.length > 0 ? tab().cursor() : 0);
  const tree = createMemo(() => (all(), { of: tab().version(), lines: lines(tab().story(), step(), unfolded()) }), undefined, {
    equals: (before, after) => before.of === after.of && alike(before.lines, after.lines),
  });
  return {
    lines: () => tree().lines,
    /** Unfolds what is folded, or folds it again. */
    fold: (key: string): void => {
      setUnfolded((keys) => new Set(keys.has(key) ? [...keys].filter((one) => one !== key) : [...keys, key]));
    },
  };
}

interface AxisProps {
  /** The element whose width is that of all that is drawn. */
  ref: (element: HTMLDivElement) => void;
  scale: Scale;
  onZoom: (factor: number) => void;
  onAll: () => void;
}

const FACTOR = 1.6;
/** A label that would be cut is left out: no letter is wider than this, in pixels. */
const LETTER = 8;

/** The axis of time, with the buttons that zoom. */
function Axis(props: AxisProps) {
  return (
    <div class="axis">
      <div class="gutter zoom">
        <button type="button" title="Zoom in" aria-label="Zoom in" onClick={() => props.onZoom(1 / FACTOR)}>+</button>
        <button type="button" title="Zoom out" aria-label="Zoom out" onClick={() => props.onZoom(FACTOR)}>−</button>
        <button type="button" title="Show the whole timeline" aria-label="Show the whole timeline" onClick={() => props.onAll()}>↔</button>
      </div>
      <div class="plot ticks" ref={props.ref} aria-hidden="true">
        <For each={props.scale.clock.ticks(props.scale.view.from, props.scale.view.to, props.scale.width)}>
          {({ at, label }) => <span class="tick" title={props.scale.clock.zone === null ? undefined : since(at)} style={{ left: `${props.scale.x(at)}px` }}>{props.scale.x(at) + label.length * LETTER <= props.scale.width ? label : ''}</span>}
        </For>
      </div>
    </div>
  );
}

interface LanesProps {
  class?: string;
  labels: { object?: string; title: string }[];
  scale: Scale;
  draw: (ink: Ink) => void;
}

/** Lanes of bands or marks: their names, and a canvas for what is in them. */
function Lanes(props: LanesProps) {
  let canvas: HTMLCanvasElement | undefined;
  const height = () => props.labels.length * LANE;
  createEffect(() => {
    if (!canvas || props.scale.width === 0) return;
    const ink = fresh(canvas, props.scale.width, height());
    if (ink) props.draw(ink);
  });
  return (
    <div class={`lane-group ${props.class ?? ''}`}>
      <div class="gutter"><For each={props.labels}>{({ object, title }) => <span class="lane" title={`${object ?? ''} ${title}`.trim()}><Show when={object}>{(name) => <><Shortened name={name()} />{' '}</>}</Show><span class="ellipsis">{title}</span></span>}</For></div>
      <div class="plot" style={{ height: `${height()}px` }}><canvas ref={canvas} aria-hidden="true" /></div>
    </div>
  );
}

interface CursorProps {
  tab: Tab;
  scale: Scale;
  /** When two sessions diverge. */
  divergesAt: number | null;
}

/** The line at the current time, with a handle; what is later is shaded. */
function Cursor(props: CursorProps) {
  const steps = () => (props.tab.version(), props.tab.story().steps);
  const x = () => props.scale.x(props.tab.at());
  const outside = () => x() < 0 || x() > props.scale.width;
  /** Where what was recorded ends, if anything follows. */
  const now = () => {
    const { past, lastAt } = (props.tab.version(), props.tab.story());
    return past?.stepwise && lastAt > past.until ? props.scale.x(past.until) : null;
  };
  const divergesX = () => props.scale.x(props.divergesAt ?? 0);
  return (
    <>
      <div class="overlay" aria-hidden="true">
        <Show when={now() !== null}><div class="now" classList={{ turned: (now() ?? 0) > props.scale.width / 2 }} style={{ left: `${now()}px` }}><span>recorded until here</span></div></Show>
        <div class="future" style={{ left: `${Math.max(0, x())}px` }} />
        <div class="cursor" classList={{ outside: outside() }} style={{ transform: `translateX(${x()}px)` }} />
        <Show when={props.divergesAt !== null}>
          <div class="divergence" classList={{ turned: divergesX() > props.scale.width / 2 }} style={{ left: `${divergesX()}px` }}><span>they diverge here</span></div>
        </Show>
      </div>
      <div class="overlay-handle">
        <div
          class="handle" role="slider" tabindex="0" aria-label="Step"
          aria-valuemin={0} aria-valuemax={Math.max(0, steps().length - 1)} aria-valuenow={props.tab.cursor()}
          aria-valuetext={`step ${props.tab.cursor() + 1} of ${steps().length}, ${props.tab.clock().show(props.tab.at())}`}
          classList={{ outside: outside() }} style={{ transform: `translateX(${x()}px)` }}
        />
      </div>
    </>
  );
}

/** The rows of the timeline, one by one or, where there are very many pods, as a map of all of them. */
import { createEffect, createMemo, createSignal, on, onCleanup, onMount, Show, untrack } from 'solid-js';
import { isServer } from 'solid-js/web';

import { end, type Row } from '../model/bars.ts';
import type { Story } from '../model/story.ts';
import { shownRow } from '../state/shownRow.ts';
import type { Tab } from '../state/tab.ts';
import { fresh } from './canvas.ts';
import { drawLines } from './drawing.ts';
import { drawHeat, MANY } from './heat.ts';
import { Labels, type Placed } from './Labels.tsx';
import type { Palette } from './palette.ts';
import { ROW } from './rows.ts';
import type { Scale } from './scale.ts';
import type { Pick } from './Timeline.tsx';
import { type Line, podRows } from './tree.ts';

interface Props {
  tab: Tab;
  lines: Line[];
  /** Counts up with everything that was played further. */
  version: number;
  scale: Scale;
  colours: Palette | null;
  last: number;
  onPick: (pick: Pick) => void;
  onFold: (key: string) => void;
}

/** How high the rows are taken to be when the page is built, in pixels. */
const UNMEASURED = 200;

export function Rows(props: Props) {
  let area: HTMLDivElement | undefined;
  let canvas: HTMLCanvasElement | undefined;
  const [height, setHeight] = createSignal(isServer ? UNMEASURED : 0);
  const [top, setTop] = createSignal(0);
  const [single, setSingle] = createSignal(false);
  const lines = createMemo(() => (props.version, props.lines), undefined, { equals: false });
  // CronJobs fold what is many.
  const many = () => lines().length > MANY && lines()[0]?.kind === 'pods';
  const heat = () => many() && !single();
  const tall = () => (heat() ? height() : lines().length * ROW);
  // Where rows come and go with the cursor, what is below stays where it is.
  const tallest = createMemo<{ of: Story; rows: number }>((before) => ({ of: props.tab.story(), rows: Math.max(lines().length, before?.of === props.tab.story() ? before.rows : 0) }));
  const labels = createMemo(() => visible(lines(), top(), height()));

  onMount(() => {
    if (!area) return;
    const measured = new ResizeObserver(() => setHeight(area.clientHeight));
    measured.observe(area);
    onCleanup(() => measured.disconnect());
  });
  createEffect(on(shownRow, (key) => key !== null && !heat() && reveal(key), { defer: true }));

  /** Scrolls a row into view, unless it is there. */
  function reveal(key: string): void {
    const place = untrack(lines).findIndex((line) => line.key === key);
    if (!area || place < 0 || (place * ROW >= area.scrollTop && (place + 1) * ROW <= area.scrollTop + area.clientHeight)) return;
    area.scrollTop = (place + 0.5) * ROW - area.clientHeight / 2;
  }
  createEffect(() => {
    const paint = props.colours;
    if (!canvas || !paint || height() === 0) return;
    const ink = fresh(canvas, props.scale.width, height());
    if (!ink) return;
    if (heat()) drawHeat(ink, podRows(lines()), props.scale, paint, props.last, height());
    else drawLines(ink, lines(), props.scale, paint, props.last, top(), height());
  });

  function pick(line: Line, event: MouseEvent): void {
    const edge = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const place = { x: edge.right, y: edge.bottom };
    if (line.kind === 'cronJob') props.onPick({ ...place, cronJob: line.cronJob });
    else if (line.kind === 'job') props.onPick({ ...place, job: line.job });
    else {
      const bar = current(line.row, props.tab.at());
      if (bar) props.onPick({ ...place, bar });
    }
  }

  return (
    <div class="rows" classList={{ heat: heat() }} style={{ '--tall': `${tallest().rows * ROW + 1}px` }} ref={area} onScroll={() => setTop(area?.scrollTop ?? 0)}>
      <div class="rows-inside" style={{ height: `${tall()}px` }}>
        <div class="gutter">
          <Show when={!heat()} fallback={<p class="lane">{lines().length} rows</p>}>
            <Labels tab={props.tab} lines={labels()} onPick={pick} onFold={props.onFold} />
          </Show>
          <Show when={many()}>
            <button type="button" class="fold" onClick={() => setSingle(!single())}>{single() ? 'Show all at once' : 'Show one by one'}</button>
          </Show>
          <Show when={heat()}><HeatLegend lines={lines()} /></Show>
        </div>
        <div class="plot"><canvas ref={canvas} role="img" aria-hidden={!heat()} aria-label={heat() ? mapText(podRows(lines())) : undefined} /></div>
      </div>
      <Show when={lines().length === 0}><p class="nothing">{props.tab.story().past?.pods ? 'Its pods are not here.' : 'No pods were created.'}</p></Show>
    </div>
  );
}

/** What tells phases apart in the map of very many rows. */
function HeatLegend(props: { lines: Line[] }) {
  return (
    <ul class="heat-legend" aria-label="Legend of the map">
      <li>One line for each {each(podRows(props.lines))}</li>
      <li><span class="swatch pending" /> Pending</li>
      <li><span class="swatch running" /> Running</li>
      <li><span class="swatch succeeded" /> Succeeded, after a gap</li>
      <li><span class="swatch failed" /> Failed, after a dark line</li>
    </ul>
  );
}

/** What has a row in the map. */
function each([first]: Row[]): string {
  return first && first.index !== null ? 'index' : 'pod';
}

/** The map in words. */
function mapText(rows: Row[]): string {
  const failed = rows.filter(({ bars }) => bars.at(-1)?.phases.at(-1)?.phase === 'Failed');
  return `Map of ${rows.length} rows, one for each ${each(rows)}: ${failed.length} failed. To read them, choose “Show one by one”.`;
}

/** The pod of a row that is there at a time; else the last one. */
function current(row: Row, now: number) {
  return row.bars.findLast((bar) => (bar.phases[0]?.at ?? 0) <= now && now <= (end(bar) ?? Infinity)) ?? row.bars.at(-1);
}

/** The lines that can be seen, with where they are. */
function visible(lines: Line[], top: number, height: number): Placed[] {
  const first = Math.floor(top / ROW);
  return lines.slice(first, first + Math.ceil(height / ROW) + 1).map((line, place) => ({ line, y: (first + place) * ROW }));
}

/** The rows of pods, one by one or, where there are very many, as a map of all of them. */
import { createEffect, createMemo, createSignal, For, onCleanup, onMount, Show } from 'solid-js';

import { end, type Row, title } from '../model/bars.ts';
import type { Tab } from '../state/tab.ts';
import { fresh } from './canvas.ts';
import { drawHeat, MANY } from './heat.ts';
import type { Palette } from './palette.ts';
import { drawRows, ROW } from './rows.ts';
import type { Scale } from './scale.ts';
import type { PodClick } from './Timeline.tsx';

interface Props {
  tab: Tab;
  rows: Row[];
  /** Counts up with everything that was played further. */
  version: number;
  scale: Scale;
  colours: Palette | null;
  last: number;
  onPod: (click: PodClick) => void;
}

export function Rows(props: Props) {
  let area: HTMLDivElement | undefined;
  let canvas: HTMLCanvasElement | undefined;
  const [height, setHeight] = createSignal(0);
  const [top, setTop] = createSignal(0);
  const [single, setSingle] = createSignal(false);
  const rows = createMemo(() => (props.version, props.rows), undefined, { equals: false });
  const many = () => rows().length > MANY;
  const heat = () => many() && !single();
  const tall = () => (heat() ? height() : rows().length * ROW);
  const labels = createMemo(() => visible(rows(), top(), height()));

  onMount(() => {
    if (!area) return;
    const measured = new ResizeObserver(() => setHeight(area.clientHeight));
    measured.observe(area);
    onCleanup(() => measured.disconnect());
  });
  createEffect(() => {
    const paint = props.colours;
    if (!canvas || !paint || height() === 0) return;
    const ink = fresh(canvas, props.scale.width, height());
    if (!ink) return;
    if (heat()) drawHeat(ink, rows(), props.scale, paint, props.last, height());
    else drawRows(ink, rows(), props.scale, paint, props.last, top(), height());
  });

  function pick(row: Row, event: MouseEvent): void {
    const now = props.tab.at();
    const bar = row.bars.findLast((one) => (one.phases[0]?.at ?? 0) <= now && now <= (end(one) ?? Infinity)) ?? row.bars.at(-1);
    const place = (event.currentTarget as HTMLElement).getBoundingClientRect();
    if (bar) props.onPod({ bar, x: place.right, y: place.bottom });
  }

  return (
    <div class="rows" classList={{ heat: heat(), scrolls: tall() > height() + 1 }} ref={area} onScroll={() => setTop(area?.scrollTop ?? 0)}>
      <div class="rows-inside" style={{ height: `${tall()}px` }}>
        <div class="gutter">
          <Show when={!heat()} fallback={<p class="lane">{rows().length} rows</p>}>
            <For each={labels()}>
              {({ row, y }) => (
                <button type="button" class="row-label" style={{ top: `${y}px`, height: `${ROW}px` }} title={`${row.job} ${row.label}`} onClick={(event) => pick(row, event)}>
                  {title(row, props.tab.story().names)}
                </button>
              )}
            </For>
          </Show>
          <Show when={many()}>
            <button type="button" class="fold" onClick={() => setSingle(!single())}>{single() ? 'Show all at once' : 'Show one by one'}</button>
          </Show>
        </div>
        <div class="plot"><canvas ref={canvas} aria-hidden="true" /></div>
      </div>
      <Show when={rows().length === 0}><p class="nothing">No pods were created.</p></Show>
    </div>
  );
}

/** The rows that can be seen, with where they are. */
function visible(rows: Row[], top: number, height: number): { row: Row; y: number }[] {
  const first = Math.floor(top / ROW);
  return rows.slice(first, first + Math.ceil(height / ROW) + 1).map((row, place) => ({ row, y: (first + place) * ROW }));
}

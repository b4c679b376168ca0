/** The retries of a play as curves: how long was waited before each, and how much memory and CPU the attempts have had. */
import { createMemo, For, Show } from 'solid-js';

import { type CurveData, curveText, delays, growth } from '../model/retries.ts';
import { Dialog } from '../shell/Dialog.tsx';
import type { Tab } from '../state/tab.ts';

/** So many curves of delays are shown, and so many of growth. */
const SHOWN = 6;

export function Retries(props: { tab: Tab; onClose: () => void }) {
  const job = () => props.tab.step()?.object;
  const curves = (read: typeof delays) => createMemo(() => {
    const about = job();
    return about ? read(props.tab.story().steps, about) : [];
  });
  const [waits, grown] = [curves(delays), curves(growth)];
  return (
    <Dialog title="Retries" onClose={props.onClose}>
      <Show when={waits().length > 0 || grown().length > 0} fallback={<p>The Job in this session never waits before a retry, and no container gets more memory or CPU. Make some of its pods fail.</p>}>
        <Curves all={waits()} />
        <Curves all={grown()} />
      </Show>
    </Dialog>
  );
}

/** The first curves of a kind, and how many more there are. */
function Curves(props: { all: CurveData[] }) {
  return (
    <>
      <For each={props.all.slice(0, SHOWN)}>{(data) => <Curve data={data} />}</For>
      <Show when={props.all.length > SHOWN}><p class="muted">and {props.all.length - SHOWN} more</p></Show>
    </>
  );
}

/** The size of a curve, and what is free around it for its texts. */
const [WIDTH, HEIGHT, EDGE] = [520, 200, 44];

/** So many points are marked; of more, only the first and the last, which lie in one another otherwise. */
const MARKED = 12;

function Curve(props: { data: CurveData }) {
  const points = () => props.data.points;
  const ends = () => ({ first: points()[0]?.x ?? 0, last: points().at(-1)?.x ?? 0 });
  const x = (at: number): number => EDGE + ((at - ends().first) / Math.max(1, ends().last - ends().first)) * (WIDTH - 2 * EDGE);
  const most = createMemo(() => points().reduce((known, point) => Math.max(known, point.y), 1));
  const y = (at: number): number => HEIGHT - EDGE - (at / most()) * (HEIGHT - 2 * EDGE);
  const marked = () => (points().length <= MARKED ? points() : points().filter((_, place) => place === 0 || place === points().length - 1));
  return (
    <figure class="curve-figure">
      <figcaption>{props.data.title}</figcaption>
      <svg class="curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={curveText(props.data)}>
        <line x1={EDGE} y1={HEIGHT - EDGE} x2={WIDTH - EDGE} y2={HEIGHT - EDGE} class="axis-line" />
        <polyline points={props.data.line.map((point) => `${x(point.x)},${y(point.y)}`).join(' ')} />
        <For each={marked()}>
          {(point) => (
            <>
              <circle cx={x(point.x)} cy={y(point.y)} r="4" />
              <text x={x(point.x)} y={y(point.y) - 10} text-anchor="middle">{point.text}</text>
              <text x={x(point.x)} y={HEIGHT - EDGE + 18} text-anchor="middle" class="muted">{point.x}</text>
            </>
          )}
        </For>
        <text x={WIDTH / 2} y={HEIGHT - 6} text-anchor="middle" class="muted">{props.data.noun}s</text>
      </svg>
    </figure>
  );
}

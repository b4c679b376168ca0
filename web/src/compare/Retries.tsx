/** The delays of a play as a curve: how long was waited after each number of failures. */
import { For, Show } from 'solid-js';

import { key, type Named } from '../model/names.ts';
import { spoken } from '../model/time.ts';
import { counted } from '../model/words.ts';
import type { Step } from '../protocol.ts';
import { Dialog } from '../shell/Dialog.tsx';
import type { Tab } from '../state/tab.ts';

interface Delay {
  failures: number;
  delay: number;
}

/** The delays in decisions about an object, each number of failures once. */
function delays(steps: Step[], about: Named): Delay[] {
  const found = new Map<number, number>();
  for (const entry of steps.flatMap((step) => step.entries)) {
    if (entry.type !== 'decision' || key(entry.about) !== key(about)) continue;
    const { failures, delay } = entry.values;
    if (typeof failures === 'number' && typeof delay === 'number') found.set(failures, delay);
  }
  return [...found].map(([failures, delay]) => ({ failures, delay })).sort((one, other) => one.failures - other.failures);
}

const [WIDTH, HEIGHT, EDGE] = [520, 220, 44];

export function Curve(props: { tab: Tab; onClose: () => void }) {
  const points = () => {
    const job = props.tab.step()?.object;
    return job ? delays(props.tab.story().steps, job) : [];
  };
  const x = (failures: number): number => EDGE + ((failures - 1) / Math.max(1, (points().at(-1)?.failures ?? 1) - 1)) * (WIDTH - 2 * EDGE);
  const y = (delay: number): number => HEIGHT - EDGE - (delay / Math.max(1, ...points().map((point) => point.delay))) * (HEIGHT - 2 * EDGE);
  return (
    <Dialog title="Back-off delays" onClose={props.onClose}>
      <Show when={points().length > 0} fallback={<p>The Job in this session never backs off. Make some of its pods fail.</p>}>
        <p>How long this Job waits before it creates the next pod, by the number of failures.</p>
        <svg class="curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={points().map((point) => `${counted(point.failures, 'failure')}: ${spoken(point.delay)}`).join('; ')}>
          <line x1={EDGE} y1={HEIGHT - EDGE} x2={WIDTH - EDGE} y2={HEIGHT - EDGE} class="axis-line" />
          <polyline points={points().map((point) => `${x(point.failures)},${y(point.delay)}`).join(' ')} />
          <For each={points()}>
            {(point) => (
              <>
                <circle cx={x(point.failures)} cy={y(point.delay)} r="4" />
                <text x={x(point.failures)} y={y(point.delay) - 10} text-anchor="middle">{spoken(point.delay)}</text>
                <text x={x(point.failures)} y={HEIGHT - EDGE + 18} text-anchor="middle" class="muted">{point.failures}</text>
              </>
            )}
          </For>
          <text x={WIDTH / 2} y={HEIGHT - 6} text-anchor="middle" class="muted">failures</text>
        </svg>
      </Show>
    </Dialog>
  );
}

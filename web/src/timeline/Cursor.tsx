/** The line at the current time, with a handle; what is later is shaded. */
import { Show } from 'solid-js';

import type { Tab } from '../state/tab.ts';
import type { Scale } from './scale.ts';

interface Props {
  tab: Tab;
  scale: Scale;
  /** When two sessions diverge. */
  divergesAt: number | null;
}

export function Cursor(props: Props) {
  const steps = () => (props.tab.version(), props.tab.story().steps);
  const x = () => props.scale.x(props.tab.at());
  const outside = () => x() < 0 || x() > props.scale.width;
  const divergesX = () => props.scale.x(props.divergesAt ?? 0);
  return (
    <>
      <div class="overlay" aria-hidden="true">
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

/** The axis of time, with the buttons that zoom. */
import { For } from 'solid-js';

import { since } from '../model/time.ts';
import type { Scale } from './scale.ts';

interface Props {
  /** The element whose width is that of all that is drawn. */
  ref: (element: HTMLDivElement) => void;
  scale: Scale;
  onZoom: (factor: number) => void;
  onAll: () => void;
}

const FACTOR = 1.6;
/** A label that would be cut is left out: no letter is wider than this, in pixels. */
const LETTER = 8;

export function Axis(props: Props) {
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

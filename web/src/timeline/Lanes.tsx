/** Lanes of bands or marks: their names, and a canvas for what is in them. */
import { createEffect, For, Show } from 'solid-js';

import { fresh, type Ink } from './canvas.ts';
import { LANE } from './lanes.ts';
import type { Scale } from './scale.ts';
import { Shortened } from './Shortened.tsx';

interface Props {
  class?: string;
  labels: { object?: string; title: string }[];
  scale: Scale;
  draw: (ink: Ink) => void;
}

export function Lanes(props: Props) {
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

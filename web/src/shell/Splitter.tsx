/** The line between two panes, which can be dragged or moved with the arrow keys; Enter or a double click hides the pane, and shows it again. */
import { createEffect, createSignal, onCleanup } from 'solid-js';

interface Props {
  label: string;
  direction: 'across' | 'down';
  /** Null while the pane has the size that its surroundings leave it. */
  value: number | null;
  min: number;
  max: number;
  /** Whether dragging to the right or down makes the pane smaller. */
  turned?: boolean;
  /** A pane of no size is hidden. */
  onChange: (value: number) => void;
}

const STEP = 16;

export function Splitter(props: Props) {
  let line: HTMLDivElement | undefined;
  const [measured, setMeasured] = createSignal(0);
  const value = () => props.value ?? measured();
  let shown = value();
  const set = (value: number): void => props.onChange(value < props.min / 2 ? 0 : Math.max(props.min, Math.min(props.max, value)));
  function hide(): void {
    const hidden = value() === 0;
    if (!hidden) shown = value();
    props.onChange(hidden ? Math.max(props.min, shown) : 0);
  }
  function drag(event: PointerEvent): void {
    const across = props.direction === 'across';
    const [start, before] = [across ? event.clientX : event.clientY, value()];
    const dragged = event.currentTarget as HTMLElement;
    dragged.setPointerCapture(event.pointerId);
    dragged.onpointermove = (move) => set(before + ((across ? move.clientX : move.clientY) - start) * (props.turned ? -1 : 1));
    dragged.onpointerup = dragged.onpointercancel = () => (dragged.onpointermove = null);
  }
  function keys(event: KeyboardEvent): void {
    const [less, more] = props.direction === 'across' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    if (event.key !== less && event.key !== more && event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') {
      hide();
      return;
    }
    set(value() + (event.key === more ? STEP : -STEP) * (props.turned ? -1 : 1));
  }
  createEffect(() => {
    const pane = props.turned ? line?.nextElementSibling : line?.previousElementSibling;
    if (props.value !== null || !(pane instanceof HTMLElement)) return;
    const observer = new ResizeObserver(() => setMeasured(props.direction === 'across' ? pane.offsetWidth : pane.offsetHeight));
    observer.observe(pane);
    onCleanup(() => observer.disconnect());
  });
  return (
    <div
      ref={line}
      class={`splitter ${props.direction}`} role="separator" tabindex="0" aria-label={props.label}
      aria-orientation={props.direction === 'across' ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(value())} aria-valuemin={0} aria-valuemax={props.max}
      onPointerDown={drag} onKeyDown={keys} onDblClick={hide} title="Drag or use the arrow keys to resize; double-click or press Enter to hide or show the pane"
    />
  );
}

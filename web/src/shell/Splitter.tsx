/** The line between two panes, which can be dragged or moved with the arrow keys; Enter or a double click hides the pane, and shows it again. */

interface Props {
  label: string;
  direction: 'across' | 'down';
  value: number;
  min: number;
  max: number;
  /** Whether dragging to the right or down makes the pane smaller. */
  turned?: boolean;
  /** A pane of no size is hidden. */
  onChange: (value: number) => void;
}

const STEP = 16;

export function Splitter(props: Props) {
  let shown = props.value;
  const set = (value: number): void => props.onChange(value < props.min / 2 ? 0 : Math.max(props.min, Math.min(props.max, value)));
  function hide(): void {
    const hidden = props.value === 0;
    if (!hidden) shown = props.value;
    props.onChange(hidden ? Math.max(props.min, shown) : 0);
  }
  function drag(event: PointerEvent): void {
    const across = props.direction === 'across';
    const [start, before] = [across ? event.clientX : event.clientY, props.value];
    const line = event.currentTarget as HTMLElement;
    line.setPointerCapture(event.pointerId);
    line.onpointermove = (move) => set(before + ((across ? move.clientX : move.clientY) - start) * (props.turned ? -1 : 1));
    line.onpointerup = line.onpointercancel = () => (line.onpointermove = null);
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
    set(props.value + (event.key === more ? STEP : -STEP) * (props.turned ? -1 : 1));
  }
  return (
    <div
      class={`splitter ${props.direction}`} role="separator" tabindex="0" aria-label={props.label}
      aria-orientation={props.direction === 'across' ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(props.value)} aria-valuemin={0} aria-valuemax={props.max}
      onPointerDown={drag} onKeyDown={keys} onDblClick={hide} title="Drag or use the arrow keys to resize; double-click or press Enter to hide or show the pane"
    />
  );
}

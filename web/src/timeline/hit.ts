/** Finds the pod that lies under the pointer. */
import { type Bar, end, type Row } from '../model/bars.ts';
import { ROW } from './rows.ts';
import type { Scale } from './scale.ts';

/** The bar under a click inside of `.rows`, if its pod is there at that time. */
export function barAt(event: MouseEvent, rows: Row[], scale: Scale, last: number): Bar | null {
  const area = event.target instanceof Element ? event.target.closest<HTMLElement>('.rows:not(.heat)') : null;
  const plot = area?.querySelector('canvas')?.getBoundingClientRect();
  if (!area || !plot || event.clientX < plot.left) return null;
  const row = rows[Math.floor((event.clientY - plot.top + area.scrollTop) / ROW)];
  const x = event.clientX - plot.left;
  return row?.bars.findLast((bar) => scale.x(bar.phases[0]?.at ?? 0) - 2 <= x && x <= scale.x(end(bar) ?? last) + 4) ?? null;
}

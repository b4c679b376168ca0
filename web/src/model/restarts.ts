/** Restarts in place: how containers of a pod ended, and until when they wait to be started again. */
import type { ContainerView, PodView } from '../protocol.ts';
import type { Moment } from './bars.ts';

/** The end of a container that is started again in its pod. */
export interface Restart extends Moment {
  container: string;
  exitCode: number | null;
}

/** Whether a pod waits with the restart of a container. */
export function restartsLater(pod: PodView): boolean {
  return pod.containers.some(({ backOff }) => backOff !== null);
}

/** The restarts that the last of a pod's views shows for the first time. */
export function restartsOf(views: (Moment & { view: PodView })[]): Restart[] {
  const [before, now] = [views.at(-2), views.at(-1)];
  if (!before || !now) return [];
  return now.view.containers.flatMap((container) => {
    const known = named(before.view, container.name);
    const isNew = known && known.backOff === null && (container.backOff !== null || container.restarts > known.restarts);
    return isNew ? [{ ...ended(views, container.name), container: container.name, exitCode: container.lastExitCode }] : [];
  });
}

/** Until when a pod waits with a restart that begins to wait at this time. */
export function restartAt({ containers }: PodView, now: number): number {
  return now + Math.max(...containers.map(({ backOff }) => backOff ?? 0));
}

/** When a container ended: in the first view after the last one in which it ran. */
function ended(views: (Moment & { view: PodView })[], container: string): Moment {
  const ran = views.slice(0, -1).findLastIndex(({ view }) => named(view, container)?.state === 'running');
  const { at, step } = views[ran < 0 ? views.length - 1 : ran + 1] ?? { at: 0, step: 0 };
  return { at, step };
}

function named(pod: PodView, container: string): ContainerView | undefined {
  return pod.containers.find(({ name }) => name === container);
}

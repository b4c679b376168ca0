/** The pods of a play as bars in rows: a row for each index, or for each pod of a Job without indexes; attempts follow one another. */
import type { PodView, Restart, Step } from '../protocol.ts';
import { Failures } from './failures.ts';
import { key, type Named, type Names } from './names.ts';

/** A time, and the step that brought it. */
export interface Moment {
  at: number;
  step: number;
}

/** `Waiting`: a container has ended, and waits to be started again in the pod. */
export type Phase = 'Pending' | 'Running' | 'Ready' | 'Waiting' | 'Succeeded' | 'Failed';

export interface Bar {
  name: string;
  namespace: string;
  job: string;
  index: number | null;
  attempt: number;
  /** The phases that it went through. */
  phases: (Moment & { phase: Phase; /** When a wait is to end. */ planned?: number; /** Whether nothing recorded when it began. */ estimated?: boolean })[];
  restarts: Restart[];
  deleting: Moment | null;
  /** When its tracking finalizer was taken away. */
  released: Moment | null;
  ended: Moment | null;
  gone: Moment | null;
  exitCode: number | null;
  reason: string;
  /** The pod at each of its changes. */
  views: (Moment & { view: PodView })[];
}

/** A time in which a row waits, such as a back-off. */
export interface Wait {
  from: number;
  until: number;
  /** When it was to end, which is later than its end if something cut it short. */
  planned: number;
  step: number;
  reason: string;
}

export interface Row {
  key: string;
  namespace: string;
  /** The Job that controls its pods; empty if none does. */
  job: string;
  index: number | null;
  label: string;
  bars: Bar[];
  waits: Wait[];
}

/** All bars of a play, up to its last played step. */
export class Bars {
  readonly byPod = new Map<string, Bar>();
  readonly failures = new Failures();
  private readonly byKey = new Map<string, Row>();
  /** The rows of each Job, in the order in which the Jobs came. */
  private readonly byJob = new Map<string, Row[]>();
  private sorted: Row[] | null = null;

  /** The rows: Job after Job, by index, and else in the order in which the pods came. */
  rows(): Row[] {
    this.sorted ??= [...this.byJob.values()].flatMap((rows) => rows.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0)));
    return this.sorted;
  }

  /** Adds a step's changes to pods. */
  add(step: Step, number: number): void {
    for (const view of step.pods) this.pod(view, { at: step.at, step: number });
  }

  /** The row of an index of a Job, if it has had a pod. */
  row(job: Named, index: number): Row | undefined {
    return this.byKey.get(`${key(job)}/index ${index}`);
  }

  /** What the rows of a Job wait for comes to nothing: it is ending, or has gone. */
  endWaits(job: Named, at: number): void {
    for (const row of this.byJob.get(key(job)) ?? []) cutWaits(row, at);
  }

  private pod(view: PodView, moment: Moment): void {
    let bar = this.byPod.get(key(view));
    if (!bar || bar.gone) {
      bar = fresh(view);
      this.byPod.set(key(view), bar);
      const row = this.rowOf(view);
      row.bars.push(bar);
      cutWaits(row, moment.at);
    }
    bar.views.push({ ...moment, view });
    const phase = phaseOf(view);
    if (bar.phases.at(-1)?.phase !== phase) {
      bar.phases.push({ ...moment, phase, ...(view.restartsAt === undefined ? {} : { planned: view.restartsAt }), ...(view.estimated ? { estimated: true } : {}) });
      if (phase === 'Failed') this.failures.add({ step: moment.step, row: this.rowOf(view).key });
    }
    const restarted = view.restarted ?? [];
    bar.restarts.push(...restarted);
    if (restarted.some(({ exitCode }) => exitCode !== 0)) this.failures.add({ step: moment.step, row: this.rowOf(view).key });
    if (view.deleting) bar.deleting ??= moment;
    if (!view.held) bar.released ??= moment;
    if (view.gone) bar.gone = moment;
    if (ended(view.phase)) {
      bar.ended ??= moment;
      bar.exitCode = view.exitCode;
      bar.reason = view.reason;
    }
  }

  private rowOf(view: PodView): Row {
    const { namespace, job, index } = view;
    const owner = key({ namespace, name: job });
    const id = index === null ? `${owner}/pod ${view.name}` : `${owner}/index ${index}`;
    const known = this.byKey.get(id);
    if (known) return known;
    const label = index === null ? shortened(view.name, job) : `index ${index}`;
    const row: Row = { key: id, namespace, job, index, label, bars: [], waits: [] };
    this.byKey.set(id, row);
    const others = this.byJob.get(owner);
    if (others) others.push(row);
    else this.byJob.set(owner, [row]);
    this.sorted = null;
    return row;
  }
}

function phaseOf(view: PodView): Phase {
  if (view.restartsAt !== undefined) return 'Waiting';
  return view.phase === 'Running' && view.ready ? 'Ready' : view.phase;
}

function cutWaits(row: Row, at: number): void {
  for (const wait of row.waits) wait.until = Math.max(wait.from, Math.min(wait.until, at));
}

/** The pod's name without the name of its Job in front, which the row's group shows. */
function shortened(pod: string, job: string): string {
  return job !== '' && pod.startsWith(`${job}-`) ? `…${pod.slice(job.length)}` : pod;
}

function fresh(view: PodView): Bar {
  const { name, namespace, job, index, attempt } = view;
  const never = { deleting: null, released: null, ended: null, gone: null };
  return { name, namespace, job, index, attempt, phases: [], restarts: [], ...never, exitCode: null, reason: '', views: [] };
}

/** What a row is called: with its Job as soon as there is more than one. */
export function title(row: Row, names: Names): string {
  const job = jobOf(row, names);
  return job === '' ? row.label : `${job} ${row.label}`;
}

/** The Job of a row if it must be named; otherwise empty. */
export function jobOf({ namespace, job }: Row, names: Names): string {
  return names.several && job !== '' ? names.of({ namespace, name: job }) : '';
}

/** The pod as it is after a step; null before it was there and after it has gone. */
export function podAt(bar: Bar, step: number): PodView | null {
  const view = bar.views.findLast((one) => one.step <= step)?.view;
  return view && !view.gone ? view : null;
}

/** Whether a pod in this phase runs no more. */
export function ended(phase: Phase): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

/** When nothing of a bar is drawn any more; null while it goes on. */
export function end(bar: Bar): number | null {
  return bar.ended?.at ?? bar.gone?.at ?? null;
}

/** Whether nothing recorded some of what a pod did: it is the least that must have happened. */
export function estimated(bar: Bar): boolean {
  return bar.phases.some((phase) => phase.estimated);
}

/** A play as the page shows it: its steps, and what is drawn of them. It grows while the worker plays on. */
import type { DecisionEntry, Due, JobView, Progress, Step } from '../protocol.ts';
import { Bars, type Moment, type Wait } from './bars.ts';
import { relative, since } from './time.ts';

/** A time in which something holds for the whole Job: a condition, a suspension, a delay. */
export interface Band {
  kind: 'state' | 'delay';
  lane: string;
  /** What holds; of a delay, the Job that waits. */
  label: string;
  from: Moment;
  /** Null while it holds. */
  until: Moment | null;
}

export type MarkKind = 'does' | 'waits' | 'write' | 'refused' | 'action' | 'complaint';

/** A step that is marked below the bars. */
export interface Mark extends Moment {
  kind: MarkKind;
  /** How many decisions or requests it stands for. */
  count: number;
  label: string;
}

/** What a wait that a decision tells is called; others go by the decision's own word. */
const WAITS: Record<string, string> = { BacksOff: 'back-off', BacksOffIndex: 'back-off', DeadlineAhead: 'deadline', RetryAhead: 'retry' };

export class Story {
  readonly steps: Step[] = [];
  readonly bars = new Bars();
  readonly bands: Band[] = [];
  readonly marks: Mark[] = [];
  readonly jobs = new Map<string, { step: number; view: JobView }[]>();
  /** When it begins, in milliseconds of the epoch. */
  start = 0;
  ended = false;
  next: Due | null = null;

  /** Takes in what was played further. */
  add(progress: Progress): void {
    this.start = Date.parse(progress.start);
    for (const step of progress.steps) this.step(step, this.steps.push(step) - 1);
    this.ended = progress.ended;
    this.next = progress.next;
  }

  /** When the last step was. */
  get lastAt(): number {
    return this.steps.at(-1)?.at ?? 0;
  }

  /** The last step that is not after a time; -1 if there is none. */
  stepAt(at: number): number {
    let [low, high] = [0, this.steps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.steps[middle]?.at ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The next step after one in which something was decided that was not routine; the last step if there is none. */
  nextDecision(step: number): number {
    const found = this.steps.findIndex((one, number) => number > step && told(one).length > 0);
    return found < 0 ? this.steps.length - 1 : found;
  }

  /** The last step up to one that the controllers took; -1 if there is none. */
  lastPlan(step: number): number {
    return this.steps.findLastIndex((one, number) => number <= step && one.kind === 'plan');
  }

  /** The step with which an example opens: the one in which most was decided that is not routine, and the last of several. */
  interesting(): number {
    const [found] = this.steps.reduce<[number, number]>((best, step, number) => {
      const count = told(step).length;
      return count > 0 && count >= best[1] ? [number, count] : best;
    }, [Math.max(0, this.steps.length - 1), 0]);
    return found;
  }

  /** What is waited for after a step. */
  waitsAfter(step: number): Due | null {
    const known = this.steps.findLastIndex((one, number) => number <= step && one.waits !== undefined);
    return this.steps[known]?.waits ?? null;
  }

  /** The Jobs as they are after a step. */
  jobsAt(step: number): JobView[] {
    const views = [...this.jobs.values()].map((history) => history.findLast((one) => one.step <= step)?.view);
    return views.filter((view) => view !== undefined).filter((view) => !view.gone);
  }

  private step(step: Step, number: number): void {
    const moment = { at: step.at, step: number };
    this.bars.add(step, number);
    for (const view of step.jobs) this.job(view, moment);
    for (const entry of step.entries) {
      if (entry.type !== 'decision') continue;
      entry.sentence = relative(entry.sentence, this.start);
      this.wait(entry, moment);
    }
    if (step.key?.queue === 'job') this.noLonger(step, step.key.name);
    this.mark(step, moment);
  }

  private job(view: JobView, moment: Moment): void {
    const key = `${view.namespace}/${view.name}`;
    const history = this.jobs.get(key);
    if (history) history.push({ step: moment.step, view });
    else this.jobs.set(key, [{ step: moment.step, view }]);
    const holds = view.gone ? [] : view.conditions.filter((condition) => condition.status === 'True');
    const lanes = new Map(holds.map(({ type, reason }) => [`${type}`, reason === '' ? type : `${type}: ${reason}`]));
    if (view.suspend && !view.gone) lanes.set('spec.suspend', 'suspend: true');
    const prefix = (lane: string): string => `${key} ${lane}`;
    for (const band of this.bands) {
      if (band.until === null && band.lane.startsWith(`${key} `) && !lanes.has(band.lane.slice(key.length + 1))) band.until = moment;
    }
    for (const [lane, label] of lanes) {
      const open = this.bands.some((band) => band.lane === prefix(lane) && band.until === null);
      if (!open) this.bands.push({ kind: 'state', lane: prefix(lane), label, from: moment, until: null });
    }
  }

  /** A decision that says until when it holds is a wait: of an index if it names one, and else of the Job. */
  private wait(decision: DecisionEntry, moment: Moment): void {
    const { until, since: from, index } = decision.values;
    if (typeof until !== 'string') return;
    const wait: Wait = { from: typeof from === 'string' ? since(from, this.start) : moment.at, until: since(until, this.start), step: moment.step, because: decision.sentence };
    const row = typeof index === 'number' ? this.bars.row(decision.about, index) : undefined;
    if (row) {
      if (!row.waits.some((known) => known.until === wait.until)) row.waits.push(wait);
      return;
    }
    const lane = WAITS[decision.code] ?? decision.code;
    const ends = { at: wait.until, step: moment.step };
    const known = this.bands.find((band) => band.lane === lane && band.label === decision.about && (band.from.at === wait.from || band.until?.at === wait.until));
    if (known) {
      known.until = ends;
      return;
    }
    this.bands.push({ kind: 'delay', lane, label: decision.about, from: { at: wait.from, step: moment.step }, until: ends });
  }

  /** A delay that the controllers do not tell any more of a Job at which they look has come to its end. */
  private noLonger(step: Step, job: string): void {
    const told = new Set(step.entries.flatMap((entry) => (entry.type === 'decision' ? [WAITS[entry.code] ?? entry.code] : [])));
    for (const band of this.bands) {
      if (band.kind !== 'delay' || band.label !== job || told.has(band.lane)) continue;
      if (band.until && band.until.at > step.at) band.until = { ...band.until, at: step.at };
    }
  }

  private mark(step: Step, moment: Moment): void {
    const add = (kind: MarkKind, count: number, label: string): void => {
      if (count > 0) this.marks.push({ ...moment, kind, count, label });
    };
    const decisions = told(step);
    const does = decisions.filter((decision) => decision.acts);
    const waits = decisions.filter((decision) => !decision.acts);
    add('does', does.length, does[0]?.sentence ?? '');
    if (does.length === 0) add('waits', waits.length, waits[0]?.sentence ?? '');
    const requests = step.entries.filter((entry) => entry.type === 'request');
    const refused = requests.filter((request) => !wentWell(request.outcome));
    add('write', requests.length - refused.length, '');
    add('refused', refused.length, refused[0]?.outcome ?? '');
    const complaints = step.entries.filter((entry) => entry.type === 'complaint');
    add('complaint', complaints.length, complaints[0]?.message ?? '');
    if (step.kind === 'action') add('action', 1, '');
  }
}

/** What was decided in a step and is not routine. */
export function told(step: Step): DecisionEntry[] {
  return step.entries.filter((entry): entry is DecisionEntry => entry.type === 'decision' && !entry.minor);
}

/** Whether a request was carried out, or was left out because one before it was not. */
export function wentWell(outcome: string): boolean {
  return outcome === 'done' || outcome === 'skipped';
}

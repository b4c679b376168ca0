/** A play as the page shows it: its steps, and what is drawn of them. It grows while the worker plays on. */
import type { ClockUpdate, CronJobView, DecisionEntry, Due, JobView, Past, Progress, Step, Zone } from '../protocol.ts';
import { type Band, delay, endDelays, hold, jobStates, lasting } from './bands.ts';
import { Bars, type Moment, type Wait } from './bars.ts';
import { type Clock, dates, ELAPSED } from './clock.ts';
import { linesOf, type StoryLine } from './lines.ts';
import { key, type Named, Names } from './names.ts';
import { type ObjectOutcome, worded } from './outcome.ts';
import { Runs } from './runs.ts';
import { rendered, retimed } from './sentence.ts';
import { wallClock } from './wallClock.ts';
import { learn, UTC } from './zone.ts';

export type MarkKind = 'does' | 'waits' | 'write' | 'refused' | 'action' | 'difference' | 'complaint';

/** A step that is marked below the bars. */
export interface Mark extends Moment {
  kind: MarkKind;
  /** How many decisions or requests it stands for. */
  count: number;
  label: string;
}

export class Story {
  readonly steps: Step[] = [];
  readonly bars = new Bars();
  readonly runs = new Runs();
  readonly bands: Band[] = [];
  readonly marks: Mark[] = [];
  /** What happened, in words. */
  readonly lines: StoryLine[] = [];
  readonly names = new Names();
  /** The Jobs that no CronJob has started. */
  readonly jobs = new Map<string, { step: number; view: JobView }[]>();
  /** The outcomes up to its last step: what people look for comes first. */
  outcomes: ObjectOutcome[] = [];
  /** When it begins, in milliseconds of the epoch. */
  start = 0;
  clock: Clock = ELAPSED;
  /** The time zones of its CronJobs, by their names. */
  readonly zones = new Map<string, Zone>();
  /** What it begins with, if that is what a cluster had. */
  past: Past | null = null;
  ended = false;
  /** Whether the next thing is a run of a CronJob, which is played when it is wanted. */
  paused = false;

  /** The name of the first CronJob or Job; empty if there is none. */
  first(): string {
    const [cronJob] = this.runs.cronJobs;
    const [job] = this.jobs.values();
    return cronJob?.name ?? job?.[0]?.view.name ?? '';
  }

  /** Adds the steps that were played since. */
  add(progress: Progress): void {
    this.start = Date.parse(progress.start);
    if (progress.past) {
      this.past = progress.past;
      this.clock = wallClock(progress.past.zone, this.start);
    }
    for (const step of progress.steps) this.step(step);
    this.outcomes = progress.outcomes.map((outcome) => worded(outcome, this.clock, this.start));
    this.ended = progress.ended;
    this.paused = progress.paused;
  }

  /** The time zone of this name, which one of its CronJobs has. */
  zone(name: string): Zone {
    return this.zones.get(name) ?? UTC;
  }

  /** When the last step was. */
  get lastAt(): number {
    return this.steps.at(-1)?.at ?? 0;
  }

  /** Whether what happened at a time was recorded of a cluster, and can be looked at but not changed. */
  recordedAt(at: number): boolean {
    return this.past !== null && at < this.past.until;
  }

  /** Whether a Job had finished when it was recorded. */
  recordedEnd(job: Named): boolean {
    const views = this.jobs.get(key(job));
    const end = views?.find(({ view }) => view.finished !== null);
    return this.past !== null && end !== undefined && (this.steps[end.step]?.at ?? 0) <= this.past.until;
  }

  /** The time of a script, which is counted from where the past ends, for one of the session. */
  played(at: number): number {
    return at - (this.past?.until ?? 0);
  }

  /** The time of the session for one of a script. */
  scripted(at: number): number {
    return at + (this.past?.until ?? 0);
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

  /** The first step that is not before a time, which is in whole milliseconds; the number of steps if there is none. */
  firstAt(at: number): number {
    return this.stepAt(at - 1) + 1;
  }

  /** The step after which an action at a time happens: after the manifest, actions come first in their moment. */
  beforeAction(at: number): number {
    const acted = this.steps.findLastIndex(({ kind, at: then }) => (kind === 'action' || kind === 'applied') && then === at);
    return Math.max(0, acted, this.firstAt(at) - 1);
  }

  /** The next step after one in which something was decided that was not routine; the last step if there is none. */
  nextDecision(step: number): number {
    const found = this.nextPlan(step);
    return found < 0 ? this.steps.length - 1 : found;
  }

  /** The last step up to one that the controllers took; -1 if there is none. */
  lastPlan(step: number): number {
    return this.steps.findLastIndex((one, number) => number <= step && one.kind === 'plan');
  }

  /** The next step after one in which something was decided that was not routine; -1 if there is none. */
  nextPlan(step: number): number {
    return this.steps.findIndex((one, number) => number > step && shown(one).length > 0);
  }

  /** Where to look if no step decided an outcome: where the last run of a CronJob began; else the step in which most was decided that is not routine, and the last of several. */
  interesting(): number {
    const run = this.runs.previous(this.steps.length);
    if (run >= 0) return run;
    const [found] = this.steps.reduce<[number, number]>((best, step, number) => {
      const count = shown(step).length;
      return count > 0 && count >= best[1] ? [number, count] : best;
    }, [Math.max(0, this.steps.length - 1), 0]);
    return found;
  }

  /** What is waited for after a step. */
  waitsAfter(step: number): Due | null {
    const known = this.steps.findLastIndex((one, number) => number <= step && one.waits !== undefined);
    return this.steps[known]?.waits ?? null;
  }

  /** The Jobs as they are after a step, without those of CronJobs. */
  jobsAt(step: number): JobView[] {
    const views = [...this.jobs.values()].map((history) => history.findLast((one) => one.step <= step)?.view);
    return views.filter((view) => view !== undefined).filter((view) => !view.gone);
  }

  /** Until when a Job that has finished is kept, as it is known after a step; null if nothing deletes it. */
  keptUntil(job: Named, { at, step }: Moment): number | null {
    const delays = this.runs.job(job)?.delays ?? this.bands.filter((band) => band.kind === 'delay' && band.about && key(band.about) === key(job));
    return delays.findLast((band) => band.from.step <= step && (band.until?.at ?? 0) >= at)?.until?.at ?? null;
  }

  private step(played: Step): void {
    if (played.clock) this.clocks(played.clock);
    for (const view of played.cronJobs) this.names.add('CronJob', view);
    const step = retimed(played, this.clock, this.start);
    const number = this.steps.push(step) - 1;
    const moment = { at: step.at, step: number };
    for (const view of step.jobs) this.names.add('Job', view);
    for (const view of step.pods) this.names.see(view.namespace);
    this.bars.add(step, number);
    this.runs.add(step, number);
    if (step.fault) lasting(this.bands, step.fault, number);
    for (const view of step.cronJobs) hold(this.bands, 'CronJob ', view, suspension(view), moment);
    for (const view of step.jobs) this.job(view, moment);
    const waits = step.entries.flatMap((entry) => (entry.type === 'decision' && entry.role === 'wait' ? this.wait(entry, step, moment) : []));
    if (step.kind === 'plan' && step.object) endDelays(this.delaysOf(step.object), step, new Set(waits));
    this.mark(step, moment);
    for (const line of linesOf(step, number)) this.lines.push(line);
  }

  private clocks({ zones, shown }: ClockUpdate): void {
    for (const sent of zones) learn(this.zones, sent);
    // A session with a past has the clock on the wall from its beginning.
    if (shown && this.past === null) this.clock = dates(this.zone(shown.zone), this.start, shown.dated);
  }

  private job(view: JobView, moment: Moment): void {
    const about = { namespace: view.namespace, name: view.name };
    if (isEnding(view)) this.bars.endWaits(about, moment.at);
    // A CronJob has many, and each has a row of its own for what holds.
    if (this.runs.job(about)) return;
    const history = this.jobs.get(key(about));
    if (history) history.push({ step: moment.step, view });
    else this.jobs.set(key(about), [{ step: moment.step, view }]);
    hold(this.bands, '', about, jobStates(view), moment);
  }

  /** A wait whose end is known is drawn: in the row of an index if it names one, and else in a lane, which is returned. */
  private wait(decision: DecisionEntry, step: Step, moment: Moment): string[] {
    const { since: from = moment.at, until, about, values: { index } } = decision;
    // What a CronJob waits for is its next run, which its row shows.
    if (until === undefined || about.kind === 'CronJob') return [];
    const row = typeof index === 'number' ? this.bars.row(about, index) : undefined;
    if (row) {
      const wait: Wait = { from, until, planned: until, step: moment.step, reason: rendered(decision.parts) };
      if (!row.waits.some((known) => known.planned === until)) row.waits.push(wait);
      return [];
    }
    return [delay(this.delaysOf(about), decision, { ends: until, kept: this.finished(about) }, step, moment)];
  }

  /** Whether a Job has finished: it then waits only for its deletion. */
  private finished(job: Named): boolean {
    const view = this.jobs.get(key(job))?.at(-1)?.view;
    return (view ?? this.runs.job(job))?.finished != null;
  }

  /** Where the delays of an object are drawn. */
  private delaysOf(object: Named): Band[] {
    return this.runs.job(object)?.delays ?? this.bands;
  }

  private mark(step: Step, moment: Moment): void {
    const add = (kind: MarkKind, count: number, label: string): void => {
      if (count > 0) this.marks.push({ ...moment, kind, count, label });
    };
    const decisions = shown(step);
    const does = decisions.filter((decision) => decision.role === 'action');
    const waits = decisions.filter((decision) => decision.role !== 'action');
    add('does', does.length, does[0]?.text ?? '');
    if (does.length === 0) add('waits', waits.length, waits[0]?.text ?? '');
    const requests = step.entries.filter((entry) => entry.type === 'request');
    const refused = requests.filter((request) => !wentWell(request.outcome));
    add('write', requests.length - refused.length, '');
    add('refused', refused.length, refused[0]?.outcome ?? '');
    const differences = step.entries.filter((entry) => entry.type === 'difference');
    add('difference', differences.length, differences[0]?.text ?? '');
    const complaints = step.entries.filter((entry) => entry.type === 'complaint');
    add('complaint', complaints.length, complaints[0]?.text ?? '');
    if (step.kind === 'action') add('action', 1, step.action ?? '');
  }
}

/** What holds for a CronJob as a whole. */
function suspension({ suspend, gone }: CronJobView): Map<string, string> {
  return new Map(suspend && !gone ? [['spec.suspend', 'suspend: true']] : []);
}

/** Whether no pod of a Job is created any more: it is to finish, has finished, or has gone. */
function isEnding({ conditions, gone }: JobView): boolean {
  return gone || conditions.some(({ type, status }) => status === 'True' && type !== 'Suspended');
}

/** What was decided in a step and is not routine. */
function shown(step: Step): DecisionEntry[] {
  return step.entries.filter((entry): entry is DecisionEntry => entry.type === 'decision' && !entry.minor);
}

/** Whether a request was carried out, or was left out because one before it was not. */
export function wentWell(outcome: string): boolean {
  return outcome === 'done' || outcome === 'skipped';
}

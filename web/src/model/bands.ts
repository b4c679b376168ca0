/** Bands: times in which something holds for a whole object, such as a condition, a suspension or a delay. */
import type { DecisionEntry, JobView, Step } from '../protocol.ts';
import type { Moment } from './bars.ts';
import { key, type Named } from './names.ts';
import { spelled } from './words.ts';

/** A time in which something holds for the whole object. */
export interface Band {
  kind: 'state' | 'delay';
  /** What distinguishes its lane from others. */
  lane: string;
  /** What the lane is called. */
  title: string;
  /** The object that it is about. */
  about: Named;
  /** What holds. */
  label: string;
  from: Moment;
  /** Null while it holds. */
  until: Moment | null;
}

/** What holds for a Job: its conditions, its suspension, and that it was deleted after its time. */
export function jobStates(view: JobView): Map<string, string> {
  const holds = view.gone ? [] : view.conditions.filter((condition) => condition.status === 'True');
  const states = new Map(holds.map(({ type, reason }) => [type, reason === '' ? type : `${type}: ${reason}`]));
  if (view.suspend && !view.gone) states.set('spec.suspend', 'suspend: true');
  if (view.expires && (view.deleting || view.gone)) states.set('deletion', view.gone ? 'deleted' : 'being deleted');
  return states;
}

/** Lets bands begin and end so that exactly these states of an object hold, by their titles. */
export function hold(bands: Band[], kind: string, about: Named, states: Map<string, string>, moment: Moment): void {
  const object = `${kind}${key(about)}`;
  for (const band of bands) {
    if (band.until !== null || !band.lane.startsWith(`${object} `)) continue;
    if (states.has(band.title)) band.label = states.get(band.title) ?? '';
    else band.until = moment;
  }
  for (const [title, label] of states) {
    const lane = `${object} ${title}`;
    const open = bands.some((band) => band.lane === lane && band.until === null);
    if (!open) bands.push({ kind: 'state', lane, title, about, label, from: moment, until: null });
  }
}

/** Draws a wait whose end is known; answers its lane. */
export function delay(bands: Band[], decision: DecisionEntry, ends: number, step: Step, moment: Moment): string {
  const lane = delayLane(step, decision.code);
  const from = decision.since ?? moment.at;
  const known = bands.find((band) => band.lane === lane && (band.from.at === from || band.until?.at === ends));
  const until = { at: ends, step: moment.step };
  if (known) known.until = until;
  else bands.push({ kind: 'delay', lane, title: spelled(decision.code), about: decision.about, label: '', from: { at: from, step: moment.step }, until });
  return lane;
}

/** A wait that a plan for the same object does not name has come to its end. */
export function endDelays(bands: Band[], step: Step, named: Set<string>): void {
  for (const band of bands) {
    if (!band.lane.startsWith(delayLane(step, '')) || named.has(band.lane)) continue;
    if (band.until && band.until.at > step.at) band.until = { ...band.until, at: step.at };
  }
}

/** The lane of what a controller waits for with an object. */
function delayLane({ controller, object }: Step, code: string): string {
  return `${controller} ${object?.kind} ${object?.namespace}/${object?.name} ${code}`;
}

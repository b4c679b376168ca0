/** Bands: times in which something holds for a whole object, such as a condition, a suspension or a delay, or in which a fault lasts. */
import type { DecisionEntry, Fault, JobView, Step } from '../protocol.ts';
import type { Moment } from './bars.ts';
import type { Clock } from './clock.ts';
import { key, type Named, type Names } from './names.ts';
import { spoken } from './time.ts';
import { spelled, waitText } from './words.ts';

/** A time in which something holds for the whole object. */
export interface Band {
  kind: 'state' | 'delay' | 'fault';
  /** What distinguishes its lane from others. */
  lane: string;
  /** What the lane is called. */
  title: string;
  /** The object that it is about; null for a fault, which concerns all. */
  about: Named | null;
  /** What holds. */
  label: string;
  from: Moment;
  /** Null while it holds. */
  until: Moment | null;
  /** When a delay or a fault was to end; null for what ends by itself. */
  planned: number | null;
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
    if (!open) bands.push({ kind: 'state', lane, title, about, label, from: moment, until: null, planned: null });
  }
}

/** Draws a wait whose end is known, `kept` if its object has finished; answers its lane. */
export function delay(bands: Band[], decision: DecisionEntry, { ends, kept }: { ends: number; kept: boolean }, step: Step, moment: Moment): string {
  const lane = delayLane(step, decision.code);
  const from = decision.since ?? moment.at;
  // What a plan has left out goes on if the next one names it with the same end.
  const known = bands.find((band) => band.lane === lane && (band.from.at === from || band.planned === ends));
  const end = { until: { at: ends, step: moment.step }, planned: ends };
  if (known) Object.assign(known, end);
  else bands.push({ kind: 'delay', lane, title: spelled(decision.code), about: decision.about, label: kept ? 'kept' : '', from: { at: from, step: moment.step }, ...end });
  return lane;
}

/** A wait that a plan for the same object does not name has come to its end. */
export function endDelays(bands: Band[], step: Step, named: Set<string>): void {
  for (const band of bands) {
    if (!band.lane.startsWith(delayLane(step, '')) || named.has(band.lane)) continue;
    if (band.until && band.until.at > step.at) band.until = { ...band.until, at: step.at };
  }
}

const FAULTS: Record<Fault['kind'], { title: string; label: (length: string) => string }> = {
  watchDelayed: { title: 'watch', label: (length) => `delayed by ${length}` },
  watchCut: { title: 'watch', label: (length) => `disconnected for ${length}` },
  controllerPaused: { title: 'controller', label: (length) => `paused for ${length}` },
  clockAdvanced: { title: 'clock', label: (length) => `advanced by ${length}` },
  creationsRefused: { title: 'API server', label: (length) => `refuses to create pods for ${length}` },
};

/** A fault that lasts; one of the same thing ends where the next one begins. */
export function lasting(bands: Band[], { kind, from, until }: Fault, step: number): void {
  const { title, label } = FAULTS[kind];
  const lane = `fault ${title}`;
  for (const band of bands) {
    if (band.lane === lane && band.until && band.until.at > from) band.until = { at: from, step };
  }
  bands.push({ kind: 'fault', lane, title, about: null, label: label(spoken(until - from)), from: { at: from, step }, until: { at: until, step }, planned: kind === 'clockAdvanced' ? null : until });
}

/** What holds, in words, and when a delay or a fault ends. */
export function bandText({ label, until, planned }: Band, last: number, clock: Clock): string {
  return planned === null ? label : `${label} ${waitText(until?.at ?? last, planned, clock)}`.trim();
}

/** How objects and times are called where a band is shown. */
interface Shown {
  names: Names;
  clock: Clock;
}

/** What holds, in words that stand by themselves: with what it is called, and with the object as soon as there is more than one Job. */
export function bandSentence(band: Band, { names, clock }: Shown, last: number): string {
  const named = band.kind === 'fault' || band.label === '';
  const text = `${named ? band.title : ''} ${bandText(band, last, clock)}`.trim();
  return names.several && band.about ? `${names.of(band.about)}: ${text}` : text;
}

/** The lane of what a controller waits for with an object. */
function delayLane({ controller, object }: Step, code: string): string {
  return `${controller} ${object?.kind} ${object?.namespace}/${object?.name} ${code}`;
}

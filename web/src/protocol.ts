/** The calls of the worker and its replies. What the module sends is in `views.ts`, generated from Rust. */
import type { Changes, Completions, Diagnostic, Entry, Example, FailurePolicy, FieldFacts, Forecast, ObjectName, PolicyTrial, ScriptParts, UnmatchedRule, Variant } from './views.ts';

export type * from './views.ts';

export type DecisionEntry = Extract<Entry, { type: 'decision' }>;

export type RequestEntry = Extract<Entry, { type: 'request' }>;

export interface About {
  /** The SHA-256 of the component, in hexadecimal digits. */
  sha256: string;
  jobsmith: string;
  kubernetes: string;
  component: string;
}

/** What is played, or gone through. */
export type Source = { manifest: string; script: string } | { recording: string };

/** How far CronJobs are played, which never end: so many runs, and in any case until so many milliseconds after the beginning. */
export interface Ahead {
  runs: number;
  until: number;
}

/** What a play begins with, `progress` being a `Progress` as JSON; or what is wrong with it, if it cannot start. */
export type Opened = { parts: ScriptParts; progress: string } | { parts: ScriptParts; problems: Diagnostic[] };

/** Each question: what it takes, and its answer. */
export interface Questions {
  /** Answered as soon as the worker runs, before the controllers are loaded. */
  started: { input: Record<never, never>; answer: null };
  /** Answered as soon as everything else can be answered. */
  ready: { input: Record<never, never>; answer: null };
  check: { input: { manifest: string }; answer: Diagnostic[] };
  /** What the objects of a manifest will do from now on, in milliseconds since 1970, and advice; `zone` is the reader's. */
  forecast: { input: { manifest: string; zone: string; now: number }; answer: Forecast };
  /** What is known of a field of an object of this kind, such as `spec.backoffLimit`; `null` if there is none. */
  field: { input: { kind: string; path: string }; answer: FieldFacts | null };
  /** What can be written at a line and a column of a manifest, both from 1. */
  completions: { input: { manifest: string; line: number; column: number }; answer: Completions };
  checkScript: { input: { script: string }; answer: Diagnostic[] };
  readScript: { input: { script: string }; answer: ScriptParts };
  /** The claims of a scenario file. */
  readScenarios: { input: { text: string }; answer: Example[] };
  /** The session as a scenario file with what is seen of it; CronJobs are played for so many milliseconds. */
  writeScenario: { input: { title: string; manifest: string; script: string; until: number }; answer: string };
  /** The manifest with one change each, for the changes that suit it. */
  variants: { input: { manifest: string }; answer: Variant[] };
  /** The pod failure policies of a manifest, with the cases in which each is tried. */
  policies: { input: { manifest: string }; answer: FailurePolicy[] };
  /** Simulates one case of one of them. */
  tryPolicy: { input: { manifest: string; policy: number; case: number }; answer: PolicyTrial };
  /** The actions that make one manifest out of another. */
  changes: { input: { before: string; after: string }; answer: Changes };
  /** Starts a play and plays its first piece; CronJobs for as long as `playAhead` says. */
  open: { input: { play: number; size: number } & Ahead & Source; answer: Opened };
  /** Plays a further piece, with about so many entries and objects; a `Progress` as JSON, which is read where it is needed. */
  run: { input: { play: number; size: number }; answer: string };
  /** Plays CronJobs further on with the next pieces. */
  playAhead: { input: { play: number } & Ahead; answer: null };
  /** The rules of the script that matched nothing so far. */
  unmatched: { input: { play: number }; answer: UnmatchedRule[] };
  /** What the API server would refuse of a script's actions after a step, at its places in a manifest. */
  refused: { input: { play: number; step: number; script: string; manifest: string }; answer: Diagnostic[] };
  objects: { input: { play: number; step: number }; answer: ObjectName[] };
  yaml: { input: { play: number; step: number; kind: string; namespace: string; name: string }; answer: string };
  /** All objects after a step, as a List in YAML. */
  list: { input: { play: number; step: number }; answer: string };
  trace: { input: { play: number; all: boolean }; answer: string };
  close: { input: { play: number }; answer: null };
  /** Begins to simulate a session once more, for what the runs of its CronJobs come to: nothing else is kept. */
  openAhead: { input: { ahead: number; manifest: string; script: string }; answer: null };
  /** Simulates so many runs further, but not past a time, in milliseconds since the beginning; a `RunsAhead` as JSON. */
  runAhead: { input: { ahead: number; runs: number; until: number }; answer: string };
  /** What the schedule of a CronJob says of the time from one moment until another; `ScheduledTimes` as JSON. */
  scheduled: { input: { ahead: number; namespace: string; name: string; from: number; until: number }; answer: string };
  closeAhead: { input: { ahead: number }; answer: null };
}

export type Question = keyof Questions;

export type Call = { [Name in Question]: { id: number; name: Name; input: Questions[Name]['input'] } }[Question];

/** `stopped`: why the worker can answer nothing any more. */
export type Reply = { id: number; answer: Questions[Question]['answer'] } | { id: number; failed: string } | { stopped: string };

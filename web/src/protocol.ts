/** The calls of the worker and its replies. The shapes are those of `crates/browser`; entries are those of `jobsmith simulate -o json`. */

export interface Due {
  /** Milliseconds of virtual time since the start. */
  at: number;
  reason: string;
}

/** One object of the cluster. */
export interface ObjectRef {
  kind: string;
  namespace: string;
  name: string;
  /** Absent where any object of this name is meant. */
  uid?: string;
}

/** A part of a sentence: plain text, or what a view renders in its own way. Times are as the API writes them, fields are paths in a manifest. */
export type Part = string | { time: string } | { milliseconds: number } | { object: ObjectRef } | { field: string };

export type PodState = 'Pending' | 'Running' | 'Ready' | 'Restarted' | 'Terminating' | 'Succeeded' | 'Failed' | 'Gone';

interface At {
  /** The time, as the API writes it. */
  at: string;
}

export interface DecisionEntry extends At {
  type: 'decision';
  about: ObjectRef;
  code: string;
  page: string;
  heading: string;
  /** Where the heading is on the web; empty if nobody says. */
  url: string;
  rule: string;
  fields: string[];
  /** Whether something is done (●), is left alone or waited for (○), or follows from what can be seen anyway (·). */
  role: 'action' | 'wait' | 'routine';
  /** Since when and until when it waits, as far as that is known, as the API writes times. */
  since?: string;
  until?: string;
  /** The sentence as it is, and in the parts that a view renders. */
  sentence: string;
  parts: Part[];
  values: Record<string, unknown>;
  /** Whether it is routine, or waits for what it waited for before. */
  minor: boolean;
}

export interface RequestEntry extends At {
  type: 'request';
  /** What its plan is about. */
  about: ObjectRef;
  method: string;
  path: string;
  outcome: string;
}

export interface PodEntry extends At {
  type: 'pod';
  namespace: string;
  pod: string;
  /** The Job that controls it; empty if none does. */
  job: string;
  index?: number;
  attempt: number;
  state: PodState;
  restarts?: number;
  starts?: { container: string; number: number }[];
  exitCode?: number;
  /** Whether it was so before anybody looked. */
  found?: boolean;
  createdAt: string;
  reason?: string;
}

export interface JobEntry extends At {
  type: 'job';
  namespace: string;
  job: string;
  change: string;
}

export interface EventEntry extends At {
  type: 'event';
  regarding: ObjectRef;
  reportingController: string;
  warning: boolean;
  reason: string;
  message: string;
}

export interface ComplaintEntry extends At {
  type: 'complaint';
  message: string;
}

export type Entry = DecisionEntry | RequestEntry | PodEntry | JobEntry | EventEntry | ComplaintEntry;

export interface ContainerView {
  name: string;
  state: 'waiting' | 'running' | 'terminated';
  reason: string;
  exitCode: number | null;
  restarts: number;
}

export interface PodView {
  name: string;
  namespace: string;
  job: string;
  index: number | null;
  attempt: number;
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  ready: boolean;
  deleting: boolean;
  /** Whether a tracking finalizer holds it. */
  held: boolean;
  restarts: number;
  exitCode: number | null;
  reason: string;
  gone: boolean;
  containers: ContainerView[];
}

export interface Change {
  path: string;
  before: string | null;
  after: string | null;
}

export interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
}

export interface JobView {
  name: string;
  namespace: string;
  completionMode: string;
  completions: number | null;
  parallelism: number;
  backoffLimit: number;
  suspend: boolean;
  active: number;
  ready: number;
  succeeded: number;
  failed: number;
  terminating: number | null;
  completedIndexes: string;
  failedIndexes: string;
  conditions: Condition[];
  deleting: boolean;
  gone: boolean;
  /** What this step changed of spec and status, leaf by leaf. */
  changes: Change[];
}

export interface Step {
  /** Milliseconds of virtual time since the start. */
  at: number;
  /**
   * What the controllers did; what nodes and the API server did; what somebody did from outside; what another cluster had; what the API server
   * answered, where that comes later; what went wrong.
   */
  kind: 'plan' | 'change' | 'action' | 'found' | 'answers' | 'complaint';
  entries: Entry[];
  /** Of a step of the controllers: which of them made the plan, and what it is about. */
  controller?: string;
  object?: ObjectRef;
  /** What was done from outside, in the script language. */
  action?: string;
  requeueAt?: Due;
  /** On the last step of a moment: what the controllers wait for from there on. */
  waits?: Due | null;
  /** The pods that changed, as they are afterwards. */
  pods: PodView[];
  /** The Jobs that changed, as they are afterwards. */
  jobs: JobView[];
}

export interface Progress {
  /** When the session begins, as the API writes it. */
  start: string;
  steps: Step[];
  ended: boolean;
  next: Due | null;
}

export interface Diagnostic {
  severity: 'error' | 'warning';
  message: string;
  path: string;
  /** From 1, as the column. */
  line: number;
  column: number;
  length: number;
  remedy: string | null;
}

export interface ScriptParts {
  rules: { which: string; what: string }[];
  actions: { at: number; text: string }[];
}

export interface ObjectName {
  kind: string;
  namespace: string;
  name: string;
  resourceVersion: string;
}

export interface About {
  /** The SHA-256 of the component, in hexadecimal digits. */
  sha256: string;
  jobsmith: string;
  kubernetes: string;
  component: string;
}

/** What is played, or gone through. */
export type Source = { manifest: string; script: string } | { recording: string };

/** Each question with what it takes and what it answers. */
export interface Questions {
  about: { ask: Record<never, never>; answer: About };
  check: { ask: { manifest: string }; answer: Diagnostic[] };
  checkScript: { ask: { script: string }; answer: Diagnostic[] };
  readScript: { ask: { script: string }; answer: ScriptParts };
  /** The actions that make one manifest out of another. */
  changes: { ask: { before: string; after: string }; answer: { problems: Diagnostic[]; actions: string[] } };
  /** Starts a play; what is wrong with it, if it cannot start. */
  open: { ask: { play: number } & Source; answer: Diagnostic[] };
  /** Plays further moments; a `Progress` as JSON, which is read where it is needed. */
  run: { ask: { play: number; moments: number }; answer: string };
  objects: { ask: { play: number; step: number }; answer: ObjectName[] };
  yaml: { ask: { play: number; step: number; kind: string; namespace: string; name: string }; answer: string };
  /** All objects after a step, as `kubectl get jobs,pods -o yaml` prints them. */
  list: { ask: { play: number; step: number }; answer: string };
  trace: { ask: { play: number; all: boolean }; answer: string };
  close: { ask: { play: number }; answer: null };
}

export type Question = keyof Questions;

export type Call = { [Name in Question]: { id: number; name: Name; ask: Questions[Name]['ask'] } }[Question];

export type Reply = { id: number; answer: Questions[Question]['answer'] } | { id: number; failed: string };

/** What the worker is asked and what it answers. The shapes are those of `crates/browser`; entries are those of `jobsmith simulate -o json`. */

export interface Due {
  /** Milliseconds of virtual time since the start. */
  at: number;
  because: string;
}

export type PodState = 'Pending' | 'Running' | 'Ready' | 'Restarted' | 'Terminating' | 'Succeeded' | 'Failed' | 'Gone';

interface At {
  /** The time, as the API writes it. */
  at: string;
}

export interface DecisionEntry extends At {
  type: 'decision';
  about: string;
  code: string;
  /** Whether something is done (●), or left alone or waited for (○). */
  acts: boolean;
  page: string;
  heading: string;
  rule: string;
  fields: string[];
  sentence: string;
  values: Record<string, unknown>;
  /** Whether it is routine, or was told before. */
  minor: boolean;
}

export interface RequestEntry extends At {
  type: 'request';
  method: string;
  path: string;
  outcome: string;
}

export interface PodEntry extends At {
  type: 'pod';
  pod: string;
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
  job: string;
  change: string;
}

export interface EventEntry extends At {
  type: 'event';
  regarding: { kind: string; namespace: string; name: string; uid: string };
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
  /** What a step of the controllers is about. */
  key?: { queue: string; namespace: string; name: string };
  lookAgain?: Due;
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

/** Each question with what is asked and what is answered. */
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

export type Asked = { [Name in Question]: { id: number; name: Name; ask: Questions[Name]['ask'] } }[Question];

export type Answered = { id: number; answer: Questions[Question]['answer'] } | { id: number; failed: string };

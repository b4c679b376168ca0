/** The calls of the worker and its replies. What the module sends is in `views.ts`, generated from Rust. */
import type { Changes, Diagnostic, Entry, Example, ObjectName, ScriptParts } from './views.ts';

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

/** Each question with what it takes and what it answers. */
export interface Questions {
  about: { ask: Record<never, never>; answer: About };
  check: { ask: { manifest: string }; answer: Diagnostic[] };
  checkScript: { ask: { script: string }; answer: Diagnostic[] };
  readScript: { ask: { script: string }; answer: ScriptParts };
  /** The claims of a scenario file. */
  readScenarios: { ask: { text: string }; answer: Example[] };
  writeScenario: { ask: { title: string; manifest: string; script: string }; answer: string };
  /** The actions that make one manifest out of another. */
  changes: { ask: { before: string; after: string }; answer: Changes };
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

/**
 * The values that cross the border of a component, and the functions of one.
 *
 * Written by `cargo xtask bindings` from `crates/component/wit/controllers.wit`.
 */

/** The name under which a component exports these functions. */
export const INTERFACE = 'jobsmith:controllers/manager@0.2.0';

/** A resource of the API server. */
export interface ApiResource {
  /** The API group; empty for the core group. */
  group: string;
  /** The version in it: `v1`. */
  version: string;
  /** The kind, by which its objects are named everywhere else: `Pod`. */
  kind: string;
  /** The name in paths: `pods`. */
  plural: string;
  /** Whether its objects are in namespaces. */
  namespaced: boolean;
}

/** One object of the cluster. */
export interface ObjectRef {
  /** Its kind. */
  kind: string;
  /** Its namespace. */
  namespace: string;
  /** Its name. */
  name: string;
  /** Its UID; empty where any object of this name is meant. */
  uid: string;
}

/** One object. */
export interface ClusterObject {
  /** Its kind; the text need not name it. */
  kind: string;
  /** The whole object in JSON, as the API server sent it. */
  json: string;
}

/** The object is there, in this state: it was added or modified. */
export interface ChangeApplied {
  tag: 'applied';
  val: ClusterObject;
}

/** The object is gone; this was its last state. */
export interface ChangeDeleted {
  tag: 'deleted';
  val: ClusterObject;
}

/** One change that a watch showed. */
export type Change = ChangeApplied | ChangeDeleted;

/**
 * Which part of a list it is, so that a long list need not be in memory at once.
 *
 * Parts come in their order, `first` to `last`; other events may come between. A change of the kind that comes between is taken for
 * a part of the list: a server that streams its list may show some. Until the last part the kind counts as not listed, also if it was
 * listed before: nothing is planned. What is known beyond all parts goes with the last one. A list that breaks off begins again with
 * `first` or `whole`; a part that follows none traps.
 */
export type Part =
  /** All of it. */
  | 'whole'
  /** The first of several parts. It begins a list, also after one that broke off. */
  | 'first'
  /** One that goes on after the first, with more to come. */
  | 'middle'
  /** The one that ends the list. */
  | 'last';

/** All objects of a kind, or a part of them. */
export interface Listing {
  /** The kind. */
  kind: string;
  /** Which part of the list it is. */
  part: Part;
  /** The `metadata.resourceVersion` of the list itself: all writes up to it are in the list. It matters on the last part. */
  resourceVersion: string;
  /** The objects in JSON: the list's `items`. */
  objects: string[];
}

/** The object that the server answered with, as far as it matters. All is empty where the answer held no object. */
export interface Written {
  /** Its `metadata.name`. */
  name: string;
  /** Its `metadata.uid`. */
  uid: string;
  /** Its `metadata.resourceVersion`, after the command. */
  resourceVersion: string;
  /** Whether it has a `metadata.deletionTimestamp`. */
  deleting: boolean;
}

/** One cause of a refusal: of an invalid object, one wrong field. */
export interface Cause {
  /** The `reason`, as in `FieldValueInvalid`. */
  reason: string;
  /** The `field`'s path. */
  field: string;
  /** The `message`. */
  message: string;
}

/** Why a command failed, as the `Status` object says that the server answered with. */
export interface ApiError {
  /** The HTTP status; 0 if there was no answer, so that nobody knows whether the command took effect. */
  code: number;
  /** The `reason`, as in `NotFound`; may be empty. */
  reason: string;
  /** The `message` for people. */
  message: string;
  /** The `details.causes`. */
  causes: Cause[];
}

/** It took effect: the server answered with a status below 300. */
export interface OutcomeDone {
  tag: 'done';
  val: Written;
}

/**
 * It was refused, or nobody knows what became of it. A status that the command tolerates is reported here too, with its code: the manager
 * goes on as after a success, but reports nothing as done that was not.
 */
export interface OutcomeFailed {
  tag: 'failed';
  val: ApiError;
}

/** It was not sent, because a command of an earlier batch failed with a status that it does not tolerate. */
export interface OutcomeSkipped {
  tag: 'skipped';
}

/** What came of a command. */
export type Outcome = OutcomeDone | OutcomeFailed | OutcomeSkipped;

/** What came of a plan. */
export interface Report {
  /** The plan's `id`. */
  plan: bigint;
  /** One outcome for each command of the plan, batch by batch and in their order. */
  outcomes: Outcome[];
}

/** A watch showed a change. */
export interface EventChanged {
  tag: 'changed';
  val: Change;
}

/** A complete list of a kind, or a part of one: what is known of the kind beyond all of its parts is gone. */
export interface EventListed {
  tag: 'listed';
  val: Listing;
}

/** A plan was carried out, as far as it went. */
export interface EventFinished {
  tag: 'finished';
  val: Report;
}

/** Something that happened. */
export type Event = EventChanged | EventListed | EventFinished;

/** A malformed object: not JSON, or a field that is read has another type than the API gives it. */
export interface Malformed {
  /** Its kind. */
  kind: string;
  /** `namespace/name`, as far as they can be read; otherwise empty. */
  name: string;
  /** What is wrong, and where. */
  reason: string;
}

/** An HTTP method. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A value of the header `Content-Type`. */
export type ContentType =
  /** `application/json` */
  | 'json'
  /** `application/merge-patch+json` */
  | 'merge-patch'
  /** `application/strategic-merge-patch+json` */
  | 'strategic-merge-patch';

/** One request to the API server, as it is to be sent. */
export interface Command {
  /** The HTTP method. */
  method: Method;
  /** The path from the server's root, without a query: `/apis/batch/v1/namespaces/default/jobs/pi/status`. */
  path: string;
  /** What the body is; of no meaning without one. */
  contentType: ContentType;
  /** The body in JSON; empty: none. */
  body: string;
  /** HTTP statuses that do not hold up the rest of the plan: 404 where something is to be taken away. They are reported as `failed`. */
  tolerates: Uint16Array;
}

/** What all decisions of one code have in common. */
export interface DecisionKind {
  /** Which decision, in one stable word: `BackoffLimitExceeded`. */
  code: string;
  /** The page of the Kubernetes documentation. */
  page: string;
  /** The heading on that page. */
  heading: string;
  /** Where that heading is on the web. */
  url: string;
  /** The rule of this project's specification: `J-46d`. */
  rule: string;
  /** The fields of the manifest that it rests on: `spec.backoffLimit`. */
  fields: string[];
}

/** A Kubernetes Event to record. */
export interface Notice {
  /** The object that it is about. */
  regarding: ObjectRef;
  /** The controller that reports it: `job-controller`. */
  reportingController: string;
  /** Whether its type is `Warning` rather than `Normal`. */
  warning: boolean;
  /** The reason in one word. */
  reason: string;
  /** The message. */
  message: string;
}

/** How often values fell into ranges. */
export interface Histogram {
  /** Upper bounds of the ranges, ascending, and how many values were at most as large. The last range has no bound, and holds `count`. */
  buckets: [number, bigint][];
  /** The sum of all values. */
  sum: number;
  /** How many values there were. */
  count: bigint;
}

/** A number that never falls. */
export interface MeasureCounter {
  tag: 'counter';
  val: bigint;
}

/** A number that rises and falls. */
export interface MeasureGauge {
  tag: 'gauge';
  val: bigint;
}

/** How often values fell into ranges. */
export interface MeasureHistogram {
  tag: 'histogram';
  val: Histogram;
}

/** A counted value. All samples of a family are of one case. */
export type Measure = MeasureCounter | MeasureGauge | MeasureHistogram;

/** What was counted under one set of labels. */
export interface Sample {
  /** Names and values of the labels. */
  labels: [string, string][];
  /** What was counted. */
  value: Measure;
}

/** All that is counted under one name, as Prometheus has it. */
export interface Family {
  /** The name, with its prefix and unit: `job_controller_job_syncs_total`. */
  name: string;
  /** What is counted, in a sentence. */
  help: string;
  /** One entry for each set of labels that has occurred, sorted by them. */
  samples: Sample[];
}

/** A point in time, from -9999-01-02T01:59:59Z to 9999-12-30T22:00:00.999999999Z; another one traps. */
export interface Timestamp {
  /** Seconds since 1970-01-01T00:00:00Z without leap seconds, rounded down. */
  seconds: bigint;
  /** Nanoseconds since that second: 0 to 999999999. */
  nanoseconds: number;
}

/** How long something is waited for, as far as that is known. */
export interface Period {
  /** Since when. */
  since: Timestamp | undefined;
  /** Until when. */
  until: Timestamp | undefined;
}

/** Something is done. */
export interface RoleAction {
  tag: 'action';
}

/** Something is left alone, or waited for. */
export interface RoleWait {
  tag: 'wait';
  val: Period;
}

/** Something in the object is invalid, and what it asks for is not done. */
export interface RoleInvalid {
  tag: 'invalid';
}

/** It follows from what can be seen anyway. */
export interface RoleRoutine {
  tag: 'routine';
}

/** What a decision means for what happens next. */
export type Role = RoleAction | RoleWait | RoleInvalid | RoleRoutine;

/** Plain text. */
export interface TextPartText {
  tag: 'text';
  val: string;
}

/** A point in time. */
export interface TextPartTime {
  tag: 'time';
  val: Timestamp;
}

/** A duration in milliseconds. */
export interface TextPartDuration {
  tag: 'duration';
  val: bigint;
}

/** An object of the cluster; a view writes its name. */
export interface TextPartObject {
  tag: 'object';
  val: ObjectRef;
}

/** A field of the manifest: `spec.backoffLimit`; a view writes its last name. */
export interface TextPartField {
  tag: 'field';
  val: string;
}

/** A part of a sentence. */
export type TextPart = TextPartText | TextPartTime | TextPartDuration | TextPartObject | TextPartField;

/** Yes or no. */
export interface ValueBoolean {
  tag: 'boolean';
  val: boolean;
}

/** A whole number. */
export interface ValueInteger {
  tag: 'integer';
  val: bigint;
}

/** Text. */
export interface ValueText {
  tag: 'text';
  val: string;
}

/** A point in time. */
export interface ValueTime {
  tag: 'time';
  val: Timestamp;
}

/** A duration in milliseconds. */
export interface ValueDuration {
  tag: 'duration';
  val: bigint;
}

/** An object of the cluster. */
export interface ValueObject {
  tag: 'object';
  val: ObjectRef;
}

/** A value of a decision. */
export type Value = ValueBoolean | ValueInteger | ValueText | ValueTime | ValueDuration | ValueObject;

/** A decision, for people and programs. What it has in common with others of its code, `decisionKinds` has. */
export interface Decision {
  /** Which decision, in one stable word: `BackoffLimitExceeded`. */
  code: string;
  /** What it means for what happens next. */
  role: Role;
  /** The decision in words. A view writes times by its own clock, and objects and fields as links. */
  sentence: TextPart[];
  /** The values in it, by name. */
  values: [string, Value][];
}

/** When an object is looked at again, and why. */
export interface Requeue {
  /** When. */
  at: Timestamp;
  /** Why: "the back-off ends". */
  reason: string;
}

/**
 * What to do about one object, and why.
 *
 * A batch starts only when every command of the batch before it succeeded: it is `done`, or `failed` with a status that it tolerates.
 * Within a batch commands run side by side. After a failure that is not tolerated the other commands of the batch are still carried
 * out, and those of later batches are `skipped`. A plan without commands is over when it is handed out: its outcomes need not be reported.
 */
export interface Plan {
  /** The plan's number, unique for the instance. */
  id: bigint;
  /** The controller that made it: `job`. */
  controller: string;
  /** The object that it is about. */
  object: ObjectRef;
  /** What to do; may be empty. */
  batches: Command[][];
  /** Why; not empty unless the configuration leaves decisions out, as not to act is decided too. */
  decisions: Decision[];
  /** Kubernetes Events to record, best effort: their outcome is not reported. */
  notices: Notice[];
  /** When the object is looked at again if nothing happens before. A host need not act on it: `nextWakeup` covers it. */
  requeueAt: Requeue | undefined;
}

/** When the manager wants to be asked for plans again. */
export interface Wakeup {
  /** When; it may have passed. */
  at: Timestamp;
  /** The controller that has something to do then. */
  controller: string;
  /** The object. */
  object: ObjectRef;
  /** Why. */
  reason: string;
}

/** What is decided at one moment. */
export interface Forecast {
  /** Why. */
  decisions: Decision[];
  /** The requests that would be sent, batch by batch. */
  batches: Command[][];
}

/** A decision about an object that belongs to another one. */
export interface Related {
  /** The object. */
  object: ObjectRef;
  /** The decision. */
  decision: Decision;
}

/** What is decided about an object. Nothing of it is carried out. */
export interface Explanation {
  /** The controllers that decide. */
  controllers: string[];
  /** What they decide at this moment. */
  now: Forecast;
  /** When the first of them looks at the object again, if nothing changes before. */
  requeueAt: Requeue | undefined;
  /** What it decides then; `undefined` where that depends on what becomes of the requests of this moment. */
  next: Forecast | undefined;
  /**
   * What is decided, or was, about other objects that belong to this one: of a Job, about each failed pod that is there; of a CronJob, about
   * the Job of each of its last scheduled times, the earliest first, whether it is there or not.
   */
  related: Related[];
}

/** Versions. */
export interface Versions {
  /** That of this component: `0.1.0`. */
  component: string;
  /** That of the Kubernetes that it follows: `v1.37`. */
  kubernetes: string;
  /** That of the time zone database in it: `2026b`; `undefined` if it has none. */
  timeZones: string | undefined;
}

/**
 * A controller manager: plain functions on the instance that they are called on.
 *
 * # What a host does
 *
 * 1. Make an instance, and `configure` it if the defaults are not wanted.
 * 2. List what `resources` names, and hand each list over as an event `listed`, a long one in parts as they come. Then watch each resource from its
 *    list's resource version, and hand over each change as an event `changed`. When a watch breaks, list again.
 * 3. After each event, and when a wake-up is due, call `nextPlan` until it answers `undefined`. Carry out each plan (see `plan`)
 *    while the next ones are asked for: plans are independent of each other. When a plan is done, hand over `finished`.
 * 4. Sleep until something happens, or until the time of `nextWakeup`.
 *
 * ```text
 * loop:
 *     while next-plan(now) answers a plan:   start to carry it out
 *     wait for the first of
 *         a watch shows a change:            handle(changed …, now)
 *         a plan was carried out:            handle(finished …, now)
 *         next-wakeup's time has come
 * ```
 *
 * # Order and time
 *
 * Plans follow from the configuration, the events and their times alone: the same calls have the same answers, byte for byte, on every
 * machine. `now` need not be the real time. If it goes backwards nothing breaks, but waits that are under way take longer.
 *
 * # What the instance remembers
 *
 * What the cluster stores is all that matters. An instance may be dropped at any moment, without harm to any object: the next instance is
 * handed lists, as the first one was, and goes on. What it forgets is how long it was going to back off, and its metrics begin at 0.
 *
 * # Errors
 *
 * - A malformed object is an error of `handle`, which names it. What was known of that object stays as it was. Everything else in the same event is
 *   taken in: of a list, all other objects, and the list counts as a list. If several objects of a list are malformed, the first one is named.
 * - What goes wrong in the cluster is an `outcome`, not an error.
 * - Everything else is a bug, of the component or of the host, and the instance traps: a panic is a bare trap. A trapped instance is lost:
 *   drop it, make another one, configure it alike and begin again with lists. Wait a little before, as the same lists may trap again.
 *   A host that can read the core module's exports after the trap finds the message of the panic through its global `LAST_PANIC`:
 *   it holds the address of a 32-bit little-endian length in bytes, followed by as many bytes of UTF-8. The length is 0 if
 *   the trap was no panic.
 */
export interface Manager {
  /**
   * Makes the instance as good as new, with a configuration: a JSON object, all of whose members may be left out. Each controller has a section
   * of its own. The defaults are Kubernetes'; durations are written as Go writes them:
   *
   * ```json
   * {
   *   "controllers": ["job", "cronjob", "ttl"],
   *   "decisions": "all",
   *   "job": {
   *     "name": "kubernetes.io/job-controller",
   *     "trackingFinalizer": "batch.kubernetes.io/job-tracking",
   *     "limits": {
   *       "syncBatchPeriod": "1s", "apiBackOff": "1s", "apiBackOffMax": "1m0s",
   *       "podFailureBackOff": "10s", "podFailureBackOffMax": "10m0s",
   *       "maxUncountedPods": 500, "maxPodsPerSync": 500, "slowStartBatch": 1,
   *       "expectationTimeout": "5m0s", "unansweredCreationTimeout": "30s"
   *     }
   *   },
   *   "cronjob": {"name": "kubernetes.io/job-controller", "timeZone": "UTC", "apiBackOff": "5ms", "apiBackOffMax": "16m40s"},
   *   "ttl": {"defaultTtl": null, "apiBackOff": "5ms", "apiBackOffMax": "16m40s"}
   * }
   * ```
   *
   * `decisions` says which ones plans report: `all`, or only `actions`: those with the role `action` or `invalid`. A plan that would have nothing
   * to do and nothing to report is left out. Every component takes this member and `controllers`.
   *
   * An instance that is not configured has the defaults. All that it knew is forgotten, its metrics too. It refuses text that
   * is no such object, or has a member that it does not know: its error says what is wrong, and nothing has changed.
   *
   * @throws A `string`.
   */
  configure(config: string): void;

  /** What to list and watch, under this configuration, in the order in which to list it. */
  resources(): ApiResource[];

  /**
   * Takes in one event.
   *
   * @throws {@link Malformed}
   */
  handle(event: Event, now: Timestamp): void;

  /** The next plan that is due; `undefined` if there is no more to do at this time. */
  nextPlan(now: Timestamp): Plan | undefined;

  /** When to call `nextPlan` again if nothing else happens; `undefined`: never. */
  nextWakeup(): Wakeup | undefined;

  /**
   * What is decided about an object at this moment, what is waited for, and what comes next. It changes nothing. The error says why there is no
   * answer: no controller knows the object, or something is not listed yet.
   *
   * @throws A `string`.
   */
  explain(object: ObjectRef, now: Timestamp): Explanation;

  /** All that was counted since the instance was made, and how long the queues are at this time, sorted by name. */
  metrics(now: Timestamp): Family[];

  /** All kinds of decisions that there are, by code. They do not change while the instance lives. */
  decisionKinds(): DecisionKind[];

  /** What this component is, and what it follows. */
  about(): Versions;
}

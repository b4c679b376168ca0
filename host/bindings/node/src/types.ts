/**
 * The values that cross the boundary of a component, and the functions of one.
 *
 * Written by `cargo xtask bindings` from `crates/component/wit/controllers.wit`.
 */

/** The name under which a component exports these functions. */
export const INTERFACE = 'jobsmith:controllers/manager@0.3.0';

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
 * Parts come in their order, `first` to `last`; other events may come between. A change of the kind that comes between is treated as
 * a part of the list: a server that streams its list may show some. Until the last part the kind counts as not listed, even if it was
 * listed before, and no plans are made. The last part removes the objects that were in no part. A list that is cut short starts again with
 * `first` or `whole`; `middle` or `last` without `first` traps.
 */
export type Part =
  /** All of it. */
  | 'whole'
  /** The first of several parts. It begins a list, even after one that was cut short. */
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

/** What matters of the object in the server's response. All fields are empty if the response held no object. */
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

/** One cause of a refusal: for an invalid object, one invalid field. */
export interface Cause {
  /** The `reason`, as in `FieldValueInvalid`. */
  reason: string;
  /** The `field`'s path. */
  field: string;
  /** The `message`. */
  message: string;
}

/** Why a command failed, from the `Status` object in the server's response. */
export interface ApiError {
  /** The HTTP status; 0 if there was no response, so it is unknown whether the command took effect. */
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
 * It was refused, or its outcome is unknown. A status that the command tolerates is reported here too, with its code: the manager
 * continues as after a success, but does not report the command as done.
 */
export interface OutcomeFailed {
  tag: 'failed';
  val: ApiError;
}

/** It was not sent, because a command that it depends on was skipped, or failed with a status that it did not tolerate. */
export interface OutcomeSkipped {
  tag: 'skipped';
}

/** The outcome of a command. */
export type Outcome = OutcomeDone | OutcomeFailed | OutcomeSkipped;

/** The outcome of a plan. */
export interface Report {
  /** The plan's `id`. */
  plan: bigint;
  /** One outcome for each command of the plan, batch by batch and in their order. */
  outcomes: Outcome[];
}

/** A watch showed a change. If the instance already knows this version or a newer one, it ignores the change. */
export interface EventChanged {
  tag: 'changed';
  val: Change;
}

/** A complete list of a kind, or a part of one: known objects of the kind that are in none of its parts are gone. */
export interface EventListed {
  tag: 'listed';
  val: Listing;
}

/** A plan was carried out, perhaps only in part. */
export interface EventFinished {
  tag: 'finished';
  val: Report;
}

/** Something that happened. */
export type Event = EventChanged | EventListed | EventFinished;

/** A malformed object: not JSON, or a field that is read has a different type than in the API. */
export interface Malformed {
  /** Its kind. */
  kind: string;
  /** `namespace/name` if they can be read; otherwise empty. */
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
  /** The type of the body; ignored if there is none. */
  contentType: ContentType;
  /** The body as JSON; empty if there is none. */
  body: string;
  /**
   * HTTP statuses that do not stop the commands that depend on this one: 404 where something is to be removed. They are reported as `failed`.
   */
  tolerates: Uint16Array;
  /**
   * The one command that this one depends on, by its number in the plan: the first command of the first batch is 0, and numbering continues
   * over all batches. It is in an earlier batch; any other number is a bug in the component, and this command is skipped.
   * `undefined`: it depends on every command of all batches before its own.
   */
  after: number | undefined;
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

/** How many values there were up to each bound. */
export interface Histogram {
  /** Upper bounds, ascending, and how many values are at or below each. The last bucket, `+Inf`, is left out: it equals `count`. */
  buckets: [number, bigint][];
  /** The sum of all values. */
  sum: number;
  /** How many values there were. */
  count: bigint;
}

/** A number that never decreases. */
export interface MeasureCounter {
  tag: 'counter';
  val: bigint;
}

/** A number that goes up and down. */
export interface MeasureGauge {
  tag: 'gauge';
  val: bigint;
}

/** How many values there were up to each bound. */
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

/** A point in time, from -9999-01-02T01:59:59Z to 9999-12-30T22:00:00.999999999Z; a time outside this range traps. */
export interface Timestamp {
  /** Seconds since 1970-01-01T00:00:00Z without leap seconds, rounded down. */
  seconds: bigint;
  /** Nanoseconds since that second: 0 to 999999999. */
  nanoseconds: number;
}

/** How long something is waited for, where known. */
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

/** It follows from what is already visible. */
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

/** A decision, for people and programs. `decisionKinds` has what all decisions with this code have in common. */
export interface Decision {
  /** Which decision, in one stable word: `BackoffLimitExceeded`. */
  code: string;
  /** What it means for what happens next. */
  role: Role;
  /** The decision in words. A view shows times in its own time zone, and objects and fields as links. */
  sentence: TextPart[];
  /** The values in it, by name. `verdict` is how it ends the object's work, in a few words. */
  values: [string, Value][];
}

/** When an object's next sync is due, and why. */
export interface Requeue {
  /** When. */
  at: Timestamp;
  /** Why: "the back-off ends". */
  reason: string;
}

/**
 * What to do about one object, and why.
 *
 * Batches run one after the other: one starts when the batch before it has ended. Within a batch, commands run in parallel.
 *
 * A command depends on others: on the one command that its `after` names, or else on every command of all batches before its own. It is sent
 * if all of them succeeded, that is, each is `done`, or `failed` with a status that it tolerates. Otherwise it is `skipped`. A batch
 * all of whose commands are skipped ends at once.
 *
 * ```text
 * batches: [[PATCH a, PATCH b], [DELETE a after 0, DELETE b after 1], [PUT status]]
 * PATCH a fails:  PATCH b is done, DELETE a is skipped, DELETE b is sent, PUT status is skipped
 * ```
 *
 * A plan without commands is finished when it is handed out: there are no outcomes to report.
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
  /** Why; empty only if the configuration leaves decisions out, because not acting is a decision too. */
  decisions: Decision[];
  /** Kubernetes Events to record, best effort: their outcome is not reported. */
  notices: Notice[];
  /** When the object's next sync is due if nothing happens first. A host need not act on it: `nextWakeup` covers it. */
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

/** Something that keeps an object from making progress. */
export interface Obstacle {
  /** Which obstacle, in one stable word: `Unschedulable`. */
  code: string;
  /** The objects that are stuck, by name: a Job, pods of it, or the Job of a CronJob. Of more than 20, the first 20. */
  objects: ObjectRef[];
  /** How many objects are stuck. */
  count: number;
  /** Since when, if that is known. */
  since: Timestamp | undefined;
  /** When it passes; `undefined` if that is not known, or if it does not pass by itself. */
  until: Timestamp | undefined;
  /** Whether it passes without anybody's help. */
  passes: boolean;
  /** The obstacle in words, without a full stop. */
  sentence: TextPart[];
  /** What helps on a cluster, in words; may be empty. */
  remedy: TextPart[];
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

/** What is decided about an object. None of it is carried out. */
export interface Explanation {
  /** The controllers that decide. */
  controllers: string[];
  /** The answer in one sentence: how the object ended, what it is stuck on, or what it waits for. */
  headline: TextPart[];
  /**
   * What keeps the object from making progress, the nearest cause first; empty if it has finished and is not being deleted, or if the controllers
   * act at this moment.
   */
  obstacles: Obstacle[];
  /** What they decide at this moment. */
  now: Forecast;
  /** When the first of them syncs the object again, if nothing changes before. */
  requeueAt: Requeue | undefined;
  /** What it decides then; `undefined` if that depends on the outcomes of the requests in `now`. */
  next: Forecast | undefined;
  /**
   * Decisions, present or past, about other objects that belong to this one: for a Job, each failed pod that still exists; for a CronJob,
   * the Job of each of its last scheduled times, the earliest first, even if it no longer exists.
   */
  related: Related[];
}

/** Versions. */
export interface Versions {
  /** The version of this component: `0.1.0`. */
  component: string;
  /** The version of Kubernetes that it follows: `v1.37`. */
  kubernetes: string;
  /** The version of the time zone database in it: `2026b`; `undefined` if it has none. */
  timeZones: string | undefined;
}

/**
 * A controller manager: plain functions on the instance that they are called on.
 *
 * # What a host does
 *
 * 1. Create an instance, and call `configure` if you do not want the defaults.
 * 2. List what `resources` names, and hand each list over as an event `listed`, a long one in parts as they come. Then watch each resource from its
 *    list's resource version, and hand over each change as an event `changed`. When a watch breaks, list again.
 * 3. After each event, and when a wake-up is due, call `nextPlan` until it returns `undefined`. Carry out each plan (see `plan`)
 *    while the next ones are asked for: plans are independent of each other. When a plan is done, hand over `finished`.
 * 4. Sleep until something happens, or until the time of `nextWakeup`.
 *
 * ```text
 * loop:
 *     while next-plan(now) returns a plan:   start carrying it out
 *     wait for the first of
 *         a watch shows a change:            handle(changed …, now)
 *         a plan was carried out:            handle(finished …, now)
 *         next-wakeup's time has come
 * ```
 *
 * # Order and time
 *
 * Plans depend only on the configuration, the events and their times: the same calls return the same results, byte for byte, on every
 * machine. `now` need not be the real time. If it goes backwards, nothing breaks, but waits in progress take longer.
 *
 * # What the instance remembers
 *
 * What the cluster stores is all that matters. You may drop an instance at any time without harm to any object: hand lists to the next one, as
 * you did to the first, and it continues. Only the back-off times are forgotten, unless `memory` is `rebuilt`, and the metrics start at 0.
 *
 * # Errors
 *
 * - `handle` returns an error that names the malformed object. What was known about that object does not change. Everything else in the event is
 *   handled: all other objects of a list are stored, and the kind counts as listed. If several objects of a list are malformed, the first is named.
 * - A request that fails on the cluster is an `outcome`, not an error. So is `finished` for a plan that this instance does not know: it is ignored.
 * - Everything else is a bug in the component or in the host, and the instance traps; a panic is a trap without a message. A trapped instance is
 *   lost: drop it, create another one, configure it the same way and start again with lists. Wait a little first: the same lists may trap again.
 *   A host that can read the core module's exports after the trap finds the message of the panic through its global `LAST_PANIC`:
 *   it holds the address of a 32-bit little-endian length in bytes, followed by as many bytes of UTF-8. The length is 0 if
 *   the trap was not a panic.
 */
export interface Manager {
  /**
   * Resets the instance to a configuration: a JSON object, all of whose members are optional. Each controller has a section
   * of its own. The defaults are Kubernetes'; durations are written as Go writes them:
   *
   * ```json
   * {
   *   "controllers": ["job", "cronjob", "ttl"],
   *   "decisions": "all",
   *   "memory": "empty",
   *   "job": {
   *     "name": "kubernetes.io/job-controller",
   *     "trackingFinalizer": "batch.kubernetes.io/job-tracking",
   *     "defaults": {},
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
   * Under Kubernetes' name, the controllers act for every object that names no other manager. A `name` of your own, which Jobs have in `spec.managedBy`
   * and CronJobs in the annotation `jobsmith.dev/managed-by`, makes the instance safe beside Kubernetes' controllers. Given for `job` or
   * `cronjob`, it is the default for the other too, and changes two more defaults: only controllers whose section gives such a name run, and
   * `trackingFinalizer` is `jobsmith.dev/job-tracking`. List a controller in `controllers` to run it all the same. `ttl` has no name: it deletes
   * finished Jobs no matter who manages them.
   *
   * `defaults` are annotations that every Job has unless it has one with that key itself: `{"jobsmith.dev/retry-delay": "30s"}`. All those of Jobs
   * that are about their pods can have one (X-6…X-13). A Job whose own is empty, `""`, has none.
   *
   * `decisions` says which ones plans report: `all`, or only `actions`: those with the role `action` or `invalid`. A plan that would have nothing
   * to do and nothing to report is left out. Every component takes this member and `controllers`.
   *
   * `memory` says what the instance knows of what was done before it began: `empty`: nothing, like Kubernetes' controllers after a restart, or
   * `rebuilt`: what the objects show. A Job whose pods have failed then waits for its back-off as `explain` says it does, instead of creating the
   * next pod at once. That is for a host that continues from the state of a cluster whose controllers did not restart.
   *
   * An instance that was never configured has the defaults. `configure` makes it forget everything it knew, including its metrics. It refuses
   * text that is not a JSON object or has an unknown member; the error says what is wrong, and nothing has changed.
   *
   * @throws A `string`.
   */
  configure(config: string): void;

  /** What to list and watch, under this configuration, in the order in which to list it. */
  resources(): ApiResource[];

  /**
   * Handles one event.
   *
   * @throws {@link Malformed}
   */
  handle(event: Event, now: Timestamp): void;

  /** The next plan that is due; `undefined` if there is no more to do at this time. */
  nextPlan(now: Timestamp): Plan | undefined;

  /** When to call `nextPlan` again if nothing else happens; `undefined`: never. */
  nextWakeup(): Wakeup | undefined;

  /**
   * What an object is stuck on, what is decided about it at this moment, what is waited for, and what comes next. It changes nothing.
   *
   * `warnings` are the Kubernetes Events of type `Warning` about the object and about objects that belong to it, in JSON and in any order, if the host
   * has read them: only they say why the API server refuses to create a pod, or why a volume cannot be mounted. The list may be empty.
   * The error says why there is no answer: no controller knows the object, or something is not listed yet.
   *
   * @throws A `string`.
   */
  explain(object: ObjectRef, warnings: string[], now: Timestamp): Explanation;

  /** All metrics, sorted by name: what was counted since the instance was created, and the current lengths of the queues. */
  metrics(now: Timestamp): Family[];

  /** All kinds of decisions that there are, by code. They do not change while the instance lives. */
  decisionKinds(): DecisionKind[];

  /** What this component is, and what it follows. */
  about(): Versions;
}

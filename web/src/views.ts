/** What the module sends to the page. Generated from `crates/browser` by its tests. */

/** What was played. */
export type Progress = {
/** When the session begins. */
start: string,
/** The steps, in order. */
steps: Array<Step>,
/** The outcomes of the CronJobs, and of the Jobs that no CronJob started, up to the last step: what people look for comes first. */
outcomes: Array<Outcome>,
/** Whether nothing happens any more. */
ended: boolean,
/** Whether the next thing is a run of a CronJob that is further ahead than wanted. */
paused: boolean,
/** With the first steps: what is shown above, if the session begins with a past. */
past?: Past, };

/** The outcome of a CronJob or a Job up to the last step. */
export type Outcome = { kind: 'CronJob' | 'Job', namespace: string, name: string, state: State,
/** Its outcome, when and by which decision it came about, and how many pods or runs it took: parts of a sentence, each in parts of its own. */
facts: Array<Array<Part>>,
/** The step that decided it, if there is one. */
decided: Decided | null, };

export type State = "failed" | "stuck" | "suspended" | "running" | "deleted" | "complete";

/** The step that decided an outcome, and the question that this step answers. */
export type Decided = { question: Array<Part>, step: number, };

/** What is shown above a past. */
export type Past = {
/** Up to when it is the past, in milliseconds since the beginning: the actions of the script are counted from there. */
until: number,
/** Whether it is shown step by step; for a Job without its pods, there are no steps. */
stepwise: boolean,
/** The time zone of its CronJob; if that names none, the reader's. */
zone: Zone,
/** The Job that it is about. */
job: Standing,
/** Where its pods are missing: the command that gets them. */
pods: string | null,
/** The other Jobs, the last ones first: of more than ten, the first ten. */
others: Array<Standing>,
/** How many more there are. */
more: number, };

/** How a Job stands. */
export type Standing = { state: 'failed' | 'complete' | 'stuck' | 'running', job: ObjectRef,
/** The sentence. */
parts: Array<Part>,
/** If it is a run of a CronJob. */
run?: RecordedRun,
/** What helps with that; may be empty. */
help: Array<Part>,
/** What else keeps it from making progress. */
also: Array<Array<Part>>,
/** What it is stuck on if all of that is still so later than the last time in the objects; empty if nothing. */
later: Array<Part>, };

/** A recorded run of a CronJob. */
export type RecordedRun = {
/** In milliseconds since the beginning. */
scheduledAt: number,
/** Whether it started on time, in words. */
started: string,
/** How long it took, in words. */
took: string,
/** How it ended, in words; empty while it has not. */
result: string, };

/** One step. */
export type Step = {
/** Milliseconds since the beginning. */
at: number, kind: StepKind,
/** What is seen of it. */
entries: Array<Entry>,
/** Of a plan and its outcomes: the controller that made it. */
controller?: string,
/** What a plan, or a clock change, is about. */
object?: ObjectRef,
/** What was done from outside, in the script language. */
action?: string,
/** What was done brings a fault that lasts. */
fault?: Fault,
/** On the last step of a moment: what the controllers wait for after it. */
waits?: Due | null,
/** Where they wait for no time: the sentence of what has to happen before, unless it comes from outside. */
awaits?: Array<Part>,
/** On the last step of a moment: the runs of CronJobs that came to be what they are in it. */
runs?: Array<RunView>,
/** What it brings for the times that are shown. */
clock?: ClockUpdate, pods: Array<PodView>, jobs: Array<JobView>, cronJobs: Array<CronJobView>, };

export type StepKind = "plan" | "change" | "action" | "found" | "applied" | "answers" | "clockChange" | "difference" | "complaint";

/** A time that is waited for, and why. */
export type Due = {
/** Milliseconds since the beginning. */
at: number, reason: string, };

/** A fault that lasts. */
export type Fault = { kind: 'watchDelayed' | 'watchCut' | 'controllerPaused' | 'clockAdvanced' | 'creationsRefused',
/** Milliseconds since the beginning. */
from: number,
/** When it is over, unless another one comes in its place. */
until: number, };

/** One thing that happened, in words without their time. */
export type Entry = { "type": "cronJob", text: string, } | { "type": "job", text: string,
/** Whether nothing recorded it: it is the least that must have happened. */
estimated?: boolean, } | { "type": "pod", text: string,
/** Whether nothing recorded it. */
estimated?: boolean, } | { "type": "decision" } & DecisionView | { "type": "request" } & RequestView | { "type": "event", text: string, } | { "type": "difference", text: string, } | { "type": "complaint", text: string, };

/** A request to the API server. */
export type RequestView = { text: string, method: string, path: string,
/** Its outcome: `done`, `skipped` or the error. */
outcome: string, };

/** A decision of the controllers. */
export type DecisionView = {
/** Its mark, the sentence and the rule, after what it is about where that must be named. */
text: string,
/** What it is about, where that stands before its mark: `job pi: `. */
named: string,
/** What the text has before the sentence, and after it. */
frame: [string, string], about: ObjectRef,
/** Which decision, in one stable word. */
code: string, role: Role,
/** Since when it waits, if known, in milliseconds since the beginning. */
since?: number,
/** Until when it waits. */
until?: number,
/** When the run of a CronJob was scheduled that it is about. */
run?: number,
/** If it ends its object's work: what it comes to, in a few words. */
verdict?: string,
/** The sentence. */
parts: Array<Part>,
/** The values in it, by name. Lengths of time are milliseconds. */
values: Record<string, unknown>,
/** The rule of the specification. */
rule: string,
/** The heading of the Kubernetes documentation. */
heading: string,
/** Where the heading is on the web; may be empty. */
url: string,
/** The fields of the manifest that it rests on: of a policy, the rule; of an annotation, its line, as in `metadata.annotations[KEY]:1`. */
fields: Array<string>,
/** Whether it is routine, or waits for what it waited for before. */
minor: boolean, };

/** Whether something is done (●), is left alone or waited for (○), is invalid (✗), or follows from what can be seen anyway (·). */
export type Role = "action" | "wait" | "invalid" | "routine";

/** A part of a sentence: plain text, or something else with its text. */
export type Part = string | { text: string, time: string, } | { text: string, object: ObjectRef, } | { text: string, field: string, };

/** One object of the cluster. */
export type ObjectRef = { kind: string, namespace: string, name: string, };

/** A pod after a step. */
export type PodView = { name: string, namespace: string,
/** The Job that controls it; empty if none. */
job: string, index: number | null, attempt: number, phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed', ready: boolean, deleting: boolean,
/** Whether the finalizer keeps it until its Job has counted it. */
held: boolean, restarts: number,
/** The ends of containers that are started again in it, which the step shows first. */
restarted?: Array<Restart>,
/** Until when it waits to start containers again, in milliseconds since the beginning. */
restartsAt?: number,
/** Once it has ended: of the first container that ended otherwise than with 0, or 0. */
exitCode: number | null, reason: string, gone: boolean,
/** Whether nothing recorded this of it. */
estimated?: boolean, containers: Array<ContainerView>, };

/** A container, of any sort. */
export type ContainerView = { name: string, running: boolean, };

/** The end of a container that is started again in its pod. */
export type Restart = { container: string, exitCode: number | null,
/** When it ended, in milliseconds since the beginning, and the step in which it did. */
at: number, step: number, };

/** A Job after a step. */
export type JobView = { name: string, namespace: string,
/** The CronJob that controls it; empty if none. */
cronJob: string,
/** When the run was scheduled that it is, in milliseconds since the beginning. */
scheduledAt: number | null, completionMode: string, completions: number | null, suspend: boolean, active: number, succeeded: number, failed: number,
/** Pods that have ended, and that the next write of the status counts. */
counting: Counting, terminating: number | null, conditions: Array<Condition>,
/** How it has finished; null while it has not. */
finished: Finish | null,
/** If its deletion begins in this step by a decision of the controllers: why. */
removed?: Removal,
/** Whether it is deleted some time after it has finished. */
expires: boolean, deleting: boolean, gone: boolean,
/** What the step changed of its spec and status, leaf by leaf. */
changes: Array<Change>, };

export type Condition = { type: string, status: string, reason: string, };

/** Pods on their way into the counters. */
export type Counting = { succeeded: number, failed: number, };

/** How a Job has finished. */
export type Finish = {
/** Whether it is Complete; else it is Failed. */
succeeded: boolean, reason: string,
/** In words: `Complete`, `Failed (BackoffLimitExceeded)`. */
words: string, };

/** Why the controllers deleted a Job. */
export type Removal = {
/** The field of the API that had it deleted. */
field: string,
/** The decision. */
reason: Array<Part>, };

/** A CronJob after a step. */
export type CronJobView = { name: string, namespace: string, schedule: string, timeZone: string | null,
/** The time zone that its times are in, even if it names none. */
zone: string, concurrencyPolicy: string, suspend: boolean,
/** The names of the Jobs that it counts as active. */
active: Array<string>,
/** Milliseconds since the beginning, as the next one. */
lastScheduleTime: number | null, lastSuccessfulTime: number | null,
/** The clock changes of the coming year that its schedule meets. */
clockChanges: Array<MetChange>, deleting: boolean, gone: boolean,
/** What the step changed of its spec and status, leaf by leaf. */
changes: Array<Change>, };

/** What a step brings for the times that the page shows. */
export type ClockUpdate = {
/** The time zones of CronJobs; of one that was sent before, the changes that come next. */
zones: Array<Zone>,
/** From the step on, the session shows times by this clock. */
shown?: ShownClock, };

/** The clock by which a session shows times. */
export type ShownClock = {
/** The name of its time zone. */
zone: string,
/** Whether each time has its date; otherwise, only those on other days than the first have one. */
dated: boolean, };

/** A time zone, for some years. */
export type Zone = { name: string,
/** By how many milliseconds its clock is ahead of UTC before the first change. */
offset: number,
/** In order. */
changes: Array<OffsetChange>, };

/** When the clock of a zone changes. */
export type OffsetChange = {
/** In milliseconds of the epoch. */
at: number,
/** By how many milliseconds it is ahead of UTC from then on. */
offset: number, };

/** A run that came to be what it is. */
export type RunView = {
/** The namespace and name of its CronJob. */
namespace: string, name: string,
/** When it was scheduled, in milliseconds since the beginning. */
scheduledAt: number, outcome: RunOutcome,
/** The same in words, with its reason: `Failed: BackoffLimitExceeded`, `skipped: concurrencyPolicy Forbid (C-30)`. */
words: string,
/** By how many milliseconds it started late, if it did: a start that is spread is not late. */
late: number | null,
/** The same in words: `on time`, `5 s late`; `-` if it did not start. */
started: string,
/** All runs of the CronJob until then. */
counts: RunCounts, };

/** What came of a run, in one word. */
export type RunOutcome = "succeeded" | "failed" | "replaced" | "deleted" | "skipped" | "waiting" | "running";

/** How many runs came to what. */
export type RunCounts = {
/** Those for which a Job was created. */
started: number,
/** Those for which none was, so far. */
skipped: number,
/** Those whose Job was deleted to make way for the next. */
replaced: number,
/** Those that started while the Job of another was active. */
overlapping: number, };

/** What runs came to in a piece of it. */
export type RunsAhead = {
/** Until when all runs are known, in milliseconds since the beginning; `null` if nothing happens any more. */
until: number | null,
/** The runs that came to be what they are, in order: the last of a run counts. */
runs: Array<RunAhead>, };

/** What a run came to. */
export type RunAhead = { namespace: string, name: string,
/** In milliseconds since the beginning. */
scheduledAt: number, outcome: RunOutcome,
/** Whether it started late. */
late: boolean, };

/** What a schedule says of some time, whatever comes of it. */
export type ScheduledTimes = {
/** In milliseconds since the beginning, in order. */
times: Array<number>, changes: Array<MetChange>, };

/** A clock change that a schedule meets. */
export type MetChange = {
/** In milliseconds since the beginning. */
at: number,
/** In short: `02:30 does not exist`. */
fact: string,
/** In a sentence without its end. */
words: string, };

/** One field that is another one. */
export type Change = { path: string, before: string | null, after: string | null, };

/** An object that is there. */
export type ObjectName = { kind: string, namespace: string, name: string, resourceVersion: string, };

/** What each line of a script means. */
export type ScriptParts = { rules: Array<RuleLine>, actions: Array<ActionLine>, };

export type RuleLine = {
/** The line, from 1. */
line: number, which: string, what: string, };

export type ActionLine = {
/** The line, from 1. */
line: number,
/** Milliseconds after the beginning. */
at: number, text: string, };

/** A claim of a scenario file. */
export type Example = {
/** The heading of the Kubernetes page that it belongs to. */
topic: string,
/** The claim, in one sentence. */
title: string,
/** The text of the file about the claim. */
prose: string, manifest: string,
/** Empty if there is none. */
script: string, };

/** A rule that matched no pod and no container. */
export type UnmatchedRule = {
/** Its line in the script, from 1. */
line: number,
/** In a sentence without its end, with the names that there are. */
message: string, };

/** The pod failure policy of a Job, or of the Jobs of a CronJob. */
export type FailurePolicy = { kind: 'CronJob' | 'Job', namespace: string, name: string,
/** The action of each rule, in order. */
actions: Array<string>, cases: Array<PolicyCase>,
/** Of a Job that a cluster has: the manifest of one that has yet to start. */
manifest?: string, };

/** A case in which a policy is tried. */
export type PolicyCase = {
/** What happens to the first pod, in a few words. */
title: string,
/** The same as lines of a script. */
script: string, };

/** What came of a case. */
export type PolicyTrial = {
/** The rule that matched, from 0. */
matched: number | null,
/** The rules behind it that would match if it were not there. */
hidden: Array<number>,
/** Whether a pod failed at all. */
failed: boolean, outcome: Outcome, };

/** A manifest with one change, beside the one without it. */
export type Variant = {
/** The field as it is, and as it becomes: `backoffLimit: 6` and `backoffLimit: 0`. */
titles: [string, string],
/** Of a Job that a cluster has: the manifest of one that has yet to start, which is compared in its place. */
base?: string, manifest: string,
/** Rules and actions with which the change shows, for a session that has no rules. */
script: string, };

/** The outcome of an edit. */
export type Changes = {
/** What is wrong with the manifest, or cannot be done to objects that are there. */
problems: Array<Diagnostic>,
/** The actions, in the script language. */
actions: Array<string>, };

/** Something that is wrong with a manifest or a script. */
export type Diagnostic = { severity: Severity,
/** What is wrong, in a sentence without its end. */
message: string,
/** The API field; empty for the whole object. */
path: string,
/** The line, from 1. */
line: number,
/** The column of the first character, from 1. */
column: number,
/** How many characters. */
length: number,
/** What to do. */
remedy: string | null,
/** The rule of `jobsmith lint` by which it was found, if that has a page. */
rule?: string,
/** What does it, if a change of the text can. */
repair?: Repair, };

/** A change of the text that makes a problem go away. */
export type Repair = {
/** What is done: `Move backoffLimit to spec`. */
label: string,
/** The changes of the text, which do not overlap. */
changes: Array<TextChange>, };

/** A stretch of a text that becomes another, in units of UTF-16. */
export type TextChange = { from: number, to: number, insert: string, };

/** How bad it is. */
export type Severity = "error" | "warning" | "info";

/** What a manifest comes to. */
export type Forecast = {
/** In the order of the objects. */
objects: Array<Prediction>,
/** What is accepted, and hardly does what is meant. */
advice: Array<Diagnostic>, };

/** What an object will do. */
export type Prediction = {
/** As in `job/pi`. */
name: string,
/** Lines, without their ends. */
lines: Array<string>, };

/** What is known of a field. What it means is in a file of its own, by its type and its name. */
export type FieldFacts = {
/** Its type and its name, as in `JobSpec.backoffLimit`; of an annotation its key. */
name: string,
/** What it holds, in words. */
kind: string,
/** Sentences on its default, its values, and when it may change; of an annotation, what it means. */
facts: Array<string>, };

/** What can be written at a place. */
export type Completions = {
/** The column, from 1, at which the word begins that is being written. */
column: number, options: Array<Completion>, };

/** Something that can be written. */
export type Completion = { label: string,
/** What a field holds, in words, or an annotation, by an example; empty for a value. */
detail: string,
/** The field's type and name, by which its meaning is found; empty for others. */
name: string,
/** What an annotation means; empty for others. */
meaning: string,
/** What comes behind the word: a value on its line, fields below, or items below; nothing behind a value. */
shape?: ValueShape, };

/** What the value of a field looks like. */
export type ValueShape = "scalar" | "map" | "list";

//! Planted bugs: each invariant of the simulation can fail, and notices what it is there for.
//!
//! Docs: `simulation::Violation`. The controllers without bugs are gone through in `simulation/mod.rs`.
#![expect(clippy::wildcard_enum_match_arm, reason = "each bug is in one place, and nothing is done about it elsewhere")]

use std::collections::BTreeMap;

use api::request::{Method, Outcome, Request, Written};
use api::{Duration, Kind, Text, Timestamp, time};
use contract::{
    ApiResource, Change, Command, Event, Explanation, Listing, Malformed, Manager, ObjectJson, ObjectRef, Part, Plan, Report, Wakeup,
};
use core_tests::native::Native;
use expect_test::expect;
use serde_json::{Value, json};
use simulation::{Settings, Simulation, shortest};

use super::settings;

/// How many seeds are tried with each bug.
const SEEDS: u64 = 20_000;

/// What is wrong with a manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bug {
    CountsTwice,
    FreesPodsUnrecorded,
    CreatesOneTooMany,
    CreatesForSuspended,
    ChangesItsMind,
    LeavesFinalizers,
    FailsIndexUnearned,
    ForgetsCompletedIndexes,
    SaysNonsense,
    IgnoresBackOff,
    LabelsPods,
    GivesNoReasons,
    ForgetsItsWrites,
    DropsCreations,
    FailsForNoReason,
    Oversleeps,
    TakesPartsForWholes,
    Dawdles,
    RetriesAtOnce,
    HoldsUpOthers,
    KeepsItsStart,
    DropsConditions,
    TrustsItsOwnStatus,
    TakesStrangers,
    IgnoresContainerNames,
    StartsRunsTwice,
    ForgetsRuns,
    IgnoresForbid,
    NotesUtc,
    DeletesTooEarly,
    DeletesUnseen,
    IgnoresTtl,
    KeepsHistory,
    MissesRuns,
    ForgetsActiveJobs,
    HidesObstacles,
    PromisesTooMuch,
    GrowsItsLabels,
    ForgetsRuleDelays,
    CountsAttemptsTwice,
    JudgesItsOwnDeletions,
    IgnoresHolds,
}

/// Each bug, and the invariant that notices it.
const BUGS: [(Bug, &str); 42] = [
    (Bug::CountsTwice, "W1"),
    (Bug::FreesPodsUnrecorded, "W2"),
    (Bug::CreatesOneTooMany, "W3"),
    (Bug::CreatesForSuspended, "W3"),
    (Bug::ChangesItsMind, "W4"),
    (Bug::LeavesFinalizers, "W5"),
    (Bug::FailsIndexUnearned, "W6"),
    (Bug::ForgetsCompletedIndexes, "W9"),
    (Bug::SaysNonsense, "W10"),
    (Bug::IgnoresBackOff, "W11"),
    (Bug::LabelsPods, "W12"),
    (Bug::GivesNoReasons, "W13"),
    (Bug::ForgetsItsWrites, "W14"),
    (Bug::TakesPartsForWholes, "W15"),
    (Bug::Dawdles, "W11"),
    (Bug::RetriesAtOnce, "W16"),
    (Bug::HoldsUpOthers, "W17"),
    (Bug::KeepsItsStart, "L1"),
    (Bug::DropsConditions, "W12"),
    (Bug::TrustsItsOwnStatus, "L1"),
    (Bug::TakesStrangers, "W12"),
    (Bug::IgnoresContainerNames, "L1"),
    (Bug::DropsCreations, "L1"),
    (Bug::FailsForNoReason, "L1"),
    (Bug::Oversleeps, "L1"),
    (Bug::StartsRunsTwice, "W7"),
    (Bug::ForgetsRuns, "W7"),
    (Bug::IgnoresForbid, "W7"),
    (Bug::NotesUtc, "W7"),
    (Bug::DeletesTooEarly, "W8"),
    (Bug::DeletesUnseen, "W8"),
    (Bug::IgnoresTtl, "L1"),
    (Bug::KeepsHistory, "L1"),
    (Bug::MissesRuns, "L1"),
    (Bug::ForgetsActiveJobs, "L1"),
    (Bug::HidesObstacles, "W18"),
    (Bug::PromisesTooMuch, "W18"),
    (Bug::GrowsItsLabels, "W19"),
    (Bug::ForgetsRuleDelays, "W19"),
    (Bug::CountsAttemptsTwice, "W19"),
    (Bug::JudgesItsOwnDeletions, "W19"),
    (Bug::IgnoresHolds, "W19"),
];

#[test]
fn each_planted_bug_is_noticed() {
    for (bug, invariant) in BUGS {
        let rules = bug >= Bug::GrowsItsLabels;
        let cron_jobs = bug >= Bug::StartsRunsTwice && !rules;
        let settings = Settings { lists_in_parts: bug == Bug::TakesPartsForWholes, cron_jobs, rules, ..settings(1) };
        let violation = |seed| Simulation::new(seed, Spoiled::new(bug), settings).run().err();
        let noticed = (0..SEEDS)
            .find_map(|seed| violation(seed).filter(|violation| violation.invariant == invariant).map(|violation| (seed, violation)));
        let (seed, violation) = noticed.unwrap_or_else(|| panic!("{invariant} does not notice that a manager {bug:?}"));
        println!("{bug:?}: seed {seed}: {violation}");
    }
}

#[test]
fn a_failure_is_reported_in_its_shortest_form() {
    let failure = (0..SEEDS).find_map(|seed| shortest(seed, settings(1), || Spoiled::new(Bug::CreatesOneTooMany)));
    expect![[r#"
        seed 0: W3: 2 pods of job a are active or terminating, parallelism is 1: a-00001, a-00002
        1 of 26 moves are enough:
             0:00 SOMEBODY creates a job {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a"},"spec":{"podReplacementPolicy":"Failed","template":{"spec":{"containers":[{"image":"none","name":"work"},{"image":"none","name":"side"}],"restartPolicy":"Never","terminationGracePeriodSeconds":1}}}}
             0:00 job a: created
             0:00 all is calm from here on
             0:00 the manager lists all of kind CronJob
             0:00 the manager lists all of kind Job
             0:00 the manager lists all of kind Pod
             0:00 plan 1 for job a: 3 commands in 3 batches
             0:00     ● Starting the Job: startTime is set (J-46)
             0:00     ● Creating 1 pod: 0 active, 1 wanted (J-83)
             0:00     · Writing the status: 1 active, 0 ready, 0 terminating (J-50)
             0:00 plan 1 creates a pod: done, a-00001 is at version 2
             0:00 pod a-00001 Pending
             0:00 plan 1 writes the status of job a {"active":1,"ready":0,"startTime":"2026-01-02T12:00:00Z","terminating":0,"uncountedTerminatedPods":{}}: done, a is at version 3
             0:00 plan 1 creates a pod: done, a-00002 is at version 4
             0:00 pod a-00002 Pending
    "#]].assert_eq(&failure.expect("the bug is noticed").to_string());
}

/// The controllers with a bug.
struct Spoiled {
    native: Native,
    bug: Bug,
    /// The last creation of a pod that they planned, and for which Job.
    creation: Option<(ObjectRef, Command)>,
    /// The last status that they wrote of each Job, by its name.
    statuses: BTreeMap<String, Value>,
}

impl Spoiled {
    fn new(bug: Bug) -> Self {
        Self { native: Native::default(), bug, creation: None, statuses: BTreeMap::new() }
    }

    /// Puts the bug into a plan. Commands stay in their places, as outcomes belong to them; more may follow.
    fn spoil(&mut self, plan: &mut Plan) {
        let decided = |code: &str| plan.decisions.iter().any(|decision| decision.code() == code);
        let more = match self.bug {
            Bug::CreatesForSuspended => decided("StaysSuspended"),
            Bug::IgnoresBackOff => decided("BacksOff"),
            Bug::CreatesOneTooMany => decided("Creates"),
            Bug::RetriesAtOnce => decided("RetryAhead"),
            _ => false,
        };
        let twice = self.bug == Bug::StartsRunsTwice && &*plan.controller == "cronjob";
        let frees = plan.batches.iter().flatten().any(|command| command.request.method == Method::Patch);
        for command in plan.batches.iter_mut().flatten() {
            if self.bug == Bug::HoldsUpOthers {
                command.after = None;
            }
            match command.request.method {
                Method::Post => {
                    if self.bug == Bug::NotesUtc {
                        edit(command, |job| note_in_utc(&mut job["metadata"]["annotations"]));
                    }
                    edit(command, |pod| self.spoil_pod(&mut pod["metadata"]));
                    self.creation = Some((plan.object.clone(), command.clone()));
                }
                Method::Put => {
                    edit(command, |job| self.spoil_status(&mut job["status"], plan.id));
                    let job: Value = serde_json::from_str(&command.request.body).expect("a body is JSON");
                    self.statuses.insert(plan.object.name.to_string(), job["status"].clone());
                }
                Method::Patch if self.bug == Bug::LabelsPods => edit(command, |pod| pod["metadata"]["labels"] = json!({"seen": "yes"})),
                Method::Delete if self.bug == Bug::DeletesUnseen && &*plan.controller == "ttl" => {
                    edit(command, |options| options["preconditions"] = Value::Null);
                }
                Method::Get | Method::Patch | Method::Delete => {}
            }
            let dropped = match command.request.method {
                Method::Post => self.bug == Bug::DropsCreations,
                Method::Put => self.bug == Bug::FreesPodsUnrecorded && frees,
                Method::Patch => self.bug == Bug::LeavesFinalizers && &*plan.controller == "job_orphan_pod",
                Method::Get | Method::Delete => false,
            };
            if dropped {
                command.request = Request::read(Kind::Job, &plan.object.namespace, &plan.object.name);
            }
        }
        let creation = self.creation.iter().filter(|(object, _)| more && *object == plan.object);
        plan.batches.extend(creation.map(|(_, creation)| vec![creation.clone()]));
        let starts = plan.commands().find(|command| twice && command.request.method == Method::Post).cloned();
        plan.batches.extend(starts.map(|mut again| {
            edit(&mut again, |job| {
                job["metadata"]["name"] = json!(format!("{}-again", job["metadata"]["name"].as_str().unwrap_or_default()))
            });
            vec![again]
        }));
        if self.bug == Bug::GivesNoReasons {
            plan.decisions.clear();
        }
    }

    /// Puts the bug into a status that is to be written.
    fn spoil_status(&self, status: &mut Value, plan: u64) {
        let number = |field: &Value| field.as_u64().unwrap_or(0);
        match self.bug {
            Bug::CountsTwice if number(&status["failed"]) > 0 => status["failed"] = json!(number(&status["failed"]) + 1),
            Bug::ChangesItsMind => {
                for condition in status["conditions"].as_array_mut().into_iter().flatten() {
                    condition["message"] = json!(format!("written by plan {plan}"));
                }
            }
            Bug::FailsIndexUnearned if status["failedIndexes"] == "" && status["completedIndexes"].is_null() => {
                status["failedIndexes"] = json!("0")
            }
            Bug::ForgetsCompletedIndexes if plan.is_multiple_of(3) && status["completedIndexes"].is_string() => {
                (status["completedIndexes"], status["succeeded"]) = (json!(""), json!(0));
            }
            Bug::ForgetsRuns => drop(status.as_object_mut().and_then(|status| status.remove("lastScheduleTime"))),
            Bug::SaysNonsense => status["active"] = json!(-1),
            Bug::KeepsItsStart if status["startTime"].is_string() => status["startTime"] = json!("2026-01-02T12:00:00Z"),
            Bug::DropsConditions => {
                status["conditions"].as_array_mut().into_iter().for_each(|conditions| {
                    conditions.retain(|condition| condition["type"] != "example.com/Seen");
                });
            }
            Bug::FailsForNoReason if status["conditions"].is_null() => {
                status["conditions"] = json!([{
                    "type": "FailureTarget", "status": "True", "reason": "BackoffLimitExceeded", "message": "it looks bad",
                    "lastProbeTime": status["startTime"], "lastTransitionTime": status["startTime"],
                }]);
            }
            _ => {}
        }
    }

    /// Puts the bug into the metadata of a pod that is to be created.
    fn spoil_pod(&self, metadata: &mut Value) {
        let attempt = metadata["annotations"]["jobsmith.dev/attempt"].as_str().and_then(|attempt| attempt.parse::<u32>().ok());
        let Some(attempt) = attempt.filter(|attempt| *attempt > 1) else { return };
        match self.bug {
            Bug::GrowsItsLabels => metadata["labels"]["attempt"] = json!(attempt.to_string()),
            Bug::CountsAttemptsTwice => metadata["annotations"]["jobsmith.dev/attempt"] = json!((2 * attempt).to_string()),
            _ => {}
        }
    }

    /// Puts the bug into an object as the controllers see it.
    fn spoil_object(&self, kind: &str, text: &Text) -> Text {
        let mut object: Value = serde_json::from_str(text).expect("an object is JSON");
        let name = object["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        match self.bug {
            Bug::TrustsItsOwnStatus if kind == Kind::Job.name() => {
                if let Some(own) = self.statuses.get(&name) {
                    object["status"] = own.clone();
                }
            }
            Bug::TakesStrangers => {
                for owner in object["metadata"]["ownerReferences"].as_array_mut().into_iter().flatten() {
                    if owner["kind"] == "ReplicaSet" {
                        let job = format!("job-{}-1", owner["name"].as_str().unwrap_or_default());
                        (owner["apiVersion"], owner["kind"], owner["uid"]) = (json!("batch/v1"), json!("Job"), json!(job));
                    }
                }
            }
            Bug::IgnoresContainerNames => {
                for rule in object["spec"]["podFailurePolicy"]["rules"].as_array_mut().into_iter().flatten() {
                    rule["onExitCodes"].as_object_mut().map(|codes| codes.remove("containerName"));
                }
            }
            Bug::ForgetsRuleDelays => {
                let rules = &mut object["metadata"]["annotations"]["jobsmith.dev/on-failure"];
                let Some(text) = rules.as_str() else { return text.clone() };
                *rules = json!(text.replace(" after 40s", ""));
            }
            Bug::JudgesItsOwnDeletions if kind == Kind::Pod.name() && object["metadata"]["deletionTimestamp"].is_string() => {
                let disrupted = json!({"type": "DisruptionTarget", "status": "True", "reason": "DeletedByUs"});
                object["status"]["conditions"].as_array_mut().into_iter().for_each(|conditions| conditions.push(disrupted.clone()));
            }
            Bug::IgnoresHolds if object["metadata"]["annotations"]["jobsmith.dev/hold"].is_string() => {
                object["metadata"]["annotations"]["jobsmith.dev/hold"] = json!("false");
            }
            Bug::IgnoresForbid if kind == Kind::CronJob.name() => object["spec"]["concurrencyPolicy"] = json!("Allow"),
            Bug::DeletesTooEarly if object["spec"]["ttlSecondsAfterFinished"].is_number() => {
                object["spec"]["ttlSecondsAfterFinished"] = json!(0);
            }
            Bug::IgnoresTtl => object["spec"]["ttlSecondsAfterFinished"] = Value::Null,
            Bug::KeepsHistory if kind == Kind::CronJob.name() => object["spec"]["successfulJobsHistoryLimit"] = Value::Null,
            Bug::MissesRuns if kind == Kind::CronJob.name() => object["spec"]["suspend"] = json!(true),
            Bug::ForgetsActiveJobs if kind == Kind::CronJob.name() => object["status"]["active"] = Value::Null,
            _ => return text.clone(),
        }
        object.to_string().into()
    }
}

impl Manager for Spoiled {
    fn resources(&mut self) -> Vec<ApiResource> {
        self.native.resources()
    }

    fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), Malformed> {
        let spoil = |object: ObjectJson| ObjectJson { json: self.spoil_object(&object.kind, &object.json), ..object };
        let event = match event {
            Event::Changed(Change::Applied(json)) => Event::Changed(Change::Applied(spoil(json))),
            Event::Listed(Listing { kind, part, resource_version, objects }) if self.bug != Bug::TakesPartsForWholes => {
                let objects = objects.iter().map(|text| self.spoil_object(&kind, text)).collect();
                Event::Listed(Listing { kind, part, resource_version, objects })
            }
            Event::Finished(Report { plan, outcomes }) if self.bug == Bug::ForgetsItsWrites => {
                Event::Finished(Report { plan, outcomes: outcomes.into_iter().map(without_version).collect() })
            }
            Event::Listed(Listing { kind, part: _, resource_version, objects }) if self.bug == Bug::TakesPartsForWholes => {
                Event::Listed(Listing { kind, part: Part::Whole, resource_version, objects })
            }
            event => event,
        };
        self.native.handle(event, now)
    }

    fn next_plan(&mut self, now: Timestamp) -> Option<Plan> {
        let mut plan = self.native.next_plan(now)?;
        self.spoil(&mut plan);
        Some(plan)
    }

    fn explain(&mut self, object: &ObjectRef, warnings: &[Text], now: Timestamp) -> Result<Explanation, String> {
        let mut explanation = self.native.explain(object, warnings, now)?;
        match self.bug {
            Bug::HidesObstacles => explanation.obstacles.retain(|obstacle| &*obstacle.code != "Suspended"),
            Bug::PromisesTooMuch => {
                for until in explanation.obstacles.iter_mut().filter_map(|obstacle| obstacle.until.as_mut()) {
                    *until = time::after(*until, Duration::from_secs(-5));
                }
            }
            _ => {}
        }
        Ok(explanation)
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        let mut wakeup = self.native.next_wakeup().filter(|_| self.bug != Bug::Oversleeps)?;
        if self.bug == Bug::Dawdles {
            wakeup.at = time::after(wakeup.at, Duration::from_hours(1));
        }
        Some(wakeup)
    }

    fn restart(&mut self) {
        self.native.restart();
    }
}

fn edit(command: &mut Command, change: impl FnOnce(&mut Value)) {
    let mut body: Value = serde_json::from_str(&command.request.body).expect("a body is JSON");
    change(&mut body);
    command.request.body = body.to_string();
}

/// The scheduled time of a run, in UTC.
fn note_in_utc(annotations: &mut Value) {
    let noted = &mut annotations["batch.kubernetes.io/cronjob-scheduled-timestamp"];
    if let Some(at) = noted.as_str().and_then(|at| at.parse::<Timestamp>().ok()) {
        *noted = json!(time::text(at));
    } else {
        annotations.as_object_mut().into_iter().for_each(|annotations| annotations.retain(|_, value| !value.is_null()));
    }
}

fn without_version(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Done(written) => Outcome::Done(Written { resource_version: String::new(), ..written }),
        Outcome::Failed(_) | Outcome::Skipped => outcome,
    }
}

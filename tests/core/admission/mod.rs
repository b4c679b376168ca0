//! Admission of Jobs and CronJobs: defaults, preparation and validation are upstream's, error by error.
//!
//! Docs: Jobs, "Writing a Job spec" (A-13…A-149). Requests are made up in `admission/requests.rs`; those that need thought are in `admission/cases.rs`.
//! CronJobs are compared in `admission/cron_jobs.rs`, and what is about pod templates in `admission/pods/`.

mod cases;
mod choices;
mod cron_jobs;
mod gates;
mod mutability;
mod pods;
mod ranges;
mod requests;

use admission::defaults;
use admission::validation;
use api::Job;
use cluster::rng::Rng;
use core_tests::built;
use core_tests::native::Native;
use core_tests::oracle::Oracle;
use core_tests::summary::{grouped, print};
use core_tests::texts::without_composite;
use protocol::Session;
use serde_json::{Map, Value, json};

use requests::{edited, edits};

/// How many requests of each kind are made up.
const REQUESTS: u64 = 5_000;

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn creations_are_admitted_as_upstream_does() {
    let mut oracle = Oracle::start();
    let mut compared = Compared::new();
    for edits in cases::CREATIONS {
        compared.creation(&mut oracle, &edited(&requests::plain(), edits));
    }
    for edits in cases::large() {
        compared.creation(&mut oracle, &edited(&requests::plain(), &edits));
    }
    for seed in 0..REQUESTS {
        let mut dice = Rng::new(seed);
        let job = requests::job(&mut dice);
        let edits = edits(&mut dice, choices::FIELDS);
        compared.creation(&mut oracle, &edited(&job, &edits));
    }
    compared.print("creations");
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn updates_are_admitted_as_upstream_does() {
    let mut oracle = Oracle::start();
    let mut compared = Compared::new();
    for (before, edits) in cases::UPDATES {
        let stored = edited(&requests::stored(&mut oracle, &requests::plain()), before);
        compared.update(&mut oracle, &stored, &edited(&stored, edits));
    }
    for seed in 0..REQUESTS {
        let mut dice = Rng::new(seed);
        let job = requests::job(&mut dice);
        let stored = requests::stored(&mut oracle, &job);
        let stored = edited(&stored, &edits(&mut dice, choices::STATUSES));
        let edits = edits(&mut dice, choices::FIELDS);
        compared.update(&mut oracle, &stored, &edited(&stored, &edits));
    }
    compared.print("updates");
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn status_writes_are_admitted_as_upstream_does() {
    let mut oracle = Oracle::start();
    let mut compared = Compared::new();
    for (before, edits) in cases::STATUS_WRITES {
        let stored = edited(&requests::stored(&mut oracle, &requests::plain()), before);
        compared.status_write(&mut oracle, &stored, &edited(&stored, edits));
    }
    for seed in 0..REQUESTS {
        let mut dice = Rng::new(seed);
        let job = requests::job(&mut dice);
        let stored = requests::stored(&mut oracle, &job);
        let stored = edited(&edited(&stored, &edits(&mut dice, choices::STATUSES)), &edits(&mut dice, choices::STATUSES));
        let edits = edits(&mut dice, choices::STATUSES);
        compared.status_write(&mut oracle, &stored, &edited(&stored, &edits));
    }
    compared.print("status writes");
}

/// What of the metadata the API server restores before it validates is compared without that.
#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn system_fields_are_immutable() {
    let mut oracle = Oracle::start();
    for (before, edits) in cases::SYSTEM_FIELDS {
        let stored = edited(&requests::stored(&mut oracle, &requests::plain()), before);
        let new = edited(&stored, edits);
        for (operation, validate) in
            [("update", validation::job_update::update as fn(&Job, &Job) -> _), ("status", validation::job_status::update)]
        {
            let answer = oracle.request(&json!({"op": operation, "old": stored, "object": new}));
            let ours: Vec<String> = validate(&read(&new), &read(&stored)).iter().map(ToString::to_string).collect();
            let (ours, theirs) = (comparable(errors(&json!({"errors": ours})), operation), comparable(errors(&answer), operation));
            assert_eq!(ours, theirs, "{operation} of {stored}\nto {new}");
        }
    }
}

/// How many requests were compared, and how many of them were refused.
struct Compared {
    /// What answers `jobsmith step`.
    session: Session<Native>,
    requests: usize,
    refused: usize,
    errors: usize,
    warnings: usize,
}

impl Compared {
    fn new() -> Self {
        Self { session: Session::new(Native::default()), requests: 0, refused: 0, errors: 0, warnings: 0 }
    }

    fn creation(&mut self, oracle: &mut Oracle, object: &Value) {
        self.compare(oracle, &json!({"op": "create", "object": object}));
    }

    fn update(&mut self, oracle: &mut Oracle, stored: &Value, object: &Value) {
        self.compare(oracle, &json!({"op": "update", "old": stored, "object": object}));
    }

    fn status_write(&mut self, oracle: &mut Oracle, stored: &Value, object: &Value) {
        self.compare(oracle, &json!({"op": "status", "old": stored, "object": object}));
    }

    /// Compares the answers to a request: the errors, or else the warnings and the admitted object. An answer without either is a failure.
    fn compare(&mut self, oracle: &mut Oracle, question: &Value) {
        let [mut theirs, mut ours] = [oracle.request(question), self.answer(question)];
        self.requests += 1;
        assert_eq!(ours["error"], Value::Null, "{question}");
        // An Indexed Job with a success policy and without completions is refused here; upstream's server panics.
        if theirs["error"].as_str().is_some_and(|error| error.contains("nil pointer")) {
            assert!(
                texts(&ours, "errors").iter().any(|error| error.contains("spec.completions")),
                "{question}\nupstream panics, ours: {ours}"
            );
            return;
        }
        assert_eq!(theirs["error"], Value::Null, "{question}");
        let operation = question["op"].as_str().expect("it is text");
        let [our_errors, their_errors] = [&ours, &theirs].map(|answer| comparable(errors(answer), operation));
        assert!(our_errors == their_errors, "{question}\nours: {our_errors:#?}\nupstream's: {their_errors:#?}");
        self.errors += our_errors.len();
        // v1.36 refuses some updates that v1.37 admits.
        if errors(&ours).is_empty() && errors(&theirs).is_empty() {
            let [our_warnings, their_warnings] = [&ours, &theirs].map(|answer| texts(answer, "warnings"));
            self.warnings += our_warnings.len();
            assert_eq!(our_warnings, their_warnings, "{question}");
            let [ours, theirs] = [plain_object(ours["object"].take()), plain_object(as_read(theirs["object"].take()))];
            assert!(ours == theirs, "{question}\nours: {ours:#}\nupstream's: {theirs:#}");
        } else {
            self.refused += 1;
        }
    }

    /// What `jobsmith step` answers.
    fn answer(&mut self, question: &Value) -> Value {
        let answer = self.session.serve(&question.to_string());
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{answer}: {error}"))
    }

    fn print(&self, what: &str) {
        let [requests, refused, errors, warnings] =
            [self.requests, self.refused, self.errors, self.warnings].map(|number| grouped(number as u64));
        print(&format!(
            "admission: {requests} {what} compared, {refused} of them refused with {errors} errors, others admitted with {warnings} warnings"
        ));
    }
}

/// The Job as the API server reads it from storage.
fn read(object: &Value) -> Job {
    let mut job: Job = serde_json::from_value(object.clone()).unwrap_or_else(|error| panic!("{object}: {error}"));
    defaults::apply(&mut job);
    job
}

/// The errors of an answer, as both word them.
fn errors(answer: &Value) -> Vec<String> {
    let mut errors: Vec<_> = texts(answer, "errors").iter().map(|error| without_composite(error)).collect();
    errors.sort();
    errors
}

fn texts(answer: &Value, field: &str) -> Vec<String> {
    answer[field].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The errors of an operation that are compared. With v1.36 those are left out that v1.37 does not report on updates or words differently, and each is
/// there once: v1.36 reports those of the spec twice on updates.
fn comparable(mut texts: Vec<String>, operation: &str) -> Vec<String> {
    if built::kubernetes() == "1.36" {
        texts.iter_mut().for_each(|text| *text = text.replace("securityContext.shareProcessNamespace", "shareProcessNamespace"));
        texts.dedup();
        texts.retain(|text| {
            !text.starts_with("metadata.ownerReferences") && (operation == "create" || !ON_CREATION.iter().any(|part| text.contains(part)))
        });
    }
    texts
}

/// Parts of the errors that v1.36 reports on updates too, and v1.37 only on creation, or the other way round.
const ON_CREATION: [&str; 10] = [
    "RFC 1123",
    "must be no more than",
    "metadata.name: Required",
    "metadata.generateName: ",
    "metadata.namespace: ",
    "metadata.uid: Required",
    "metadata.generation: Invalid value: -",
    "metadata.finalizers: Invalid",
    "spec.template.metadata.labels[",
    "`selector` not auto-generated",
];

/// A Job with the label defaults that it gets when it is read from storage; a CronJob has no more.
fn as_read(mut job: Value) -> Value {
    if job["kind"] == "Job" && job["metadata"]["labels"].as_object().is_none_or(Map::is_empty) {
        job["metadata"]["labels"] = job["spec"]["template"]["metadata"]["labels"].clone();
    }
    job
}

/// Objects that are the same as nothing when they are empty.
const NOTHING_IF_EMPTY: [&str; 3] = ["annotations", "labels", "status"];

/// An object without what encoders differ in: `null`, empty lists, and the objects that are there only because they cannot be absent.
fn plain_object(object: Value) -> Value {
    let Value::Object(fields) = object else { return object };
    let plain = fields.into_iter().filter_map(|(field, value)| match (field.as_str(), value) {
        ("kind" | "apiVersion" | "creationTimestamp", Value::String(_)) | (_, Value::Null) => None,
        (_, Value::Array(items)) if items.is_empty() => None,
        (_, Value::Array(items)) => Some((field, items.into_iter().map(plain_object).collect())),
        (_, value) => Some((field, plain_object(value))),
    });
    plain.filter(|(field, value)| !NOTHING_IF_EMPTY.contains(&field.as_str()) || *value != json!({})).collect()
}

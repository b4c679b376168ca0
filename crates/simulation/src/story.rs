//! The story of a simulation, for people: what happened, what was decided, what was written.
//!
//! Docs: the lines about Jobs and pods are those of `play::trace`.

use api::Timestamp;
use api::request::{Method, Outcome, Request};
use cluster::apiserver::{Target, Write};
use cluster::stored::Stored;
use contract::{Command, Plan};
use play::trace::{Clock, Trace, Transcript};
use play::world::turn::Effect;

use crate::faults::RequestFault;
use crate::interventions::Intervention;

/// What happened, line by line.
#[derive(Debug)]
pub(crate) struct Story {
    clock: Clock,
    trace: Trace,
    transcript: Transcript,
    lines: Vec<String>,
}

impl Story {
    /// A story that begins at this time.
    pub(crate) fn new(start: Timestamp) -> Self {
        Self { clock: Clock { start }, trace: Trace::default(), transcript: Transcript::new(start), lines: Vec::new() }
    }

    /// The lines so far.
    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Adds a line.
    pub(crate) fn push(&mut self, at: Timestamp, what: &str) {
        self.lines.push(format!("{:>7} {what}", self.clock.time(at)));
    }

    /// A watch shows an object.
    pub(crate) fn shows(&mut self, object: &Stored, gone: bool, at: Timestamp) {
        let metadata = object.metadata();
        let (kind, name, version) = (object.kind().name(), &metadata.name, &metadata.resource_version);
        let state = object.pod().map_or("", |pod| pod.status.phase());
        let deleting = if metadata.deleting() { ", being deleted" } else { "" };
        let gone = if gone { ", gone" } else { "" };
        self.push(at, &format!("the {kind} watch shows {name} at version {version} {state}{deleting}{gone}"));
    }

    /// The manager has a plan.
    pub(crate) fn plans(&mut self, plan: &Plan, at: Timestamp) {
        let (id, commands, batches) = (plan.id, plan.commands().count(), plan.batches.len());
        self.push(at, &format!("plan {id} for {} {}: {commands} commands in {batches} batches", plan.controller, plan.object.name));
        for decision in &plan.decisions {
            self.push(at, &format!("    {}", self.clock.decision(decision)));
        }
    }

    /// A command is carried out, or not.
    pub(crate) fn sends(&mut self, plan: u64, command: &Command, fault: Option<RequestFault>, outcome: &Outcome, at: Timestamp) {
        let request = &command.request;
        let became = match (fault, outcome) {
            (Some(fault), _) => format!("FAULT: {}", fault.name()),
            (None, Outcome::Done(written)) => format!("done, {} is at version {}", written.name, written.resource_version),
            (None, Outcome::Failed(error)) => format!("refused, {} {}", error.code, error.message),
            (None, Outcome::Skipped) => "skipped".to_owned(),
        };
        let body = match request.method {
            Method::Put => status_in(&request.body),
            Method::Patch => format!(" {}", request.body),
            Method::Get | Method::Post | Method::Delete => String::new(),
        };
        self.push(at, &format!("plan {plan} {}{body}: {became}", described(request)));
    }

    /// A person does something.
    pub(crate) fn acts(&mut self, intervention: &Intervention, refused: Option<&str>, at: Timestamp) {
        let refused = refused.map(|error| format!(": refused, {error}")).unwrap_or_default();
        self.push(at, &format!("SOMEBODY {intervention}{refused}"));
    }

    /// Something was written.
    pub(crate) fn writes(&mut self, write: &Write, at: Timestamp) {
        let effect = Effect::Written(write.clone());
        for entry in self.trace.entries(&[effect], at) {
            self.lines.push(self.transcript.text(&entry));
        }
    }
}

/// What a request is for, in words.
pub(crate) fn described(request: &Request) -> String {
    let Some(target) = Target::read(&request.path) else { return format!("requests {}", request.path) };
    let (kind, name) = (target.kind.name().to_lowercase(), target.name);
    match request.method {
        Method::Post => format!("creates a {kind}"),
        Method::Put => format!("writes the status of {kind} {name}"),
        Method::Get => format!("reads {kind} {name}"),
        Method::Patch => format!("changes {kind} {name}"),
        Method::Delete => format!("deletes {kind} {name}"),
    }
}

/// The status that a request writes.
fn status_in(body: &str) -> String {
    let body: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
    format!(" {}", body["status"])
}

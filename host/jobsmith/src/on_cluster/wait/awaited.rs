//! A Job that is waited for: how it ended, what it is stuck on, and since when.
//!
//! Docs: `jobsmith wait --help`; `crates/component/wit/controllers.wit`, `obstacle`. What the cluster shows is received in `mod.rs`.

use std::time::Duration;

use api::{Job, Kind, Object, Text, Timestamp};
use contract::{Change, Event, Explanation, Listing, ObjectJson};
use jiff::tz::TimeZone;

use super::super::explain::clock;
use super::super::target::ObjectTarget;
use crate::{CommandEnd, output};

/// How long a Job gets on before what it was stuck on counts as gone: a container that crashes runs now and then.
const RECOVERED: Duration = Duration::from_secs(60);

/// A Job that is waited for.
pub(super) struct AwaitedJob {
    target: ObjectTarget,
    /// The Job as it was seen last.
    pub(super) job: Job,
    /// How it ended.
    pub(super) end: Option<CommandEnd>,
    gone: bool,
    /// Whether a list that is being received has had it.
    listed: bool,
    explanation: Option<Explanation>,
    /// The obstacles that were printed last.
    printed: Vec<Text>,
    stuck: Option<Stuck>,
}

/// An obstacle that does not pass by itself.
struct Stuck {
    code: Text,
    since: Timestamp,
    seen_at: Timestamp,
}

impl AwaitedJob {
    pub(super) fn new(target: ObjectTarget, job: Job) -> Self {
        Self { target, job, end: None, gone: false, listed: false, explanation: None, printed: Vec::new(), stuck: None }
    }

    /// Whether it has ended; prints how when it has.
    pub(super) fn over(&mut self) -> bool {
        if self.end.is_none() && self.job.finished() {
            let condition = self.job.finished_by();
            let how = condition.map(|condition| format!("{}: {}: {}", condition.kind, condition.reason, condition.message));
            output::text(&format!("{} is {}\n", self.target, how.unwrap_or_default().trim_end_matches([' ', ':'])));
            self.end = Some(CommandEnd::of(&self.job));
        } else if self.end.is_none() && self.gone {
            output::error(&format!("{} was deleted before it finished", self.target));
            self.end = Some(CommandEnd::Failed);
        }
        self.end.is_some()
    }

    /// Handles what the cluster shows.
    pub(super) fn handle(&mut self, event: &Event) {
        match event {
            Event::Changed(Change::Applied(object)) => drop(self.apply(object)),
            Event::Changed(Change::Deleted(object)) => self.gone |= self.apply(object),
            Event::Listed(Listing { kind, part, objects, .. }) if **kind == *Kind::Job.name() => {
                self.listed &= !part.begins();
                for json in objects {
                    self.listed |= self.apply(&ObjectJson { kind: kind.clone(), json: json.clone() });
                }
                self.gone |= part.ends() && !self.listed;
            }
            Event::Listed(_) | Event::Finished(_) => {}
        }
    }

    /// Takes over the Job's state; returns whether it is this Job.
    fn apply(&mut self, ObjectJson { kind, json }: &ObjectJson) -> bool {
        let own = **kind == *Kind::Job.name() && json.contains(&*self.job.metadata.uid);
        match own.then(|| Object::decode(Kind::Job, json)) {
            Some(Ok(Object::Job(job))) if job.metadata.uid == self.job.metadata.uid => {
                self.job = *job;
                true
            }
            _ => false,
        }
    }

    /// Takes over what the Job is stuck on, and prints it if it is new; returns whether it is.
    pub(super) fn explained(&mut self, explanation: Explanation, now: Timestamp) -> bool {
        let lasting = || explanation.obstacles.iter().filter(|obstacle| !obstacle.passes);
        let codes: Vec<Text> = lasting().map(|obstacle| obstacle.code.clone()).collect();
        match lasting().next() {
            Some(first) => {
                let since = first.since.unwrap_or(now).min(now);
                let before = self.stuck.take().filter(|stuck| stuck.code == first.code).map_or(since, |stuck| stuck.since.min(since));
                self.stuck = Some(Stuck { code: first.code.clone(), since: before, seen_at: now });
            }
            None => self.stuck = self.stuck.take().filter(|stuck| now.duration_since(stuck.seen_at).unsigned_abs() < RECOVERED),
        }
        let new = !codes.is_empty() && codes != self.printed;
        if new {
            let help = lasting().next().map(|first| first.remedy.render(time(now))).filter(|help| !help.is_empty());
            let help = help.map(|help| format!("  help: {help}\n")).unwrap_or_default();
            output::complain(&format!("{}\n{help}", explanation.headline.render(time(now))));
            self.printed = codes;
        }
        self.explanation = Some(explanation);
        new
    }

    /// Whether it has been stuck for this long; prints so if it has.
    pub(super) fn stuck_for(&self, patience: Duration, now: Timestamp) -> bool {
        let stuck = self.stuck.as_ref().filter(|stuck| stuck.seen_at == now && now.duration_since(stuck.since).unsigned_abs() >= patience);
        if let Some(Stuck { since, .. }) = stuck {
            output::complain(&format!("{} has been stuck for {}\n", self.target, kubectl::between(*since, now)));
        }
        stuck.is_some()
    }

    /// Prints that the time is over, and what the Job waits for.
    pub(super) fn complain_of_time(&self) {
        let first = self.explanation.as_ref().and_then(|explanation| explanation.obstacles.first());
        let waits = first.map(|first| format!(": {}", first.sentence.render(time(Timestamp::now())))).unwrap_or_default();
        output::complain(&format!("{} has not finished{waits}\n", self.target));
    }
}

fn time(now: Timestamp) -> impl Fn(Timestamp) -> String {
    let here = TimeZone::system();
    move |at| clock(at, now, &here)
}

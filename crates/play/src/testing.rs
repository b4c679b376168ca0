//! What unit tests share, here and in the crates that build on this one: a manager whose plans are given to it.
//!
//! Docs: `contract::Manager` is what it stands for. The API server's side is in `cluster::testing`.

use std::collections::VecDeque;

use api::request::Outcome;
use api::{Kind, Malformed, Text, Timestamp, time};
use contract::{ApiResource, Change, Command, Event, Explanation, Listing, Manager, ObjectRef, Plan, Report, Wakeup};

use cluster::testing::{noon, request};

/// A manager that does what it was given to do, and keeps what it handled.
#[derive(Debug, Default)]
pub struct Puppet {
    /// What is to be done, and when.
    pub plans: VecDeque<(Timestamp, Plan)>,
    /// What it handled, one event a line.
    pub handled: Vec<String>,
    /// Whether it loses its memory over the next event.
    pub fragile: bool,
    lost: bool,
    planned: u64,
}

impl Puppet {
    /// Gives it a plan: requests as [`send_line`] takes them, in batches; `?` before one means that it tolerates 404.
    pub fn plan(&mut self, after: i64, batches: &[&[&str]]) {
        let command = |line: &&str| Command {
            request: request(line.strip_prefix('?').unwrap_or(line)),
            tolerates: if line.starts_with('?') { vec![404] } else { Vec::new() },
            after: None,
        };
        let batches = batches.iter().map(|batch| batch.iter().map(command).collect()).collect();
        let object = ObjectRef { kind: "Job".into(), namespace: "default".into(), name: "pi".into(), ..ObjectRef::default() };
        let plan = Plan { controller: "puppet".into(), object, batches, ..Plan::default() };
        self.plans.push_back((time::after(noon(), api::Duration::from_secs(after)), plan));
    }
}

impl Manager for Puppet {
    fn resources(&mut self) -> Vec<ApiResource> {
        Kind::ALL.map(ApiResource::from).into()
    }

    fn handle(&mut self, event: Event, _now: Timestamp) -> Result<(), Malformed> {
        let name = |text: &str| {
            let object: serde_json::Value = serde_json::from_str(text).expect("objects are JSON");
            object["metadata"]["name"].as_str().expect("objects have names").to_owned()
        };
        self.handled.push(match &event {
            Event::Changed(Change::Applied(object)) => format!("applied {}", name(&object.json)),
            Event::Changed(Change::Deleted(object)) => format!("deleted {}", name(&object.json)),
            Event::Listed(Listing { kind, objects, part: _, resource_version: _ }) => {
                format!("listed {kind}: {}", objects.iter().map(|text| name(text)).collect::<Vec<_>>().join(", "))
            }
            Event::Finished(Report { plan, outcomes }) => {
                let word = |outcome: &Outcome| match outcome {
                    Outcome::Done(written) => written.name.clone(),
                    Outcome::Failed(error) => error.code.to_string(),
                    Outcome::Skipped => "skipped".to_owned(),
                };
                format!("finished {plan}: {}", outcomes.iter().map(word).collect::<Vec<_>>().join(", "))
            }
        });
        self.lost = std::mem::take(&mut self.fragile);
        let odd = self.handled.last().is_some_and(|last| last.ends_with(" odd"));
        let malformed = || Malformed { kind: "Pod".into(), name: "default/odd".to_owned(), reason: "it is odd".to_owned() };
        if odd { Err(malformed()) } else { Ok(()) }
    }

    fn next_plan(&mut self, now: Timestamp) -> Option<Plan> {
        let (_, plan) = self.plans.pop_front_if(|(at, _)| *at <= now)?;
        self.planned += 1;
        Some(Plan { id: self.planned, ..plan })
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        self.plans.front().map(|(at, _)| Wakeup {
            at: *at,
            controller: "puppet".into(),
            object: ObjectRef::default(),
            reason: String::new(),
        })
    }

    fn explain(&mut self, object: &ObjectRef, _: &[Text], _: Timestamp) -> Result<Explanation, String> {
        Err(format!("nothing is known of {}", object.name))
    }

    fn restart(&mut self) {
        self.handled.push("restarted".to_owned());
    }

    fn lost(&mut self) -> Option<String> {
        std::mem::take(&mut self.lost).then(|| "a trap".to_owned())
    }
}

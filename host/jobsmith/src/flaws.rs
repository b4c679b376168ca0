//! What did not go as it was written: actions that were not carried out, and objects with something invalid in them.
//!
//! Docs: `jobsmith simulate --help` and `jobsmith run --help`, "Exit status". What is invalid, the component decides; what the API server refuses, `cluster`
//! does.

use api::Text;
use contract::ObjectRef;
use contract::decision::Role;
use play::trace::{Entry, What};
use script::ObjectName;
use story::runs::CronJobRuns;

use super::CommandEnd;

/// What did not go as it was written, a sentence each.
#[derive(Default)]
pub(crate) struct Flaws(Vec<String>);

impl Flaws {
    /// Records what happened.
    pub(crate) fn observe<'e>(&mut self, entries: impl Iterator<Item = &'e Entry>) {
        for entry in entries {
            if let What::Decision { about: ObjectRef { kind, namespace, name, .. }, decision, .. } = &entry.what
                && decision.role == Role::Invalid
            {
                let name = ObjectName::among(namespace, name, [&Text::from(api::DEFAULT_NAMESPACE)].into_iter());
                self.add(format!("{} {name}: {}", kind.to_lowercase(), decision.sentence));
            }
        }
    }

    /// Records why an action was not carried out.
    pub(crate) fn add(&mut self, flaw: String) {
        if !self.0.contains(&flaw) {
            self.0.push(flaw);
        }
    }

    /// Whether one of them is why a CronJob starts no Jobs.
    pub(crate) fn block(&self, cron_job: &CronJobRuns) -> bool {
        cron_job.blocked().is_some_and(|reason| self.0.iter().any(|flaw| flaw.ends_with(&reason)))
    }

    /// How a command ends because of them.
    pub(crate) fn end(&self) -> CommandEnd {
        if self.0.is_empty() { CommandEnd::Reached } else { CommandEnd::Failed }
    }

    /// They as lines.
    pub(crate) fn lines(&self) -> String {
        self.0.iter().map(|flaw| format!("{flaw}\n")).collect()
    }
}

//! Decisions: why the controllers do what they do, as values and in words.
//!
//! Docs: each decision names its heading on the page "Jobs" and its rule. The only place where a reason becomes a sentence.

mod counting;
mod ending;
mod guard;
mod leftover;
mod ownership;
mod pods;
mod report;
mod status;
mod waiting;

use api::Duration;
use contract::Explanation;
use serde::{Serialize, Serializer};
use strum::VariantNames as _;

pub use counting::Counting;
pub use ending::Ending;
pub use guard::Guard;
pub use leftover::Leftover;
pub use ownership::Ownership;
pub use pods::Pods;
pub use report::Report;
pub use status::Status;
pub use waiting::Waiting;

/// One decision, by what it is about.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Whether the Job is looked at, at all.
    Guard(Guard),
    /// Whose a pod is.
    Ownership(Ownership),
    /// What an ended pod counts as.
    Counting(Counting),
    /// Which pods are created and deleted.
    Pods(Pods),
    /// What is waited for, and until when.
    Waiting(Waiting),
    /// How the Job ends.
    Ending(Ending),
    /// What is written to the status.
    Status(Status),
    /// What became of a request.
    Report(Report),
    /// What happens to a finalizer that is left over.
    Leftover(Leftover),
}

impl Decision {
    /// The decision as it is told at the border.
    #[must_use]
    pub fn explain(&self) -> Explanation {
        match self {
            Self::Guard(decision) => told(decision),
            Self::Ownership(decision) => told(decision),
            Self::Counting(decision) => told(decision),
            Self::Pods(decision) => told(decision),
            Self::Waiting(decision) => told(decision),
            Self::Ending(decision) => told(decision),
            Self::Status(decision) => told(decision),
            Self::Report(decision) => told(decision),
            Self::Leftover(decision) => told(decision),
        }
    }

    /// The codes of all decisions that there are.
    #[must_use]
    pub fn codes() -> Vec<&'static str> {
        let topics = [
            Guard::VARIANTS,
            Ownership::VARIANTS,
            Counting::VARIANTS,
            Pods::VARIANTS,
            Waiting::VARIANTS,
            Ending::VARIANTS,
            Status::VARIANTS,
            Report::VARIANTS,
            Leftover::VARIANTS,
        ];
        topics.concat()
    }
}

/// What one topic of decisions says of each of its own.
trait Topic: Serialize {
    /// The decision in words, with its numbers.
    fn sentence(&self) -> String;
    /// Where it comes from.
    fn source(&self) -> Source;
}

/// Where a decision comes from.
struct Source {
    /// Whether something is done.
    acts: bool,
    /// The heading on the page "Jobs".
    heading: &'static str,
    /// The rule.
    rule: &'static str,
    /// The fields of the manifest.
    fields: &'static [&'static str],
}

impl Source {
    fn new(acts: bool, heading: &'static str, rule: &'static str, fields: &'static [&'static str]) -> Self {
        Self { acts, heading, rule, fields }
    }
}

fn told<'a, T: Topic>(decision: &'a T) -> Explanation
where
    &'a T: Into<&'static str>,
{
    let Source { acts, heading, rule, fields } = decision.source();
    let code: &'static str = decision.into();
    let values = match serde_json::to_value(decision) {
        Ok(serde_json::Value::Object(mut variant)) => variant.remove(code).unwrap_or_default(),
        Ok(_) | Err(_) => serde_json::Value::Object(serde_json::Map::new()),
    };
    Explanation {
        code: code.to_owned(),
        acts,
        sentence: decision.sentence(),
        values,
        fields: fields.iter().map(|&field| field.to_owned()).collect(),
        page: "Jobs".to_owned(),
        heading: heading.to_owned(),
        rule: rule.to_owned(),
    }
}

/// `1 pod`, `2 pods`; `1 index`, `2 indexes`.
fn count(number: impl TryInto<i64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(i64::MAX);
    let ending = match (number, noun) {
        (1, _) => "",
        (_, "index") => "es",
        _ => "s",
    };
    format!("{number} {noun}{ending}")
}

/// A length of time in seconds, with a fraction only where there is one.
fn length(length: Duration) -> String {
    if length.subsec_nanos() == 0 { format!("{} s", length.as_secs()) } else { format!("{:.1} s", length.as_secs_f64()) }
}

/// Serde for a length of time as a number of seconds.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn seconds<S: Serializer>(length: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(length.as_secs_f64())
}

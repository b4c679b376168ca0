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

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use api::{Duration, Text, Timestamp};
use contract::{DecisionKind, Explanation};
use serde::{Serialize, Serializer};
use strum::IntoEnumIterator;

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

    /// All kinds of decisions that there are.
    pub fn kinds() -> impl Iterator<Item = &'static DecisionKind> {
        KINDS.values().map(|kind| &**kind)
    }
}

/// The kinds of decisions, by their codes.
static KINDS: LazyLock<BTreeMap<Text, Arc<DecisionKind>>> = LazyLock::new(|| {
    let mut kinds = BTreeMap::new();
    collect::<Guard>(&mut kinds);
    collect::<Ownership>(&mut kinds);
    collect::<Counting>(&mut kinds);
    collect::<Pods>(&mut kinds);
    collect::<Waiting>(&mut kinds);
    collect::<Ending>(&mut kinds);
    collect::<Status>(&mut kinds);
    collect::<Report>(&mut kinds);
    collect::<Leftover>(&mut kinds);
    kinds
});

fn collect<T: Topic + IntoEnumIterator>(kinds: &mut BTreeMap<Text, Arc<DecisionKind>>) {
    for decision in T::iter() {
        let Source { acts, heading, rule, fields } = decision.source();
        let code = decision.code().into();
        let fields = fields.iter().map(|&field| field.into()).collect();
        let kind = DecisionKind { code, acts, page: "Jobs".into(), heading: heading.into(), rule: rule.into(), fields };
        kinds.insert(kind.code.clone(), Arc::new(kind));
    }
}

/// What one topic of decisions says of each of its own.
trait Topic: Serialize {
    /// The decision in one stable word.
    fn code(&self) -> &'static str;
    /// The decision in words, with its numbers.
    fn sentence(&self) -> String;
    /// Where decisions of its kind come from.
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

fn told(decision: &impl Topic) -> Explanation {
    let code = decision.code();
    // The variant's fields, without its name around them; a variant without fields is its name alone.
    let values = serde_json::to_string(decision).expect("a decision has text keys only");
    let values = values.get(code.len() + 4..values.len() - 1).unwrap_or("{}").to_owned();
    Explanation { kind: Arc::clone(&KINDS[code]), sentence: decision.sentence(), values }
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

/// Serde for a length of time as a number of milliseconds.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn milliseconds<S: Serializer>(length: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i64(api::time::milliseconds(*length))
}

/// Serde for a time.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn time<S: Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&api::time::text(*time))
}

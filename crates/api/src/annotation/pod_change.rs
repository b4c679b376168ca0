//! What the next pod has that its template does not say, as a rule on failed pods asks for it.
//!
//! Docs: README, "Beyond Kubernetes". The rules are in `on_failure.rs`; how a pod is changed is decided in `controllers`.

use crate::Text;
use crate::quantity::Quantity;
use crate::syntax::{is_subdomain, is_word};

use super::on_failure::{BEFORE_COLON, FailureAction};
use super::part::{AnnotationPart, AnnotationProblem};
use super::values::{Factor, factor, quantity};

/// What is different in the next pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PodChange {
    /// The container that failed has more of a resource.
    Grow {
        /// Which.
        resource: GrowingResource,
        /// By how much, each time.
        by: GrowthStep,
        /// At most so much.
        up_to: Option<Quantity>,
    },
    /// It rather runs on another node.
    AnotherNode,
    /// It runs on a node with this label.
    OnLabel {
        /// The label's key.
        key: Text,
        /// Its value.
        value: Text,
    },
}

/// A resource that can grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrowingResource {
    /// CPU.
    Cpu,
    /// Memory.
    Memory,
}

impl GrowingResource {
    /// Its name in `resources`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Memory => "memory",
        }
    }

    /// How much a quantity of it is: thousandths of a CPU, or bytes; rounded up.
    #[must_use]
    pub fn amount(self, quantity: &Quantity) -> i64 {
        let amount = match self {
            Self::Cpu => quantity.scaled(1_000_000),
            Self::Memory => quantity.clone(),
        };
        amount.in_whole_units().whole().and_then(|amount| i64::try_from(amount).ok()).unwrap_or(i64::MAX)
    }
}

/// By how much a resource grows each time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrowthStep {
    /// So many times as much.
    Times(Factor),
    /// So much more.
    Plus(Quantity),
}

/// The changes, as an error lists them.
const CHANGES: &str = "write `memory x2`, `cpu +500m`, `another node` or `on LABEL=VALUE`";

/// Reads a change, which goes with an action.
pub(super) fn change(part: AnnotationPart<'_>, action: &FailureAction) -> Result<PodChange, AnnotationProblem> {
    if !matches!(action, FailureAction::Retry { .. }) {
        return Err(part.problem("only `retry` can have a change", "write `retry` as the action, or remove the change"));
    }
    let (word, rest) = part.first_word();
    let resource = match word.text {
        "memory" => GrowingResource::Memory,
        "cpu" => GrowingResource::Cpu,
        "another" if rest.text == "node" => return Ok(PodChange::AnotherNode),
        "on" => return on_label(part, rest),
        "" => return Err(part.problem("a change is missing", CHANGES)),
        "exit" | "reason" | "condition" | "message" | "container" | "index" | "attempt" => {
            return Err(part.problem(format!("`{}` is a matcher", word.text), "write matchers before the colon"));
        }
        "at" => return Err(part.problem("`at most` is not expected after the action", BEFORE_COLON)),
        _ => return Err(part.problem(format!("`{}` is not a change", part.text), CHANGES)),
    };
    let words = rest.words();
    let example =
        || format!("write `{0} x2` or `{0} x2 up to {1}`", resource.name(), if resource == GrowingResource::Memory { "16Gi" } else { "8" });
    let Some((step, rest)) = words.split_first() else {
        return Err(part.end().problem(format!("`{}` does not say how much", word.text), example()));
    };
    let by = match step.text.strip_prefix('+') {
        Some(_) => GrowthStep::Plus(quantity(step.after(1))?),
        None if step.text.starts_with(['x', '×']) => GrowthStep::Times(factor(*step)?),
        None => return Err(step.problem(format!("`{}` does not say how much more", step.text), example())),
    };
    let texts: Vec<&str> = rest.iter().map(|word| word.text).collect();
    let up_to = match texts[..] {
        [] => None,
        ["up", "to", _] => Some(quantity(rest[2])?),
        [..] => return Err(rest[0].problem(format!("`{}` is not expected after the growth", rest[0].text), example())),
    };
    Ok(PodChange::Grow { resource, by, up_to })
}

fn on_label(part: AnnotationPart<'_>, rest: AnnotationPart<'_>) -> Result<PodChange, AnnotationProblem> {
    let remedy = "write a node's label: `on pool=on-demand`";
    let Some((key, value)) = rest.split_once('=') else { return Err(part.problem("`on` needs a label and its value", remedy)) };
    let known = key.text.split_once('/').map_or(is_word(key.text), |(domain, name)| is_subdomain(domain) && is_word(name));
    if !known {
        return Err(key.problem(format!("`{}` is not a label key", key.text), remedy));
    }
    if !(value.text.is_empty() || is_word(value.text)) {
        return Err(value.problem(format!("`{}` is not a label value", value.text), remedy));
    }
    Ok(PodChange::OnLabel { key: key.text.into(), value: value.text.into() })
}

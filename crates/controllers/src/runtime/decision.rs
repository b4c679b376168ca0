//! Reasons: what a controller's decisions are and where they come from, and those that every controller shares.
//!
//! Docs: each decision names a page of the Kubernetes documentation, its heading and its rule. Reasons become sentences in `wording.rs`.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use api::{Text, Timestamp};
use contract::decision::{Decision, DecisionKind, Period, Role, Value};
use strum::{EnumIter, IntoEnumIterator, IntoStaticStr};

use super::wording::{Wording, sentence, words};

/// Kinds of decisions by their codes.
pub(crate) type Kinds = BTreeMap<&'static str, Arc<DecisionKind>>;

/// A reason of a controller.
pub(crate) trait Decide: std::fmt::Debug {
    /// What it is about.
    fn topic(&self) -> &dyn Topic;
}

/// What one topic of decisions has for each of its own.
pub(crate) trait Topic {
    /// The decision in one stable word.
    fn code(&self) -> &'static str;
    /// The decision in words, with its values.
    fn wording(&self) -> Wording;
    /// How it ends its object's work, in a few words, if it does; a template as in `Wording`, with the same values.
    fn verdict(&self) -> Option<&'static str> {
        None
    }
    /// Where decisions of its kind come from.
    fn source(&self) -> Source;
    /// What it means for what happens next.
    fn role(&self) -> Role {
        self.source().role
    }
    /// Where its kind is found.
    fn kinds(&self) -> &'static Kinds;
}

/// Where a decision comes from, and what it means for what happens next.
pub(crate) struct Source {
    role: Role,
    heading: &'static str,
    rule: &'static str,
    fields: &'static [&'static str],
}

impl Source {
    /// Something is done.
    pub(crate) const fn action(heading: &'static str, rule: &'static str, fields: &'static [&'static str]) -> Self {
        Self { role: Role::Action, heading, rule, fields }
    }

    /// Something is left alone, or waited for.
    pub(crate) const fn wait(heading: &'static str, rule: &'static str, fields: &'static [&'static str]) -> Self {
        Self { role: Role::Wait(Period { since: None, until: None }), heading, rule, fields }
    }

    /// Something in the object is invalid, and what it asks for is not done.
    pub(crate) const fn invalid(heading: &'static str, rule: &'static str, fields: &'static [&'static str]) -> Self {
        Self { role: Role::Invalid, heading, rule, fields }
    }

    /// It follows from what can be seen anyway.
    pub(crate) const fn routine(heading: &'static str, rule: &'static str, fields: &'static [&'static str]) -> Self {
        Self { role: Role::Routine, heading, rule, fields }
    }

    /// The same, while something is waited for since and until these times.
    pub(crate) const fn during(self, since: Option<Timestamp>, until: Option<Timestamp>) -> Self {
        Self { role: Role::Wait(Period { since, until }), ..self }
    }
}

/// A page of the Kubernetes documentation.
pub(crate) struct Page {
    /// Its title: "Jobs".
    pub(crate) title: &'static str,
    /// Its place below the site's root.
    pub(crate) path: &'static str,
}

impl Page {
    /// Where a heading of the page is on the web.
    fn url(&self, heading: &str) -> String {
        let letters = heading.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-'));
        let anchor: String = letters.map(|letter| if letter == ' ' { '-' } else { letter.to_ascii_lowercase() }).collect();
        format!("https://kubernetes.io/docs/{}#{anchor}", self.path)
    }
}

/// Adds the kinds of a topic, all on this page.
pub(crate) fn collect<T: Topic + IntoEnumIterator>(kinds: &mut Kinds, page: &Page) {
    for decision in T::iter() {
        kinds.insert(decision.code(), kind(decision.code(), decision.source(), page));
    }
}

/// What decisions of this code have in common.
#[inline(never)]
fn kind(code: &str, source: Source, page: &Page) -> Arc<DecisionKind> {
    let Source { heading, rule, fields, .. } = source;
    Arc::new(DecisionKind {
        code: code.into(),
        page: page.title.into(),
        heading: heading.into(),
        url: page.url(heading).into(),
        rule: rule.into(),
        fields: fields.iter().map(|&field| field.into()).collect(),
    })
}

/// A decision of a topic as it leaves the controllers; `namespace` is that of the object that it is about.
pub(crate) fn decision(topic: &dyn Topic, namespace: &Text) -> Decision {
    let (wording, role, kind) = (topic.wording(), topic.role(), Arc::clone(&topic.kinds()[topic.code()]));
    let mut values: Vec<(Text, Value)> =
        wording.values.into_iter().map(|(name, value)| (name.into(), value.into_value(namespace))).collect();
    let text = sentence(wording.template, &values, &kind);
    if let Some(template) = topic.verdict() {
        values.push((VERDICT.into(), Value::Text(sentence(template, &values, &kind).to_string().into())));
    }
    Decision { kind, role, sentence: text, values }
}

/// The value that has the verdict.
const VERDICT: &str = "verdict";

/// What the runtime decides for every controller.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum RuntimeDecision {
    /// A write is not in the watch yet.
    WaitsForWatch {
        /// The kind of the written object.
        kind: &'static str,
        /// The version that was written.
        written: u64,
        /// The newest version that the watch showed.
        seen: u64,
    },
    /// A plan is being carried out.
    WaitsForRequests {
        /// How many requests it has.
        requests: usize,
    },
    /// A request failed: what it was for is tried again.
    RequestFailed {
        /// What the request was for.
        what: &'static str,
        /// The API server's words.
        error: String,
        /// When it is tried again.
        at: Timestamp,
    },
    /// An annotation means nothing: what it is about is not done.
    InvalidAnnotation {
        /// What is not done, as the beginning of a sentence.
        undone: &'static str,
        /// Its key.
        annotation: &'static str,
        /// Its value.
        value: Text,
        /// What its value must be.
        expected: &'static str,
    },
    /// Something in an annotation means nothing: what it is about is not done.
    MalformedAnnotation {
        /// What is not done, as the beginning of a sentence.
        undone: &'static str,
        /// Its key.
        annotation: &'static str,
        /// The line of its value, from 1.
        line: usize,
        /// The column in the line, from 1.
        column: usize,
        /// What is wrong.
        problem: String,
        /// What to write instead.
        remedy: String,
    },
}

static KINDS: LazyLock<Kinds> = LazyLock::new(|| {
    let mut kinds = Kinds::new();
    collect::<RuntimeDecision>(&mut kinds, &Page { title: "Kubernetes API Concepts", path: "reference/using-api/api-concepts/" });
    kinds
});

impl Decide for RuntimeDecision {
    fn topic(&self) -> &dyn Topic {
        self
    }
}

impl Topic for RuntimeDecision {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::WaitsForWatch { kind, written, seen } => {
                words("Waiting for the watch: {kind} version {written} was written, and the watch has shown up to {seen}")
                    .with("kind", *kind)
                    .with("written", *written)
                    .with("seen", *seen)
            }
            Self::WaitsForRequests { requests } => {
                words("Waiting for the outcome of {requests:request} of the sync under way").with("requests", *requests)
            }
            Self::RequestFailed { what, error, at } => {
                words("Retrying at {at}: {what} failed: {error}").with("what", *what).with("error", error.as_str()).with("at", *at)
            }
            Self::InvalidAnnotation { undone, annotation, value, expected } => {
                words("{undone}: the annotation {annotation} must be {expected}, not {value}")
                    .with("undone", *undone)
                    .with("annotation", *annotation)
                    .with("value", &**value)
                    .with("expected", *expected)
            }
            Self::MalformedAnnotation { undone, annotation, line, column, problem, remedy } => {
                words("{undone}: in line {line}, column {column} of the annotation {annotation}, {problem}; {remedy}")
                    .with("undone", *undone)
                    .with("annotation", *annotation)
                    .with("line", *line)
                    .with("column", *column)
                    .with("problem", problem.as_str())
                    .with("remedy", remedy.as_str())
            }
        }
    }

    fn source(&self) -> Source {
        match self {
            Self::WaitsForWatch { .. } => Source::wait("Efficient detection of changes", "J-35", &[]),
            Self::WaitsForRequests { .. } => Source::wait("API terminology", "J-01", &[]),
            Self::RequestFailed { at, .. } => Source::wait("API terminology", "J-03", &[]).during(None, Some(*at)),
            Self::InvalidAnnotation { .. } | Self::MalformedAnnotation { .. } => {
                Source::invalid("API terminology", "X-0", &["metadata.annotations"])
            }
        }
    }

    fn kinds(&self) -> &'static Kinds {
        &KINDS
    }
}

impl RuntimeDecision {
    /// The kinds of these decisions.
    pub(crate) fn all() -> &'static Kinds {
        &KINDS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_has_its_place_on_the_web() {
        let page = Page { title: "Jobs", path: "concepts/workloads/controllers/job/" };
        assert_eq!(page.url("Pod Template"), "https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-template");
    }
}

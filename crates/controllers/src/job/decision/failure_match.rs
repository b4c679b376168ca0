//! A failed pod and the line of an annotation that it matches, and how decisions word it.
//!
//! Docs: README, "Beyond Kubernetes". Which line matches is decided in `failure_rules.rs`.

use api::annotation::{FailureAction, ON_FAILURE, RetryAfter};
use api::{Text, duration};

use crate::runtime::wording::{Wording, words};

/// A failed pod that matches a rule on failed pods.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FailureMatch {
    /// The pod.
    pub(crate) pod: Text,
    /// Its completion index.
    pub(crate) index: Option<u32>,
    /// The container that failed, if the pod has others.
    pub(crate) container: Option<Text>,
    /// Its exit code.
    pub(crate) exit_code: Option<i32>,
    /// Why, in one word, if that says more than the exit code.
    pub(crate) reason: Option<Text>,
    /// Why, in a sentence; empty if nothing says it.
    pub(crate) message: Text,
    /// The line of the annotation.
    pub(crate) line: usize,
    /// What follows, as the line has it.
    pub(crate) action: String,
    /// The line that would decide instead, but has matched as often as it may.
    pub(crate) used_up: Option<usize>,
}

/// A template with how a pod failed and what it matches, behind what names the pod.
macro_rules! failed {
    ($pod:literal) => {
        concat!(
            $pod,
            " failed< with exit code {exitCode}>< of container {container}>< ({reason})>, which matches line {line} of the annotation {annotation} ({action})<, as line {usedUp} is used up>"
        )
    };
}
pub(super) use failed;

impl FailureMatch {
    /// A template of `failed!` with its values.
    pub(super) fn words(&self, template: &'static str) -> Wording {
        words(template)
            .pod(&self.pod)
            .with("index", self.index)
            .with("exitCode", self.exit_code)
            .with("container", self.container.as_deref())
            .with("reason", self.reason.as_deref())
            .with("message", Some(&*self.message).filter(|message| !message.is_empty()))
            .with("line", self.line)
            .with("annotation", ON_FAILURE)
            .with("action", &*self.action)
            .with("usedUp", self.used_up)
    }

    /// It as the message of a condition or an Event.
    pub(crate) fn message(&self, namespace: &str) -> String {
        let Self { pod, line, message, .. } = self;
        let code = self.exit_code.map(|code| format!(" with exit code {code}")).unwrap_or_default();
        let container = self.container.as_ref().map(|name| format!(" of container {name}")).unwrap_or_default();
        let reason = self.reason.as_deref().unwrap_or_default();
        let colon = if reason.is_empty() || message.is_empty() { "" } else { ": " };
        let why = if reason.is_empty() && message.is_empty() { String::new() } else { format!(" ({reason}{colon}{message})") };
        format!("Pod {namespace}/{pod} failed{code}{container}{why}, matching line {line} of {ON_FAILURE}")
    }
}

/// An action as a rule has it.
pub(crate) fn action(action: &FailureAction) -> String {
    match action {
        FailureAction::Retry { counted, after } => {
            let uncounted = if *counted { "" } else { " uncounted" };
            match after {
                RetryAfter::Default => format!("retry{uncounted}"),
                RetryAfter::Delay(delay) => format!("retry{uncounted} after {}", duration::text(*delay)),
                RetryAfter::Message => format!("retry{uncounted} after the message says"),
            }
        }
        FailureAction::FailIndex => "fail the index".to_owned(),
        FailureAction::FailJob => "fail the Job".to_owned(),
        FailureAction::Hold => "hold".to_owned(),
    }
}

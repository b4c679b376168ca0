//! What a rule says that pods and containers do.
//!
//! Docs: Pod Lifecycle; the language is described in `lib.rs`. Which rule counts is decided in `scripted.rs`.

use std::fmt;

use api::{Duration, Text, duration};
use cluster::kubelet::{Delay, PodDisruption};

/// What pods or containers do; what is absent is left to other rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Course {
    /// How long the pod waits for a node.
    pub scheduled: Option<Delay>,
    /// How long the container's image is pulled.
    pub starts: Option<Delay>,
    /// How long the container runs before it is ready.
    pub ready: Option<Delay>,
    /// How the container ends by itself.
    pub ending: Option<ContainerEnd>,
    /// The termination message of the container, if it ends by itself.
    pub message: Option<Text>,
    /// What the container does on TERM.
    pub on_term: Option<OnTerm>,
    /// How the pod is disrupted, and how long it has been on its node then.
    pub disrupted: Option<(PodDisruption, Duration)>,
    /// The type of the pod's condition that becomes True, and how long it has been on its node then.
    pub condition: Option<(Text, Duration)>,
}

impl Course {
    /// Whether it says all that the other one says.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        let Self { scheduled, starts, ready, ending, message, on_term, disrupted, condition } = other;
        (scheduled.is_none() || self.scheduled.is_some())
            && (starts.is_none() || self.starts.is_some())
            && (ready.is_none() || self.ready.is_some())
            && (ending.is_none() || self.ending.is_some())
            && (message.is_none() || self.message.is_some())
            && (on_term.is_none() || self.on_term.is_some())
            && (disrupted.is_none() || self.disrupted.is_some())
            && (condition.is_none() || self.condition.is_some())
    }
}

/// How a container ends by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContainerEnd {
    /// It exits.
    Exits {
        /// Its exit code.
        code: u8,
        /// How long it runs.
        after: Duration,
    },
    /// A signal ends it.
    Killed {
        /// The signal's number, from 1 to 64.
        signal: u8,
        /// How long it runs.
        after: Duration,
    },
    /// It is killed because it used more memory than it may.
    OutOfMemory {
        /// How long it takes.
        after: Duration,
    },
    /// It does not.
    Never,
}

/// What a container does on TERM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnTerm {
    /// It exits.
    Exits {
        /// Its exit code.
        code: u8,
        /// How long it takes.
        after: Duration,
    },
    /// Nothing.
    Ignores,
}

impl Course {
    /// Whether it sets something for a pod as a whole.
    #[must_use]
    pub fn concerns_pods(&self) -> bool {
        self.scheduled.is_some() || self.disrupted.is_some() || self.condition.is_some()
    }
}

impl fmt::Display for Course {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scheduled, starts, ready, ending, message, on_term, disrupted, condition } = self;
        let delay = |word: &str, never: &str, delay: &Delay| match delay {
            Delay::After(after) => format!("{word} {}", when(*after)),
            Delay::Never => never.to_owned(),
        };
        let parts = [
            scheduled.as_ref().map(|scheduled| delay("scheduled", "never scheduled", scheduled)),
            starts.as_ref().map(|starts| delay("starts", "never starts (image cannot be pulled)", starts)),
            ready.as_ref().map(|ready| delay("ready", "never ready", ready)),
            ending.map(|ending| ending.to_string()),
            message.as_ref().map(|message| format!("message {}", serde_json::Value::from(&**message))),
            on_term.map(|on_term| on_term.to_string()),
            disrupted.map(|(disruption, after)| format!("{} {}", disruption_words(disruption), when(after))),
            condition.as_ref().map(|(kind, after)| format!("condition {kind} {}", when(*after))),
        ];
        formatter.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

impl fmt::Display for ContainerEnd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exits { code: 0, after } => write!(formatter, "succeed {}", when(*after)),
            Self::Exits { code, after } => write!(formatter, "exit {code} {}", when(*after)),
            Self::Killed { signal, after } => write!(formatter, "killed by signal {signal} {}", when(*after)),
            Self::OutOfMemory { after } => write!(formatter, "OOMKilled {}", when(*after)),
            Self::Never => formatter.write_str("runs forever"),
        }
    }
}

impl fmt::Display for OnTerm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exits { code, after } => write!(formatter, "ends {} after TERM with {code}", duration::text(*after)),
            Self::Ignores => formatter.write_str("ignores TERM"),
        }
    }
}

/// A disruption in the words of the language.
fn disruption_words(disruption: PodDisruption) -> &'static str {
    match disruption {
        PodDisruption::Eviction => "evicted",
        PodDisruption::Preemption => "preempted",
        PodDisruption::NodePressure => "evicted by the kubelet",
    }
}

fn when(after: Duration) -> String {
    if after.is_zero() { "at once".to_owned() } else { format!("after {}", duration::text(after)) }
}

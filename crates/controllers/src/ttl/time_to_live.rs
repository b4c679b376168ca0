//! How long a finished Job is kept, and by what.
//!
//! Docs: Automatic Cleanup for Finished Jobs (T-01); README, "Beyond Kubernetes". What follows from it is in `reconcile.rs`.

use api::annotation::InvalidAnnotation;
use api::{Duration, Job};

use super::config::Config;

/// How long a finished Job is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TimeToLive {
    /// How long.
    pub(super) length: Duration,
    /// By what.
    pub(super) by: By,
}

/// What says how long a Job is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum By {
    /// Its own `ttlSecondsAfterFinished`.
    #[default]
    Spec,
    /// An annotation, by the condition by which the Job finished.
    Annotation(&'static str),
    /// The controller's configuration.
    Default,
}

impl TimeToLive {
    /// The TTL of a Job that finished with a condition of this type; `None` if it is kept forever. The Job's own comes first, then an
    /// annotation's, then, unless a CronJob or something else controls it, the default.
    pub(super) fn of(job: &Job, condition: &str, config: &Config) -> Result<Option<Self>, InvalidAnnotation> {
        let own = job.time_to_live(condition)?.map(|(key, length)| Self { length, by: key.map_or(By::Spec, By::Annotation) });
        let default = config.default_ttl.filter(|_| job.metadata.controller().is_none());
        Ok(own.or(default.map(|length| Self { length, by: By::Default })))
    }
}

impl By {
    /// What it is called in a sentence, unless it is the field.
    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Self::Spec => None,
            Self::Annotation(key) => Some(key),
            Self::Default => Some("the default TTL of the controller"),
        }
    }
}

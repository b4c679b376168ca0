//! How the Job controller is set up: the name it acts under, its finalizer, its limits.
//!
//! Docs: Jobs, "Delegation of managing a Job object to external controller" (J-42). The numbers are in `limits.rs`.

use api::annotation::check_defaults;
use api::json::Read;
use api::meta::{Labels, names};
use api::{Job, Text};

use super::limits::Limits;

/// The configuration's section of the Job controller.
#[derive(Debug, Clone, PartialEq, Eq, Read)]
#[read(strict)]
pub struct Config {
    /// The `managedBy` value of the Jobs that the controller acts for; under the built-in name also those without one.
    pub name: Text,
    /// The finalizer of pods whose results are not counted.
    pub tracking_finalizer: Text,
    /// Annotations that every Job has unless it has them itself (X-6…X-13); one that is empty on a Job has no default there.
    pub defaults: Labels,
    /// Limits and delays.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            name: names::BUILT_IN_CONTROLLER.into(),
            tracking_finalizer: names::JOB_TRACKING.into(),
            defaults: Labels::new(),
            limits: Limits::default(),
        }
    }
}

impl Config {
    /// The finalizer that goes with the name: Kubernetes' own is left to the built-in controller.
    pub(crate) fn default_tracking_finalizer(&self) -> Text {
        if &*self.name == names::BUILT_IN_CONTROLLER { names::JOB_TRACKING.into() } else { names::OWN_JOB_TRACKING.into() }
    }

    /// What is wrong with it, and where.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.limits.check().map_err(|reason| format!("limits.{reason}"))?;
        check_defaults(&self.defaults).map_err(|reason| format!("defaults: {reason}"))
    }

    /// What Events name as their source: upstream's name for the built-in controller, otherwise the controller's own.
    pub(crate) fn reporting_controller(&self) -> Text {
        if &*self.name == names::BUILT_IN_CONTROLLER { "job-controller".into() } else { self.name.clone() }
    }

    /// Who else the Job belongs to, if not to this controller (J-42).
    #[must_use]
    pub fn other_manager<'a>(&self, job: &'a Job) -> Option<&'a str> {
        let named = job.spec.managed_by.as_deref().unwrap_or(names::BUILT_IN_CONTROLLER);
        (named != &*self.name).then_some(named)
    }
}

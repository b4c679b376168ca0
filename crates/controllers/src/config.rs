//! How a manager is set up: the name it acts under, its finalizer, its limits.
//!
//! Docs: Jobs, "Delegation of managing a Job object to external controller" (J-42). The numbers are in `limits.rs`.

use api::meta::names;
use api::{Job, Text};
use serde::Deserialize;

use crate::limits::Limits;

/// The configuration of a manager. As JSON, every field may be left out; unknown fields are refused.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Config {
    /// The `managedBy` value of the Jobs that the manager acts for; under the built-in name also those without one.
    pub name: Text,
    /// The finalizer of pods whose results are not counted.
    pub tracking_finalizer: Text,
    /// Limits and delays.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Self {
        Self { name: names::BUILT_IN_CONTROLLER.into(), tracking_finalizer: names::JOB_TRACKING.into(), limits: Limits::default() }
    }
}

impl Config {
    /// Reads a configuration.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn from_json(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| format!("the configuration cannot be read: {error}"))
    }

    /// Who else the Job belongs to, if not to this manager (J-42).
    #[must_use]
    pub fn other_manager<'a>(&self, job: &'a Job) -> Option<&'a str> {
        let named = job.spec.managed_by.as_deref().unwrap_or(names::BUILT_IN_CONTROLLER);
        (named != &*self.name).then_some(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_is_partial_json() {
        let config = Config::from_json(r#"{"name":"example.com/jobs","limits":{"podFailureBackOff":"500ms"}}"#).unwrap();
        assert_eq!((&*config.name, config.limits.pod_failure_back_off.as_millis()), ("example.com/jobs", 500));
        assert_eq!(config.limits.max_uncounted_pods, 500);
        assert!(Config::from_json(r#"{"limit":{}}"#).unwrap_err().contains("unknown field `limit`"));
        assert!(Config::from_json(r#"{"limits":{"syncBatchPeriod":"-1s"}}"#).is_err());
    }
}

//! How a manager is set up: which controllers it runs, and a section for each.
//!
//! Docs: `crates/component/wit/controllers.wit`, `configure`. What is in a section is in the controller's folder, and what follows from the names of
//! controllers in `naming.rs`.

use api::Text;
use api::json::{self, Read};

use crate::naming::Naming;
use crate::runtime::{Detail, InitialMemory};
use crate::{cronjob, job, registry, ttl};

/// The configuration of a manager. As JSON, every field may be left out; unknown fields are refused.
#[derive(Debug, Clone, PartialEq, Eq, Read)]
#[read(strict)]
pub struct Config {
    /// The controllers that run.
    pub controllers: Vec<Text>,
    /// Which decisions their plans report.
    pub decisions: Detail,
    /// What they know of what was done before.
    pub memory: InitialMemory,
    /// The Job controller.
    pub job: job::Config,
    /// The CronJob controller.
    pub cronjob: cronjob::Config,
    /// The TTL-after-finished controller.
    pub ttl: ttl::Config,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            controllers: registry::names().map(Text::from).collect(),
            decisions: Detail::default(),
            memory: InitialMemory::default(),
            job: job::Config::default(),
            cronjob: cronjob::Config::default(),
            ttl: ttl::Config::default(),
        }
    }
}

impl Config {
    /// Reads a configuration.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let mut config: Self = read(text)?;
        let naming: Naming = read(text)?;
        naming.complete(&mut config);
        naming.check().and_then(|()| config.check()).map_err(|reason| format!("invalid configuration: {reason}"))?;
        Ok(config)
    }

    fn check(&self) -> Result<(), String> {
        for (at, name) in self.controllers.iter().enumerate() {
            if registry::names().all(|known| *known != **name) {
                let names: Vec<&str> = registry::names().collect();
                return Err(format!("controllers: unknown controller {name:?}; choose from {}", names.join(", ")));
            }
            if self.controllers[..at].contains(name) {
                return Err(format!("controllers: {name:?} is named twice"));
            }
        }
        self.job.check().map_err(|reason| format!("job.{reason}"))?;
        self.cronjob.check().map_err(|reason| format!("cronjob.{reason}"))
    }
}

fn read<T: Read + Default>(text: &str) -> Result<T, String> {
    json::from_str(text).map_err(|error| format!("invalid configuration: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_is_partial_json() {
        let config = Config::from_json(r#"{"job":{"name":"example.com/jobs","limits":{"podFailureBackOff":"500ms"}}}"#).unwrap();
        assert_eq!((&*config.job.name, config.job.limits.pod_failure_back_off.as_millis()), ("example.com/jobs", 500));
        assert_eq!((config.job.limits.max_uncounted_pods, config.controllers), (500, vec!["job".into()]));
        let error = |text: &str| Config::from_json(text).unwrap_err();
        assert_eq!(error(""), "invalid configuration: EOF while parsing a value at line 1 column 0");
        for (text, found) in [("[]", "a list"), ("null", "null"), (" 1", "a number")] {
            assert_eq!(error(text), format!("invalid configuration: expected an object, found {found}"));
            for section in ["job", "cronjob", "ttl"] {
                let nested = format!(r#"{{"{section}":{text}}}"#);
                assert_eq!(error(&nested), format!("invalid configuration: {section}: expected an object, found {found}"));
            }
            let nested = format!(r#"{{"job":{{"limits":{text}}}}}"#);
            assert_eq!(error(&nested), format!("invalid configuration: job.limits: expected an object, found {found}"));
        }
        assert!(error(r#"{"jobs":{}}"#).contains("jobs: unknown field"));
        assert!(error(r#"{"job":{"limit":{}}}"#).contains("job.limit: unknown field"));
        assert!(error(r#"{"job":{"limits":{"syncBatchPeriod":"-1s"}}}"#).contains("invalid duration"));
        assert_eq!(Config::from_json(r#"{"decisions":"actions"}"#).unwrap().decisions, Detail::Actions);
        assert!(error(r#"{"decisions":"none"}"#).contains("decisions: expected all or actions, found \"none\""));
        assert_eq!(Config::from_json(r#"{"memory":"rebuilt"}"#).unwrap().memory, InitialMemory::Rebuilt);
        assert!(error(r#"{"memory":"full"}"#).contains("memory: expected empty or rebuilt, found \"full\""));
        assert!(error(r#"{"controllers":["daemonset"]}"#).contains("unknown controller \"daemonset\"; choose from job, cronjob, ttl"));
        assert_eq!(error(r#"{"controllers":["job","job"]}"#), "invalid configuration: controllers: \"job\" is named twice");
        let defaults = |annotations: &str| Config::from_json(&format!(r#"{{"job":{{"defaults":{annotations}}}}}"#));
        assert_eq!(defaults(r#"{"jobsmith.dev/retry-delay":"30s"}"#).unwrap().job.defaults.len(), 1);
        let wrong = "annotation jobsmith.dev/retry-jitter, line 1, column 1: `20` has no percent sign; write a percentage from 0% to 100%, as in `20%`";
        assert_eq!(defaults(r#"{"jobsmith.dev/retry-jitter":"20"}"#).unwrap_err(), format!("invalid configuration: job.defaults: {wrong}"));
        for limit in ["maxUncountedPods", "maxPodsPerSync", "slowStartBatch"] {
            let zero = format!(r#"{{"job":{{"limits":{{"{limit}":0}}}}}}"#);
            assert_eq!(error(&zero), format!("invalid configuration: job.limits.{limit}: must be at least 1"));
        }
    }
}

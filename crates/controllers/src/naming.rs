//! Naming: what follows from the names that a configuration gives its controllers.
//!
//! Docs: `crates/component/wit/controllers.wit`, `configure`; Jobs, "Delegation of managing a Job object to external controller" (J-42, X-1). The rest
//! of a configuration is read in `config.rs`.
//!
//! Kubernetes' name claims every Job and CronJob without a manager. A name of its own keeps a manager off them, so it holds for all controllers, and no
//! controller without one runs unless it is listed.

use api::Text;
use api::json::Read;
use api::meta::names;
use api::syntax::{self, LABEL_LENGTH, SUBDOMAIN_LENGTH};

use crate::config::Config;

/// What a configuration names. Empty text and absent are the same.
#[derive(Debug, Default, Read)]
pub(crate) struct Naming {
    controllers: Option<Vec<Text>>,
    job: JobSection,
    cronjob: CronJobSection,
}

#[derive(Debug, Default, Read)]
struct JobSection {
    name: Text,
    tracking_finalizer: Text,
}

#[derive(Debug, Default, Read)]
struct CronJobSection {
    name: Text,
}

impl Naming {
    /// What is wrong with the names, and where.
    pub(crate) fn check(&self) -> Result<(), String> {
        let Self { job, cronjob, .. } = self;
        for (field, name) in [("job.name", &job.name), ("cronjob.name", &cronjob.name)] {
            if !name.is_empty() {
                syntax::check_manager(name).map_err(|remedy| format!("{field}: invalid name {name:?}: {remedy}"))?;
            }
        }
        let finalizer = &job.tracking_finalizer;
        if finalizer.is_empty() || is_finalizer(finalizer) {
            return Ok(());
        }
        let remedy = "write a domain in lower case, a slash and a name, as in example.com/job-tracking";
        Err(format!("job.trackingFinalizer: invalid finalizer {finalizer:?}: {remedy}"))
    }

    /// Completes a configuration that was read from the same text: names, the finalizer, and which controllers run.
    pub(crate) fn complete(&self, config: &mut Config) {
        let (job, cron_job) = (&self.job.name, &self.cronjob.name);
        config.job.name = name(job, cron_job);
        config.cronjob.name = name(cron_job, job);
        if self.job.tracking_finalizer.is_empty() {
            config.job.tracking_finalizer = config.job.default_tracking_finalizer();
        }
        if self.controllers.is_none() && (own(job) || own(cron_job)) {
            let named = [("job", job), ("cronjob", cron_job)].into_iter().filter(|(_, name)| own(name));
            config.controllers = named.map(|(controller, _)| controller.into()).collect();
        }
    }
}

/// The name of a controller: what its section says, or else a name of the manager's own that the other section has, or else Kubernetes'.
fn name(given: &Text, other: &Text) -> Text {
    if !given.is_empty() {
        given.clone()
    } else if own(other) {
        other.clone()
    } else {
        names::BUILT_IN_CONTROLLER.into()
    }
}

/// Whether a name is given, and it is not Kubernetes'.
fn own(name: &Text) -> bool {
    !name.is_empty() && **name != *names::BUILT_IN_CONTROLLER
}

/// Whether pods can have this finalizer: all but those of Kubernetes itself have a domain.
fn is_finalizer(text: &str) -> bool {
    let Some((domain, name)) = text.split_once('/') else { return false };
    syntax::is_subdomain(domain) && domain.len() <= SUBDOMAIN_LENGTH && syntax::is_word(name) && name.len() <= LABEL_LENGTH
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The controllers that run, with their names, and the finalizer.
    #[track_caller]
    fn check(config: &str, expected: &str) {
        let Config { controllers, job, cronjob, .. } = Config::from_json(config).unwrap();
        let with_name = |controller: &Text| match &**controller {
            "job" => format!("job {} {}", job.name, job.tracking_finalizer),
            "cronjob" => format!("cronjob {}", cronjob.name),
            other => other.to_owned(),
        };
        assert_eq!(controllers.iter().map(with_name).collect::<Vec<_>>().join(", "), expected, "{config}");
    }

    const BUILT_IN: &str = "job kubernetes.io/job-controller batch.kubernetes.io/job-tracking, cronjob kubernetes.io/job-controller, ttl";

    #[test]
    fn under_kubernetes_name_all_controllers_run() {
        check("{}", BUILT_IN);
        check(r#"{"controllers":null,"job":{"name":"","trackingFinalizer":null}}"#, BUILT_IN);
        check(r#"{"job":{"name":"kubernetes.io/job-controller"},"cronjob":{"timeZone":"Asia/Tokyo"},"ttl":{"defaultTtl":"1h"}}"#, BUILT_IN);
        check(r#"{"controllers":[]}"#, "");
    }

    #[test]
    fn a_name_of_its_own_turns_off_what_has_none() {
        check(r#"{"job":{"name":"a/b"}}"#, "job a/b jobsmith.dev/job-tracking");
        check(
            r#"{"job":{"name":"a/b"},"cronjob":{"timeZone":"Asia/Tokyo"},"ttl":{"defaultTtl":"1h"}}"#,
            "job a/b jobsmith.dev/job-tracking",
        );
        check(r#"{"cronjob":{"name":"a/b"}}"#, "cronjob a/b");
        check(r#"{"job":{"name":"a/b"},"cronjob":{"name":"a/c"}}"#, "job a/b jobsmith.dev/job-tracking, cronjob a/c");
        check(r#"{"job":{"name":"a/b"},"cronjob":{"name":"kubernetes.io/job-controller"}}"#, "job a/b jobsmith.dev/job-tracking");
    }

    #[test]
    fn a_controller_that_is_listed_has_the_name_too() {
        check(r#"{"controllers":["job","cronjob"],"job":{"name":"a/b"}}"#, "job a/b jobsmith.dev/job-tracking, cronjob a/b");
        check(r#"{"controllers":["job","cronjob"],"cronjob":{"name":"a/b"}}"#, "job a/b jobsmith.dev/job-tracking, cronjob a/b");
        check(r#"{"controllers":["job","ttl"],"job":{"name":"a/b"}}"#, "job a/b jobsmith.dev/job-tracking, ttl");
        check(
            r#"{"controllers":["job","cronjob"],"job":{"name":"a/b"},"cronjob":{"name":"kubernetes.io/job-controller"}}"#,
            "job a/b jobsmith.dev/job-tracking, cronjob kubernetes.io/job-controller",
        );
    }

    #[test]
    fn a_finalizer_that_is_given_stays() {
        check(r#"{"job":{"name":"a/b","trackingFinalizer":"c/d"}}"#, "job a/b c/d");
        check(r#"{"controllers":["job"],"job":{"trackingFinalizer":"c/d"}}"#, "job kubernetes.io/job-controller c/d");
    }

    #[test]
    fn names_that_no_job_can_have_are_refused() {
        let error = |text: String| Config::from_json(&text).unwrap_err();
        let remedy = "write a domain in lower case, a slash and a path, as in example.com/jobs, of at most 63 characters";
        for name in ["x", "X.Y/z", "x/"] {
            for section in ["job", "cronjob"] {
                assert_eq!(
                    error(format!(r#"{{"{section}":{{"name":"{name}"}}}}"#)),
                    format!("invalid configuration: {section}.name: invalid name {name:?}: {remedy}")
                );
            }
        }
        for finalizer in ["nodomain", "X.Y/z", "x/", "x/y/z", "kubernetes"] {
            assert_eq!(
                error(format!(r#"{{"job":{{"trackingFinalizer":"{finalizer}"}}}}"#)),
                format!(
                    "invalid configuration: job.trackingFinalizer: invalid finalizer {finalizer:?}: write a domain in lower case, a slash and a \
                     name, as in example.com/job-tracking"
                )
            );
        }
    }
}

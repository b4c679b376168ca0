//! What to do about one finished Job at one moment, and why.
//!
//! Docs: Automatic Cleanup for Finished Jobs, "Cleanup for finished Jobs" (T-01, T-04…T-08).

use api::annotation::InvalidAnnotation;
use api::request::{DeleteOptions, Preconditions, Request};
use api::{Job, Kind, Timestamp, time};

use super::config::Config;
use super::decision::{Cleanup, TtlDecision};
use super::time_to_live::TimeToLive;
use crate::runtime::annotation;
use crate::runtime::{Draft, DraftCommand};

/// What to do, with the time at which the Job is due for deletion if it is deleted.
pub(super) type TtlPlan = Draft<Timestamp, (), TtlDecision>;

/// What happens to a Job; `None` if it needs no clean-up, or is being deleted already (T-01, T-04).
pub(super) fn judge(job: &Job, config: &Config, now: Timestamp) -> Result<Option<Cleanup>, InvalidAnnotation> {
    let Some(finished) = job.finished_by().filter(|_| !job.metadata.deleting()) else { return Ok(None) };
    let Some(ttl) = TimeToLive::of(job, &finished.kind, config)? else { return Ok(None) };
    let Some(finished_at) = finished.last_transition_time else { return Ok(Some(Cleanup::FinishTimeMissing { at: now })) };
    let until = time::after(finished_at, ttl.length);
    Ok(Some(match () {
        () if until <= now => Cleanup::DeletesJob { ttl, finished_at },
        () if finished_at > now => Cleanup::FinishedInFuture { ttl, finished_at, until },
        () => Cleanup::WaitsForTtl { ttl, finished_at, until },
    }))
}

/// The plan that carries out what was decided about a Job.
pub(super) fn plan(job: &Job, judged: Result<Cleanup, InvalidAnnotation>) -> TtlPlan {
    let mut plan = Draft::new(());
    match judged {
        Ok(cleanup) => {
            plan.decide(TtlDecision::Cleanup(cleanup));
            carry_out(job, cleanup, &mut plan);
        }
        Err(invalid) => {
            plan.decide(TtlDecision::Shared(annotation::decision(&invalid, "Keeping the Job")));
            plan.notices.push(annotation::notice(&invalid, Kind::Job, &job.metadata, "ttl-after-finished-controller".into()));
        }
    }
    plan
}

fn carry_out(job: &Job, cleanup: Cleanup, plan: &mut TtlPlan) {
    match cleanup {
        Cleanup::DeletesJob { ttl, finished_at } => {
            let due = time::after(finished_at, ttl.length);
            plan.then(vec![DraftCommand { request: delete(job), tolerates: &[], after: None, intent: due, writes: Some(Kind::Job) }]);
        }
        Cleanup::WaitsForTtl { until, .. } | Cleanup::FinishedInFuture { until, .. } => plan.requeue(until, "the Job's TTL ends"),
        Cleanup::FinishTimeMissing { .. } | Cleanup::JobDeleted => {}
    }
}

/// The request that deletes a Job as it was judged: its UID and version stand for the fresh look at it (T-08), which costs a request less.
fn delete(job: &Job) -> Request {
    let metadata = &job.metadata;
    let preconditions = Preconditions { uid: &metadata.uid, resource_version: Some(&metadata.resource_version) };
    let options = DeleteOptions { propagation_policy: "Foreground", preconditions };
    Request::delete(Kind::Job, &metadata.namespace, &metadata.name, options.json())
}

#[cfg(test)]
mod tests {
    use api::Duration;
    use serde_json::json;

    use super::*;

    /// What happens to a Job with this TTL and these conditions, this many seconds after noon.
    fn judged(ttl: &str, conditions: &str, metadata: &str, now: i64) -> String {
        judged_by_default(ttl, conditions, metadata, None, now)
    }

    /// The same, with a default TTL.
    fn judged_by_default(ttl: &str, conditions: &str, metadata: &str, default_ttl: Option<i64>, now: i64) -> String {
        let text = format!(
            r#"{{"metadata":{{"name":"pi"{metadata}}},"spec":{{"ttlSecondsAfterFinished":{ttl}}},"status":{{"conditions":[{conditions}]}}}}"#
        );
        let job: Job = serde_json::from_str(&text).unwrap();
        let noon: Timestamp = "2026-01-02T12:00:00Z".parse().unwrap();
        let config = Config { default_ttl: default_ttl.map(Duration::from_secs), ..Config::default() };
        let judged = judge(&job, &config, time::after(noon, Duration::from_secs(now)));
        let after_noon = |until: Timestamp| until.duration_since(noon).as_secs();
        match judged {
            Ok(None) => "nothing".to_owned(),
            Ok(Some(Cleanup::FinishTimeMissing { .. })) => "nobody knows".to_owned(),
            Ok(Some(Cleanup::WaitsForTtl { until, .. })) => format!("until {}", after_noon(until)),
            Ok(Some(Cleanup::FinishedInFuture { until, .. })) => format!("in the future, until {}", after_noon(until)),
            Ok(Some(Cleanup::DeletesJob { .. })) => "delete".to_owned(),
            Ok(Some(Cleanup::JobDeleted)) => "deleted".to_owned(),
            Err(invalid) => invalid.to_string(),
        }
    }

    fn ended(kind: &str, at: &str) -> String {
        format!(r#"{{"type":"{kind}","status":"True","lastTransitionTime":"2026-01-02T{at}Z"}}"#)
    }

    #[test]
    fn vectors_of_the_specification() {
        let complete = ended("Complete", "12:00:00");
        assert_eq!(judged("10", &complete, "", 5), "until 10");
        assert_eq!(judged("10", &complete, "", 10), "delete");
        assert_eq!(judged("0", &complete, "", 0), "delete");
        assert_eq!(judged("10", &ended("Complete", "12:00:30"), "", 0), "in the future, until 40");
        assert_eq!(judged("null", &complete, "", 99), "nothing");
        assert_eq!(judged("5", &ended("Failed", "12:00:00"), "", 6), "delete");
        assert_eq!(judged("100", &complete, "", 20), "until 100");
        assert_eq!(judged("10", &complete, r#","deletionTimestamp":"2026-01-02T12:00:00Z""#, 20), "nothing");
    }

    #[test]
    fn annotations_and_the_default_hold_where_the_job_has_no_ttl() {
        let by_outcome = r#","annotations":{"jobsmith.dev/ttl-seconds-after-complete":"10","jobsmith.dev/ttl-seconds-after-failed":"100"}"#;
        let (complete, failed) = (ended("Complete", "12:00:00"), ended("Failed", "12:00:00"));
        assert_eq!(judged("null", &complete, by_outcome, 5), "until 10");
        assert_eq!(judged("null", &failed, by_outcome, 5), "until 100");
        assert_eq!(judged("7", &failed, by_outcome, 5), "until 7", "the Job's own TTL comes first");
        assert_eq!(judged_by_default("null", &failed, by_outcome, Some(3), 5), "until 100");
        assert_eq!(judged_by_default("null", &failed, "", Some(3600), 5), "until 3600");
        assert_eq!(judged_by_default("null", &failed, "", Some(0), 5), "delete");
        let owned = r#","ownerReferences":[{"kind":"CronJob","name":"a","uid":"b","controller":true}]"#;
        assert_eq!(judged_by_default("null", &failed, owned, Some(0), 5), "nothing", "a CronJob has history limits");
        let wrong = r#","annotations":{"jobsmith.dev/ttl-seconds-after-failed":"1h"}"#;
        let refused = r#"annotation jobsmith.dev/ttl-seconds-after-failed must be a number of seconds, not "1h""#;
        assert_eq!(judged_by_default("null", &failed, wrong, Some(0), 5), refused);
        assert_eq!(judged_by_default("null", &complete, wrong, Some(0), 5), "delete");
    }

    #[test]
    fn a_job_is_deleted_only_as_it_was_judged() {
        let job = r#"{"metadata":{"namespace":"a","name":"pi","uid":"u","resourceVersion":"7"}}"#;
        let request = delete(&serde_json::from_str(job).unwrap());
        assert_eq!(request.path, "/apis/batch/v1/namespaces/a/jobs/pi");
        let body: serde_json::Value = serde_json::from_str(&request.body).unwrap();
        let preconditions = json!({"uid": "u", "resourceVersion": "7"});
        assert_eq!(body, json!({"propagationPolicy": "Foreground", "preconditions": preconditions}));
    }

    #[test]
    fn only_a_job_that_has_ended_is_deleted() {
        let criteria = ended("SuccessCriteriaMet", "12:00:00");
        assert_eq!(judged("0", &criteria, "", 9), "nothing");
        assert_eq!(judged("0", r#"{"type":"Complete","status":"False"}"#, "", 9), "nothing");
        assert_eq!(judged("0", r#"{"type":"Complete","status":"True"}"#, "", 9), "nobody knows");
        let both = format!("{criteria},{},{}", ended("Failed", "12:00:05"), ended("Complete", "12:00:00"));
        assert_eq!(judged("0", &both, "", 3), "in the future, until 5", "the first condition counts (T-05)");
    }
}

//! The Job of one run: its name, and what it takes from the template.
//!
//! Docs: CronJob, "Job template" (C-30…C-32). Which run is started is decided in `start.rs`.

use api::meta::names;
use api::request::Request;
use api::{CronJob, Kind, ObjectMeta, OwnerReference, Text, Timestamp, time};
use schedule::Zone;

use super::timetable;

/// The name of the Job for a run: no two runs of one minute have Jobs (C-30).
pub(super) fn job_name(cron_job: &CronJob, scheduled_at: Timestamp) -> Text {
    format!("{}-{}", cron_job.metadata.name, scheduled_at.as_second().div_euclid(60)).into()
}

/// The request that creates the Job for a run.
pub(super) fn create(cron_job: &CronJob, scheduled_at: Timestamp) -> Request {
    let (metadata, template) = (&cron_job.metadata, &cron_job.spec.job_template);
    let mut annotations = template.metadata.annotations.clone();
    annotations.insert(names::SCHEDULED_TIMESTAMP.into(), scheduled_timestamp(cron_job, scheduled_at).into());
    let owner = OwnerReference {
        api_version: Kind::CronJob.api_version().into(),
        kind: Kind::CronJob.name().into(),
        name: metadata.name.clone(),
        uid: metadata.uid.clone(),
        controller: Some(true),
        block_owner_deletion: Some(true),
    };
    let job = ObjectMeta {
        name: job_name(cron_job, scheduled_at),
        namespace: metadata.namespace.clone(),
        labels: template.metadata.labels.clone(),
        annotations,
        owner_references: vec![owner].into(),
        ..ObjectMeta::default()
    };
    let job = serde_json::to_string(&job).expect("metadata has text keys only");
    let (api_version, kind, spec) = (Kind::Job.api_version(), Kind::Job.name(), template.spec.json());
    let body = format!(r#"{{"apiVersion":"{api_version}","kind":"{kind}","metadata":{job},"spec":{spec}}}"#);
    Request::create(Kind::Job, &metadata.namespace, body)
}

/// The scheduled time in the CronJob's time zone, as RFC 3339 writes it (C-31).
fn scheduled_timestamp(cron_job: &CronJob, scheduled_at: Timestamp) -> String {
    let zone = timetable::time_zone(cron_job).ok().flatten().unwrap_or_else(Zone::utc);
    let offset = zone.offset(scheduled_at);
    let mut text = time::text(zone.clock(scheduled_at));
    if offset != 0 {
        text.truncate(text.len() - 1);
        text.push_str(&time::offset_text(offset));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cron_job(spec: &str) -> CronJob {
        let text = format!(r#"{{"metadata":{{"namespace":"default","name":"k","uid":"u","labels":{{"its":"own"}}}},"spec":{spec}}}"#);
        serde_json::from_str(&text).unwrap()
    }

    fn run() -> Timestamp {
        "2026-11-21T16:24:00Z".parse().unwrap()
    }

    #[test]
    fn c_30_a_job_is_named_by_the_minute_of_its_run() {
        assert_eq!(&*job_name(&cron_job("{}"), run()), "k-29921304");
    }

    #[test]
    fn c_31_a_job_has_what_the_template_has_and_the_time_of_its_run() {
        let template =
            r#"{"metadata":{"name":"x","finalizers":["a/b"],"labels":{"app":"k"},"annotations":{"a":"b"}},"spec":{"new":1,"template":{}}}"#;
        let request = create(&cron_job(&format!(r#"{{"timeZone":"America/New_York","jobTemplate":{template}}}"#)), run());
        assert_eq!(request.path, "/apis/batch/v1/namespaces/default/jobs");
        expect_test::expect![[r#"{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"k-29921304","namespace":"default","labels":{"app":"k"},"annotations":{"a":"b","batch.kubernetes.io/cronjob-scheduled-timestamp":"2026-11-21T11:24:00-05:00"},"ownerReferences":[{"apiVersion":"batch/v1","kind":"CronJob","name":"k","uid":"u","controller":true,"blockOwnerDeletion":true}]},"spec":{"new":1,"template":{}}}"#]]
            .assert_eq(&request.body);
    }

    #[test]
    fn c_31_a_run_is_noted_in_the_cron_jobs_time_zone() {
        let noted = |spec: &str| scheduled_timestamp(&cron_job(spec), run());
        assert_eq!(noted("{}"), "2026-11-21T16:24:00Z");
        assert_eq!(noted(r#"{"timeZone":"UTC"}"#), "2026-11-21T16:24:00Z");
        assert_eq!(noted(r#"{"timeZone":"Europe/London"}"#), "2026-11-21T16:24:00Z");
        assert_eq!(noted(r#"{"timeZone":"Asia/Kathmandu"}"#), "2026-11-21T22:09:00+05:45");
    }
}

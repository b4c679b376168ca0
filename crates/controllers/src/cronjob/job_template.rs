//! The request for the Job of one run, with the time of the run in the CronJob's time zone.
//!
//! Docs: CronJob, "Job template" (C-30…C-32). What the Job takes from the template is in `api::run`; which run is started is decided in `start.rs`.

use api::request::Request;
use api::{CronJob, Timestamp, run, time};
use schedule::Zone;

use super::timetable;

/// The request that creates the Job for a run.
pub(super) fn create(cron_job: &CronJob, scheduled_at: Timestamp) -> Request {
    run::creation(cron_job, scheduled_at, &scheduled_timestamp(cron_job, scheduled_at))
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

    fn at() -> Timestamp {
        "2026-11-21T16:24:00Z".parse().unwrap()
    }

    #[test]
    fn c_30_a_job_is_named_by_the_minute_of_its_run() {
        assert_eq!(&*run::job_name(&cron_job("{}"), at()), "k-29921304");
    }

    #[test]
    fn c_31_a_job_has_what_the_template_has_and_the_time_of_its_run() {
        let template =
            r#"{"metadata":{"name":"x","finalizers":["a/b"],"labels":{"app":"k"},"annotations":{"a":"b"}},"spec":{"new":1,"template":{}}}"#;
        let request = create(&cron_job(&format!(r#"{{"timeZone":"America/New_York","jobTemplate":{template}}}"#)), at());
        assert_eq!(request.path, "/apis/batch/v1/namespaces/default/jobs");
        expect_test::expect![[r#"{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"k-29921304","namespace":"default","labels":{"app":"k"},"annotations":{"a":"b","batch.kubernetes.io/cronjob-scheduled-timestamp":"2026-11-21T11:24:00-05:00"},"ownerReferences":[{"apiVersion":"batch/v1","kind":"CronJob","name":"k","uid":"u","controller":true,"blockOwnerDeletion":true}]},"spec":{"new":1,"template":{}}}"#]]
            .assert_eq(&request.body);
    }

    #[test]
    fn c_31_a_run_is_noted_in_the_cron_jobs_time_zone() {
        let noted = |spec: &str| scheduled_timestamp(&cron_job(spec), at());
        assert_eq!(noted("{}"), "2026-11-21T16:24:00Z");
        assert_eq!(noted(r#"{"timeZone":"UTC"}"#), "2026-11-21T16:24:00Z");
        assert_eq!(noted(r#"{"timeZone":"Europe/London"}"#), "2026-11-21T16:24:00Z");
        assert_eq!(noted(r#"{"timeZone":"Asia/Kathmandu"}"#), "2026-11-21T22:09:00+05:45");
    }
}

//! `kubectl describe cronjob`: a CronJob's fields, the pod template of its Jobs and the Events about it.
//!
//! Docs: CronJob, "Example". The template is written in `pod_template.rs`, Events in `events.rs`; a Job is described in `describe_job.rs`.

use std::fmt::Write as _;

use api::Timestamp;
use serde_json::Value;

use crate::age::{date, moment};
use crate::labels::{selector, write_annotations, write_labels};
use crate::value::{joined_fields, or_none, text};
use crate::{columns, events, pod_template};

/// What `kubectl describe cronjob` prints of this CronJob, with these Events about it, at this time.
#[must_use]
pub fn describe_cron_job(cron_job: &Value, about_it: &[Value], now: Timestamp) -> String {
    let (metadata, spec) = (&cron_job["metadata"], &cron_job["spec"]);
    let mut out = String::new();
    let _ = writeln!(out, "Name:\t{}", text(&metadata["name"]));
    let _ = writeln!(out, "Namespace:\t{}", text(&metadata["namespace"]));
    write_labels(&mut out, "Labels", &metadata["labels"], "");
    write_annotations(&mut out, "Annotations", &metadata["annotations"], "");
    write_spec(&mut out, spec);
    write_job_spec(&mut out, &spec["jobTemplate"]["spec"]);
    write_status(&mut out, &cron_job["status"]);
    events::write(&mut out, about_it, now);
    columns::align(&out, 2)
}

fn write_spec(out: &mut String, spec: &Value) {
    let _ = writeln!(out, "Schedule:\t{}", text(&spec["schedule"]));
    let _ = writeln!(out, "Concurrency Policy:\t{}", text(&spec["concurrencyPolicy"]));
    let _ = writeln!(out, "Suspend:\t{}", if spec["suspend"] == true { "True" } else { "False" });
    let _ = writeln!(out, "Time Zone:\t{}", or_unset(&spec["timeZone"]));
    let _ = writeln!(out, "Successful Job History Limit:\t{}", or_unset(&spec["successfulJobsHistoryLimit"]));
    let _ = writeln!(out, "Failed Job History Limit:\t{}", or_unset(&spec["failedJobsHistoryLimit"]));
    let deadline = &spec["startingDeadlineSeconds"];
    let _ = writeln!(out, "Starting Deadline Seconds:\t{}{}", or_unset(deadline), if deadline.is_null() { "" } else { "s" });
}

fn write_job_spec(out: &mut String, spec: &Value) {
    let _ = writeln!(out, "Selector:\t{}", selector(&spec["selector"]).unwrap_or_else(|| UNSET.to_owned()));
    let _ = writeln!(out, "Parallelism:\t{}", or_unset(&spec["parallelism"]));
    let _ = writeln!(out, "Completions:\t{}", or_unset(&spec["completions"]));
    if let Some(deadline) = spec["activeDeadlineSeconds"].as_i64() {
        let _ = writeln!(out, "Active Deadline Seconds:\t{deadline}s");
    }
    pod_template::write(out, &spec["template"]);
}

fn write_status(out: &mut String, status: &Value) {
    let last = moment(&status["lastScheduleTime"]).map_or_else(|| UNSET.to_owned(), date);
    let _ = writeln!(out, "Last Schedule Time:\t{last}");
    let _ = writeln!(out, "Active Jobs:\t{}", or_none(&joined_fields(&status["active"], "name", ", ")));
}

/// What stands for a field that is not set.
const UNSET: &str = "<unset>";

/// The value of a field.
fn or_unset(value: &Value) -> String {
    match value.as_str() {
        Some(text) => text.to_owned(),
        None if value.is_null() => UNSET.to_owned(),
        None => value.to_string(),
    }
}

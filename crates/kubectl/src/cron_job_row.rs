//! A CronJob as a row of `kubectl get cronjobs`: its schedule, how many Jobs are active, and when the last one was scheduled.
//!
//! Docs: CronJob, "Example". Tables are made in `get.rs`.

use api::Timestamp;
use serde_json::Value;

use crate::age::age;
use crate::labels::selector;
use crate::value::{items, joined_fields, or_none, text};

/// The names of the columns; those after the sixth are shown with `-o wide`.
pub(crate) const COLUMNS: [&str; 9] =
    ["SCHEDULE", "TIMEZONE", "SUSPEND", "ACTIVE", "LAST SCHEDULE", "AGE", "CONTAINERS", "IMAGES", "SELECTOR"];

/// The cells.
pub(crate) fn cells(cron_job: &Value, now: Timestamp) -> [String; 9] {
    let (metadata, spec, status) = (&cron_job["metadata"], &cron_job["spec"], &cron_job["status"]);
    let (job, last) = (&spec["jobTemplate"]["spec"], &status["lastScheduleTime"]);
    let containers = &job["template"]["spec"]["containers"];
    [
        text(&spec["schedule"]).to_owned(),
        or_none(text(&spec["timeZone"])).to_owned(),
        if spec["suspend"] == true { "True" } else { "False" }.to_owned(),
        items(&status["active"]).len().to_string(),
        if last.is_null() { or_none("").to_owned() } else { age(last, now) },
        age(&metadata["creationTimestamp"], now),
        joined_fields(containers, "name", ","),
        joined_fields(containers, "image", ","),
        or_none(&selector(&job["selector"]).unwrap_or_default()).to_owned(),
    ]
}

//! A Job's status at the end, as `kubectl describe job` shows it.
//!
//! Docs: Jobs, "Running an example Job". Times are told as they are stored, in UTC.

use std::fmt::Write as _;

use api::{Job, Timestamp};
use contract::Notice;

/// The Job's fields, status, conditions and Events.
pub(crate) fn describe(job: &Job, events: &[(Timestamp, Notice)]) -> String {
    let (metadata, spec, status) = (&job.metadata, &job.spec, &job.status);
    let mut fields: Vec<(&str, String)> = Vec::new();
    let mut field = |name, value: &dyn std::fmt::Display| fields.push((name, value.to_string()));
    field("Name", &metadata.name);
    field("Namespace", &metadata.namespace);
    let labels = spec.selector.iter().flat_map(|selector| &selector.match_labels).map(|(key, value)| format!("{key}={value}"));
    field("Selector", &labels.collect::<Vec<_>>().join(","));
    field("Parallelism", &or_unset(spec.parallelism));
    field("Completions", &or_unset(spec.completions));
    field("Completion Mode", &spec.completion_mode.as_deref().unwrap_or("NonIndexed"));
    field("Suspend", &job.suspended());
    field("Backoff Limit", &or_unset(spec.backoff_limit.filter(|_| spec.backoff_limit_per_index.is_none())));
    if let Some(limit) = spec.backoff_limit_per_index {
        field("Backoff Limit Per Index", &limit);
    }
    if let Some(deadline) = spec.active_deadline_seconds {
        field("Active Deadline", &format!("{deadline}s"));
    }
    if let Some(start) = status.start_time {
        field("Start Time", &start);
    }
    if let Some(end) = status.completion_time {
        field("Completed At", &end);
        if let Some(start) = status.start_time {
            field("Duration", &format!("{}s", end.duration_since(start).as_secs()));
        }
    }
    let (active, ready, terminating) = (status.active, status.ready.unwrap_or(0), status.terminating.unwrap_or(0));
    let terminating = if terminating > 0 { format!(" / {terminating} Terminating") } else { String::new() };
    field(
        "Pods Statuses",
        &format!("{active} Active ({ready} Ready) / {} Succeeded / {} Failed{terminating}", status.succeeded, status.failed),
    );
    if job.indexed() {
        field("Completed Indexes", &or_none(&status.completed_indexes));
    }
    if let Some(failed) = &status.failed_indexes {
        field("Failed Indexes", &or_none(failed));
    }
    let width = fields.iter().map(|(name, _)| name.len()).max().unwrap_or(0) + 3;
    let mut text: String = fields.iter().map(|(name, value)| format!("{:<width$}{value}\n", format!("{name}:"))).collect();
    conditions(job, &mut text);
    notices(events, &mut text);
    text
}

/// The Job's name and status, as a line of JSON.
pub(crate) fn json(job: &Job) -> String {
    let told = serde_json::json!({"type": "status", "job": job.metadata.name, "namespace": job.metadata.namespace, "status": job.status});
    format!("{told}\n")
}

fn conditions(job: &Job, text: &mut String) {
    if job.status.conditions.is_empty() {
        return;
    }
    let mut rows = vec![["Type", "Status", "Reason", "Message"].map(str::to_owned)];
    for condition in &job.status.conditions {
        rows.push([&condition.kind, &condition.status, &condition.reason, &condition.message].map(|cell| cell.to_string()));
    }
    table("Conditions", &rows, text);
}

/// How many Events are shown: a Job with many pods has more of them than anybody reads.
const EVENTS: usize = 20;

/// The last Events.
fn notices(events: &[(Timestamp, Notice)], text: &mut String) {
    if events.is_empty() {
        return;
    }
    let mut rows = vec![["Type", "Reason", "At", "Message"].map(str::to_owned)];
    let earlier = events.len().saturating_sub(EVENTS);
    if earlier > 0 {
        rows.push(["…".to_owned(), String::new(), String::new(), format!("{earlier} earlier ones: --why tells them all")]);
    }
    for (at, notice) in &events[earlier..] {
        let kind = if notice.warning { "Warning" } else { "Normal" };
        rows.push([kind.to_owned(), notice.reason.clone(), api::time::whole_seconds(*at).to_string(), notice.message.clone()]);
    }
    table("Events", &rows, text);
}

/// Rows in columns; the first row is the head.
fn table(name: &str, rows: &[[String; 4]], text: &mut String) {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..4).map(width).collect();
    writeln!(text, "{name}:").expect("a string takes all");
    for row in rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        writeln!(text, "  {}", cells.join("  ").trim_end()).expect("a string takes all");
    }
}

fn or_unset(number: Option<i32>) -> String {
    number.map_or_else(|| "<unset>".to_owned(), |number| number.to_string())
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "<none>" } else { text }
}

//! `kubectl describe job`: a Job's fields, its pod template and the Events about it.
//!
//! Docs: Jobs, "Running an example Job". The template is written in `pod_template.rs`, Events in `events.rs`.

use std::fmt::Write as _;

use api::Timestamp;
use serde_json::Value;

use crate::age::{between, date, moment};
use crate::labels::{selector, write_annotations, write_labels};
use crate::value::{items, number, or_none, text};
use crate::{columns, events, pod_template};

/// How many letters of the completed indexes are shown before the list is cut at its next comma.
const INDEXES: usize = 50;

/// What `kubectl describe job` prints of this Job, with these Events about it, at this time.
#[must_use]
pub fn describe_job(job: &Value, about_it: &[Value], now: Timestamp) -> String {
    let (metadata, spec) = (&job["metadata"], &job["spec"]);
    let mut out = String::new();
    let _ = writeln!(out, "Name:\t{}", text(&metadata["name"]));
    let _ = writeln!(out, "Namespace:\t{}", text(&metadata["namespace"]));
    let _ = writeln!(out, "Selector:\t{}", selector(&spec["selector"]).unwrap_or_default());
    write_labels(&mut out, "Labels", &metadata["labels"], "");
    write_annotations(&mut out, "Annotations", &metadata["annotations"], "");
    if let Some(owner) = items(&metadata["ownerReferences"]).iter().find(|owner| owner["controller"] == true) {
        let _ = writeln!(out, "Controlled By:\t{}/{}", text(&owner["kind"]), text(&owner["name"]));
    }
    write_spec(&mut out, spec);
    write_status(&mut out, job);
    pod_template::write(&mut out, &spec["template"]);
    events::write(&mut out, about_it, now);
    columns::align(&out, 2)
}

fn write_spec(out: &mut String, spec: &Value) {
    for (name, field) in [("Parallelism", "parallelism"), ("Completions", "completions")] {
        match spec[field].as_i64() {
            Some(count) => _ = writeln!(out, "{name}:\t{count}"),
            None if field == "completions" => _ = writeln!(out, "{name}:\t<unset>"),
            None => {}
        }
    }
    if let Some(mode) = spec["completionMode"].as_str() {
        let _ = writeln!(out, "Completion Mode:\t{mode}");
    }
    for (name, field) in
        [("Suspend", "suspend"), ("Backoff Limit", "backoffLimit"), ("TTL Seconds After Finished", "ttlSecondsAfterFinished")]
    {
        if !spec[field].is_null() {
            let _ = writeln!(out, "{name}:\t{}", spec[field]);
        }
    }
}

fn write_status(out: &mut String, job: &Value) {
    let (spec, status) = (&job["spec"], &job["status"]);
    let (start, end) = (moment(&status["startTime"]), moment(&status["completionTime"]));
    if let Some(start) = start {
        let _ = writeln!(out, "Start Time:\t{}", date(start));
    }
    if let Some(end) = end {
        let _ = writeln!(out, "Completed At:\t{}", date(end));
    }
    if let (Some(start), Some(end)) = (start, end) {
        let _ = writeln!(out, "Duration:\t{}", between(start, end));
    }
    if let Some(deadline) = spec["activeDeadlineSeconds"].as_i64() {
        let _ = writeln!(out, "Active Deadline Seconds:\t{deadline}s");
    }
    let ready = status["ready"].as_i64().map(|ready| format!(" ({ready} Ready)")).unwrap_or_default();
    let [active, succeeded, failed] = ["active", "succeeded", "failed"].map(|field| number(&status[field]));
    let _ = writeln!(out, "Pods Statuses:\t{active} Active{ready} / {succeeded} Succeeded / {failed} Failed");
    if text(&spec["completionMode"]) == "Indexed" {
        let _ = writeln!(out, "Completed Indexes:\t{}", or_none(&cut(text(&status["completedIndexes"]))));
    }
}

/// The indexes, or as many of them as are shown.
fn cut(indexes: &str) -> String {
    match indexes.get(INDEXES..).and_then(|rest| rest.find(',')) {
        Some(comma) => format!("{}...", &indexes[..=INDEXES + comma]),
        None => indexes.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use super::*;

    fn job() -> Value {
        json!({
            "metadata": {"name": "flaky", "namespace": "default", "labels": {"a": "b", "c": "d"}, "annotations": {"lines": "e\nf", "g": "h"},
                         "ownerReferences": [{"kind": "CronJob", "name": "nightly", "controller": true}]},
            "spec": {"parallelism": 2, "completions": 5, "completionMode": "Indexed", "suspend": false, "backoffLimit": 2_147_483_647,
                     "backoffLimitPerIndex": 1, "ttlSecondsAfterFinished": 60, "activeDeadlineSeconds": 3600,
                     "selector": {"matchLabels": {"x": "y"}, "matchExpressions": [{"key": "b", "operator": "NotIn", "values": ["2", "1"]}]},
                     "template": {"metadata": {"labels": {"x": "y"}}, "spec": {
                         "containers": [{"name": "main", "image": "perl", "command": ["sh", "-c", "echo\nexit 1"],
                                         "resources": {"limits": {"cpu": "1.5", "memory": "1024Mi"}},
                                         "env": [{"name": "A", "value": "b"}, {"name": "CPUS", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}}],
                                         "volumeMounts": [{"name": "work", "mountPath": "/work"}]}],
                         "volumes": [{"name": "work", "emptyDir": {}}]}}},
            "status": {"startTime": "2026-01-01T00:00:00Z", "completionTime": "2026-01-01T00:07:59Z", "ready": 0, "succeeded": 4, "failed": 2,
                       "completedIndexes": "0,2-4", "failedIndexes": "1"},
        })
    }

    #[test]
    fn a_job_is_described_as_kubectl_describes_it() {
        let event = json!({"type": "Warning", "reason": "BackoffLimitExceeded", "message": "too many\n", "count": 3, "source": {"component": "job-controller"},
                           "firstTimestamp": "2026-01-01T00:00:00Z", "lastTimestamp": "2026-01-01T00:08:00Z"});
        let now = api::time::parse("2026-01-01T00:10:00Z").unwrap();
        expect![[r#"
            Name:                        flaky
            Namespace:                   default
            Selector:                    b notin (1,2),x=y
            Labels:                      a=b
                                         c=d
            Annotations:                 g: h
                                         lines:
                                           e
                                           f
            Controlled By:               CronJob/nightly
            Parallelism:                 2
            Completions:                 5
            Completion Mode:             Indexed
            Suspend:                     false
            Backoff Limit:               2147483647
            TTL Seconds After Finished:  60
            Start Time:                  Thu, 01 Jan 2026 00:00:00 +0000
            Completed At:                Thu, 01 Jan 2026 00:07:59 +0000
            Duration:                    7m59s
            Active Deadline Seconds:     3600s
            Pods Statuses:               0 Active (0 Ready) / 4 Succeeded / 2 Failed
            Completed Indexes:           0,2-4
            Pod Template:
              Labels:  x=y
              Containers:
               main:
                Image:      perl
                Port:       <none>
                Host Port:  <none>
                Command:
                  sh
                  -c
                  echo
                  exit 1
                Limits:
                  cpu:     1500m
                  memory:  1Gi
                Environment:
                  A:     b
                  CPUS:  2 (limits.cpu)
                Mounts:
                  /work from work (rw)
              Volumes:
               work:
                Type:          EmptyDir (a temporary directory that shares a pod's lifetime)
                Medium:        
                SizeLimit:     <unset>
              Node-Selectors:  <none>
              Tolerations:     <none>
            Events:
              Type     Reason                Age               From            Message
              ----     ------                ----              ----            -------
              Warning  BackoffLimitExceeded  2m (x3 over 10m)  job-controller  too many
        "#]]
        .assert_eq(&describe_job(&job(), &[event], now));
    }

    #[test]
    fn indexes_are_cut_at_a_comma() {
        let indexes = |length: usize| "12,".repeat(length);
        assert_eq!(cut(&indexes(16)), indexes(16), "48 letters");
        assert_eq!(cut(&indexes(20)), indexes(17) + "...");
        assert_eq!(cut(&format!("{},1", "9".repeat(50))), format!("{},...", "9".repeat(50)));
        assert_eq!(cut(&"9".repeat(60)), "9".repeat(60));
    }
}

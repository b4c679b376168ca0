//! What happens to a cluster from outside.
//!
//! Docs: Jobs, "Suspending a Job", "Elastic Indexed Jobs"; Garbage Collection, "Cascading deletion"; the language is described in `lib.rs`.
//! What concerns pods and nodes is done in `acting.rs`, the rest by the owner of the cluster.

use std::fmt;

use api::request::{ContentType, Method, Request, path};
use api::{Duration, Kind, Text, duration};
use cluster::Refusal;
use cluster::apiserver::Propagation;
use serde_json::{Value, json};

use super::numbers::ordinal;
use super::object_name::ObjectName;
use super::parse_annotation;
use super::selector::Selector;
use api::DEFAULT_NAMESPACE;

/// Something that happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A Job is changed.
    Job {
        /// Which; absent: the only one.
        job: Option<ObjectName>,
        /// How it is changed.
        change: JobChange,
    },
    /// A CronJob is changed.
    CronJob {
        /// Which.
        cron_job: ObjectName,
        /// How it is changed.
        change: JobChange,
    },
    /// Every Job and CronJob that is suspended is resumed.
    ResumeAll,
    /// Every Job that has not finished and every CronJob is suspended.
    SuspendAll,
    /// A Job is created: the manifest of this name, which is not applied at the beginning unless the Job is deleted before.
    CreateJob(ObjectName),
    /// A Job has a field that no validation admits, as a server of another version may have stored it.
    Overwrite {
        /// Which Job; absent: the only one.
        job: Option<ObjectName>,
        /// The field's path, names with dots between them.
        path: Text,
        /// Its value.
        value: Value,
    },
    /// A field of a pod is set.
    SetPod {
        /// The pod.
        pod: ObjectName,
        /// The field's path, names with dots between them.
        path: Text,
        /// Its value.
        value: Value,
    },
    /// Pods are deleted.
    DeletePods(Selector),
    /// Pods are evicted.
    Evict(Selector),
    /// The kubelet evicts pods, because their node is short of something.
    EvictByKubelet(Selector),
    /// Pods make room for others with a higher priority.
    Preempt(Selector),
    /// Running containers exit: those that are named, or all but the sidecars.
    Exit {
        /// Their exit code.
        code: u8,
        /// Which.
        which: Selector,
    },
    /// Pods that run become ready, whatever their rules are.
    MakeReady(Selector),
    /// The node is lost.
    LoseNode,
    /// The nodes that were lost are removed, or the one that is there if none was.
    RemoveNode,
    /// The controllers lose all that they hold in memory.
    RestartController,
    /// The API server refuses the next write.
    RefuseNextWrite(Refusal),
    /// The API server refuses to create pods for some time.
    RefuseCreations {
        /// How long.
        length: Duration,
        /// How.
        refusal: Refusal,
    },
    /// The API server refuses one of the next creations of pods.
    RefuseCreation {
        /// Which, from 1.
        number: u32,
        /// How.
        refusal: Refusal,
    },
    /// The API server no longer refuses to create pods: those that it refused on the recorded cluster, or that the script has it refuse.
    AcceptPods,
    /// For this long the controllers are not shown what changes.
    DelayWatch(Duration),
    /// Their watch ends; after this long they list everything again.
    CutWatch(Duration),
    /// For this long the controllers do nothing; changes wait for them.
    PauseController(Duration),
    /// The clock jumps forward.
    Advance(Duration),
    /// The play ends.
    End,
}

/// A change to a Job, or to a CronJob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobChange {
    /// Suspends it.
    Suspend,
    /// Resumes it.
    Resume,
    /// Sets its parallelism.
    Scale(u32),
    /// Sets a field.
    Set {
        /// The field's path, names with dots between them.
        path: Text,
        /// Its value.
        value: Value,
    },
    /// Sets an annotation, or removes it.
    Annotate {
        /// Its key.
        key: Text,
        /// Its value; absent: it is removed.
        value: Option<Text>,
    },
    /// Deletes it.
    Delete(Propagation),
}

impl Action {
    /// The request that changes a pod, a CronJob, or a Job that is named; `None` for anything else. A name without a namespace is one of the default one.
    #[must_use]
    pub fn request(&self) -> Option<Request> {
        if let Self::SetPod { pod, path: field, value } = self {
            let (path, body) = (path(Kind::Pod, namespace(pod), &pod.name, ""), merge_patch(field, value).to_string());
            return Some(Request { method: Method::Patch, path, content_type: ContentType::MergePatch, body });
        }
        let (kind, object, change) = if let Self::Job { job: Some(job), change } = self {
            (Kind::Job, job, change)
        } else if let Self::CronJob { cron_job, change } = self {
            (Kind::CronJob, cron_job, change)
        } else {
            return None;
        };
        let patch = match change {
            JobChange::Suspend => json!({"spec": {"suspend": true}}),
            JobChange::Resume => json!({"spec": {"suspend": false}}),
            JobChange::Scale(parallelism) => json!({"spec": {"parallelism": parallelism}}),
            JobChange::Set { path, value } => merge_patch(path, value),
            JobChange::Annotate { key, value } => json!({"metadata": {"annotations": {&**key: value}}}),
            JobChange::Delete(propagation) => {
                let options = json!({"propagationPolicy": propagation_name(*propagation)});
                return Some(Request::delete(kind, namespace(object), &object.name, options.to_string()));
            }
        };
        let path = path(kind, namespace(object), &object.name, "");
        Some(Request { method: Method::Patch, path, content_type: ContentType::MergePatch, body: patch.to_string() })
    }
}

impl JobChange {
    /// Writes the change with its object, as a script has it.
    fn write(&self, object: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Suspend => write!(formatter, "suspend{object}"),
            Self::Resume => write!(formatter, "resume{object}"),
            Self::Scale(parallelism) => write!(formatter, "scale{object} to {parallelism}"),
            Self::Set { path, value } => write!(formatter, "set{object} {path}={value}"),
            Self::Annotate { key, value } => {
                write!(formatter, "annotate{object} ")?;
                parse_annotation::write(key, value.as_ref(), formatter)
            }
            Self::Delete(propagation) => write!(formatter, "delete{object} {}", propagation_name(*propagation).to_ascii_lowercase()),
        }
    }
}

fn namespace(object: &ObjectName) -> &str {
    object.namespace.as_deref().unwrap_or(DEFAULT_NAMESPACE)
}

/// The merge patch that sets a field.
#[must_use]
pub fn merge_patch(path: &str, value: &Value) -> Value {
    path.rsplit('.').fold(value.clone(), |inner, field| json!({field: inner}))
}

fn propagation_name(propagation: Propagation) -> &'static str {
    match propagation {
        Propagation::Background => "Background",
        Propagation::Foreground => "Foreground",
        Propagation::Orphan => "Orphan",
    }
}

/// A Job as it is named behind an action's first word.
fn named(job: &Option<ObjectName>) -> String {
    job.as_ref().map(|job| format!(" job {job}")).unwrap_or_default()
}

impl fmt::Display for Action {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Job { job, change } => change.write(&named(job), formatter),
            Self::CronJob { cron_job, change } => change.write(&format!(" cronjob {cron_job}"), formatter),
            Self::ResumeAll => formatter.write_str("resume all"),
            Self::SuspendAll => formatter.write_str("suspend all"),
            Self::CreateJob(job) => write!(formatter, "create job {job}"),
            Self::Overwrite { job, path, value } => write!(formatter, "overwrite{} {path}={value}", named(job)),
            Self::SetPod { pod, path, value } => write!(formatter, "set pod {pod} {path}={value}"),
            Self::DeletePods(which) => write!(formatter, "delete {which}"),
            Self::Evict(which) => write!(formatter, "evict {which}"),
            Self::EvictByKubelet(which) => write!(formatter, "evict {which} by the kubelet"),
            Self::Preempt(which) => write!(formatter, "preempt {which}"),
            Self::Exit { code, which } => write!(formatter, "exit {code} in {which}"),
            Self::MakeReady(which) => write!(formatter, "make {which} ready"),
            Self::LoseNode => formatter.write_str("lose node"),
            Self::RemoveNode => formatter.write_str("remove node"),
            Self::RestartController => formatter.write_str("restart controller"),
            Self::RefuseNextWrite(refusal) => write!(formatter, "refuse next write with {}", refusal.words()),
            Self::RefuseCreations { length, refusal } => {
                write!(formatter, "refuse pod creations for {} with {}", duration::text(*length), refusal.words())
            }
            Self::RefuseCreation { number, refusal } => {
                write!(formatter, "refuse the {} pod creation with {}", ordinal(*number), refusal.words())
            }
            Self::AcceptPods => formatter.write_str("accept pods"),
            Self::DelayWatch(length) => write!(formatter, "delay watch by {}", duration::text(*length)),
            Self::CutWatch(Duration::ZERO) => formatter.write_str("cut watch"),
            Self::CutWatch(length) => write!(formatter, "cut watch for {}", duration::text(*length)),
            Self::PauseController(length) => write!(formatter, "pause controller for {}", duration::text(*length)),
            Self::Advance(length) => write!(formatter, "advance {}", duration::text(*length)),
            Self::End => formatter.write_str("end"),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::Script;

    fn check(action: &str, expected: Expect) {
        let script = Script::parse(&format!("at 0s: {action}")).unwrap();
        let request = script.actions[0].what.action.request();
        expected.assert_eq(&request.map_or("none".to_owned(), |request| {
            format!("{} {} {} {}", request.method.name(), request.path, request.content_type.name(), request.body)
        }));
    }

    #[test]
    fn changes_of_jobs_are_requests() {
        check(
            "suspend job pi",
            expect![[r#"PATCH /apis/batch/v1/namespaces/default/jobs/pi application/merge-patch+json {"spec":{"suspend":true}}"#]],
        );
        check(
            "resume job b/rho",
            expect![[r#"PATCH /apis/batch/v1/namespaces/b/jobs/rho application/merge-patch+json {"spec":{"suspend":false}}"#]],
        );
        check(
            "scale job pi to 3",
            expect![[r#"PATCH /apis/batch/v1/namespaces/default/jobs/pi application/merge-patch+json {"spec":{"parallelism":3}}"#]],
        );
        check(
            "set job pi spec.template.metadata={\"labels\":null}",
            expect![[
                r#"PATCH /apis/batch/v1/namespaces/default/jobs/pi application/merge-patch+json {"spec":{"template":{"metadata":{"labels":null}}}}"#
            ]],
        );
        check(
            "annotate job pi jobsmith.dev/hold-",
            expect![[
                r#"PATCH /apis/batch/v1/namespaces/default/jobs/pi application/merge-patch+json {"metadata":{"annotations":{"jobsmith.dev/hold":null}}}"#
            ]],
        );
        check(
            "delete job rho orphan",
            expect![[r#"DELETE /apis/batch/v1/namespaces/default/jobs/rho application/json {"propagationPolicy":"Orphan"}"#]],
        );
        check(
            "set pod b/pi-00001 metadata.labels.app=null",
            expect![[r#"PATCH /api/v1/namespaces/b/pods/pi-00001 application/merge-patch+json {"metadata":{"labels":{"app":null}}}"#]],
        );
        check(
            "suspend cronjob hello",
            expect![[r#"PATCH /apis/batch/v1/namespaces/default/cronjobs/hello application/merge-patch+json {"spec":{"suspend":true}}"#]],
        );
        check(
            "delete cronjob hello",
            expect![[r#"DELETE /apis/batch/v1/namespaces/default/cronjobs/hello application/json {"propagationPolicy":"Background"}"#]],
        );
        check("lose node", expect!["none"]);
        check("end", expect!["none"]);
        check("suspend", expect!["none"]);
    }
}

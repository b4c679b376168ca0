//! Changing objects: replacing them, patching them, and what their status subresource takes.
//!
//! Docs: API Concepts, "Patch and update"; A-07, A-14, A-15. How patches merge is in `patch/`; nodes change pods through `pods.rs`.

use std::sync::Arc;

use ::admission::warnings;
use api::request::{ApiError, ContentType};
use api::{CronJob, Job, Kind, ObjectMeta, Text, Timestamp};
use serde_json::{Map, Value};

use super::body::{BodyPart, DesiredObject};
use super::target::Target;
use super::{Answer, ApiServer, admission, errors};
use crate::patch;
use crate::pod::{StoredPod, StoredPodSpec, StoredPodStatus};
use crate::stored::{Stored, StoredObject};

impl ApiServer {
    /// Replaces an object or its status.
    pub(crate) fn replace(&mut self, target: Target<'_>, body: &str, now: Timestamp) -> Result<Answer, ApiError> {
        let draft = DesiredObject::read(target.kind, target.namespace, body)?;
        check_name(&draft.metadata, target)?;
        let stored = Arc::clone(self.find(target)?);
        let (wanted, held) = (&draft.metadata.uid, &stored.metadata().uid);
        if !wanted.is_empty() && wanted != held {
            return Err(errors::other_uid(target.kind, target.namespace, target.name, wanted, held));
        }
        self.update(&stored, draft, target.status, now)
    }

    /// Changes parts of an object or of its status.
    pub(crate) fn patch(&mut self, target: Target<'_>, content_type: ContentType, body: &str, now: Timestamp) -> Result<Answer, ApiError> {
        let stored = Arc::clone(self.find(target)?);
        let draft = patched(&stored, content_type, body)?;
        check_name(&draft.metadata, target)?;
        if *draft.metadata.namespace != *target.namespace {
            return Err(errors::other_namespace());
        }
        self.update(&stored, draft, target.status, now)
    }

    /// Merges a patch into an object as the session protocol does: whatever its version is, and into all of a pod.
    ///
    /// # Errors
    /// If the patch cannot be merged, or if what comes of it is refused.
    pub fn merge(&mut self, stored: &Arc<Stored>, merge: &str, now: Timestamp) -> Result<(), ApiError> {
        let mut draft = patched(stored, ContentType::MergePatch, merge)?;
        draft.metadata.resource_version = Text::default();
        let StoredObject::Pod(old) = stored.object() else { return self.update(stored, draft, false, now).map(|_| ()) };
        let metadata = complete(draft.metadata, &old.metadata);
        let pod = StoredPod { status: read_status(draft.status, old)?, ..updated_pod(metadata, draft.spec, old)? };
        self.write(stored, StoredObject::Pod(Box::new(pod)), now);
        Ok(())
    }

    /// Merges a patch into a Job that no validation sees, as a server of another version may have stored it.
    ///
    /// # Errors
    /// If there is no such Job or the patch cannot be merged.
    pub fn overwrite_job(&mut self, namespace: &str, name: &str, merge: &str, now: Timestamp) -> Result<(), ApiError> {
        let stored = Arc::clone(self.find(Target { kind: Kind::Job, namespace, name, status: false })?);
        let draft = patched(&stored, ContentType::MergePatch, merge)?;
        let StoredObject::Job(old) = stored.object() else { return Ok(()) };
        let spec = draft.spec.read(Kind::Job)?.unwrap_or_else(|| old.spec.clone());
        let status = draft.status.read(Kind::Job)?.unwrap_or_else(|| old.status.clone());
        let generation = old.metadata.generation + i64::from(spec != old.spec);
        let metadata = ObjectMeta { generation, ..old.metadata.clone() };
        self.write(&stored, StoredObject::Job(Box::new(Job { metadata, spec, status })), now);
        Ok(())
    }

    /// Stores what the draft makes of an object, unless it changes nothing.
    pub(crate) fn update(
        &mut self,
        stored: &Arc<Stored>,
        draft: DesiredObject<'_>,
        status: bool,
        now: Timestamp,
    ) -> Result<Answer, ApiError> {
        let held = stored.metadata();
        let given = &draft.metadata.resource_version;
        if !given.is_empty() && given.parse::<u64>().is_err() {
            return Err(errors::internal(format!("strconv.ParseUint: parsing {given:?}: invalid syntax")));
        }
        // Version 0 is any.
        if !["", "0", &held.resource_version].contains(&&**given) {
            return Err(errors::modified(stored.kind(), &held.name));
        }
        let metadata = complete(draft.metadata, held);
        let object = match (stored.object(), status) {
            (StoredObject::CronJob(old), false) => {
                let spec = draft.spec.read_cron_job_spec()?.unwrap_or_else(|| old.spec.clone());
                let cron_job = admission::update_cron_job(CronJob { metadata, spec, status: old.status.clone() }, old)?;
                self.warn(Kind::CronJob, &old.metadata.namespace, &old.metadata.name, warnings::update_cron_job(&cron_job, old));
                StoredObject::CronJob(Box::new(cron_job))
            }
            (StoredObject::CronJob(old), true) => {
                let status = draft.status.read(Kind::CronJob)?.unwrap_or_else(|| old.status.clone());
                StoredObject::CronJob(Box::new(admission::update_cron_job_status(
                    CronJob { metadata, spec: old.spec.clone(), status },
                    old,
                )?))
            }
            (StoredObject::Job(old), false) => {
                let spec = draft.spec.read(Kind::Job)?.unwrap_or_else(|| old.spec.clone());
                let job = admission::update_job(Job { metadata, spec, status: old.status.clone() }, old)?;
                self.warn(Kind::Job, &old.metadata.namespace, &old.metadata.name, warnings::update(&job, old));
                StoredObject::Job(Box::new(job))
            }
            (StoredObject::Job(old), true) => {
                let status = draft.status.read(Kind::Job)?.unwrap_or_else(|| old.status.clone());
                StoredObject::Job(Box::new(admission::update_job_status(Job { metadata, spec: old.spec.clone(), status }, old)?))
            }
            (StoredObject::Pod(old), false) => {
                let pod = updated_pod(metadata, draft.spec, old)?;
                admission::check_pod(&pod, old)?;
                StoredObject::Pod(Box::new(pod))
            }
            (StoredObject::Pod(old), true) => {
                let pod = updated_pod_status(metadata, draft.status, old)?;
                admission::check_pod(&pod, old)?;
                StoredObject::Pod(Box::new(pod))
            }
        };
        Ok(Answer::Object(self.write(stored, object, now)))
    }

    /// Stores another state of an object and carries out what follows; returns the object as it was written.
    ///
    /// A write that changes nothing gets no new version and is not shown to watches, but what waits for the object's end is checked once more.
    pub(crate) fn write(&mut self, stored: &Arc<Stored>, object: StoredObject, now: Timestamp) -> Arc<Stored> {
        if object == *stored.object() {
            self.settle(stored, now);
            return Arc::clone(stored);
        }
        if ready_to_go(object.metadata()) {
            // A server does not store the change that removes an object: watches show the state before it.
            self.let_go(stored, now);
            return Arc::new(Stored::new(object));
        }
        let owners_changed = object.metadata().owner_references != stored.metadata().owner_references;
        let written = self.store.put(object);
        if owners_changed {
            self.consider_owners(&written, now);
        }
        self.settle(&written, now);
        written
    }
}

/// The parts of an object.
const PARTS: [&str; 3] = ["metadata", "spec", "status"];

/// Whether an object to be deleted is held by nothing any more.
pub(crate) fn ready_to_go(metadata: &ObjectMeta) -> bool {
    metadata.deleting() && metadata.finalizers.is_empty() && metadata.deletion_grace_period_seconds.unwrap_or(0) == 0
}

fn check_name(metadata: &ObjectMeta, target: Target<'_>) -> Result<(), ApiError> {
    if *metadata.name == *target.name { Ok(()) } else { Err(errors::other_name(&metadata.name, target.name)) }
}

/// Metadata as a client gives it, with what only the server sets.
fn complete(given: ObjectMeta, held: &ObjectMeta) -> ObjectMeta {
    ObjectMeta {
        namespace: held.namespace.clone(),
        uid: if given.uid.is_empty() { held.uid.clone() } else { given.uid },
        resource_version: held.resource_version.clone(),
        generation: held.generation,
        creation_timestamp: held.creation_timestamp,
        deletion_timestamp: given.deletion_timestamp.or(held.deletion_timestamp),
        deletion_grace_period_seconds: given.deletion_grace_period_seconds.or(held.deletion_grace_period_seconds),
        ..given
    }
}

fn updated_pod(mut metadata: ObjectMeta, spec: BodyPart<'_>, old: &StoredPod) -> Result<StoredPod, ApiError> {
    let spec = match spec.read(Kind::Pod)? {
        Some(fields) => StoredPodSpec::read(fields).map_err(|error| errors::unreadable(Kind::Pod, error))?,
        None => old.spec.clone(),
    };
    if spec != old.spec {
        metadata.generation += 1;
    }
    Ok(StoredPod { metadata, spec, status: old.status.clone() })
}

/// A pod's status subresource takes no owners and no end of the pod.
fn updated_pod_status(metadata: ObjectMeta, status: BodyPart<'_>, old: &StoredPod) -> Result<StoredPod, ApiError> {
    let status = read_status(status, old)?;
    let metadata = ObjectMeta {
        owner_references: old.metadata.owner_references.clone(),
        deletion_timestamp: old.metadata.deletion_timestamp,
        deletion_grace_period_seconds: old.metadata.deletion_grace_period_seconds,
        ..metadata
    };
    Ok(StoredPod { metadata, spec: old.spec.clone(), status })
}

fn read_status(status: BodyPart<'_>, old: &StoredPod) -> Result<StoredPodStatus, ApiError> {
    let Some(fields) = status.read(Kind::Pod)? else { return Ok(old.status.clone()) };
    StoredPodStatus::read(fields).map_err(|error| errors::unreadable(Kind::Pod, error))
}

/// What a patch makes of a stored object; only the parts that it names are taken apart.
fn patched<'a>(stored: &Stored, content_type: ContentType, body: &str) -> Result<DesiredObject<'a>, ApiError> {
    let changes: Map<String, Value> = serde_json::from_str(body).map_err(|error| match content_type {
        ContentType::Json | ContentType::StrategicMergePatch => errors::bad_request(error.to_string()),
        ContentType::MergePatch => errors::bad_request(format!("error decoding patch: {error}")),
    })?;
    let named: Vec<&str> = PARTS.into_iter().filter(|part| changes.contains_key(*part)).collect();
    let mut parts = values(stored, &named);
    match content_type {
        ContentType::Json => return Err(errors::unsupported_media_type()),
        ContentType::MergePatch => {
            let mut merged = Value::Object(parts);
            patch::merge(&mut merged, Value::Object(changes));
            let Value::Object(merged) = merged else { return Err(errors::unreadable_patch("the result is not an object")) };
            parts = merged;
        }
        ContentType::StrategicMergePatch => {
            patch::strategic(Some(schema::of(stored.kind().name())), &mut parts, changes)
                .map_err(|refused| errors::internal(refused.to_string()))?;
        }
    }
    let kind = stored.kind();
    // The kind in a strategic patch is not read.
    let read = content_type == ContentType::MergePatch;
    for (field, held) in [("kind", kind.name()), ("apiVersion", kind.api_version())] {
        if read && parts.get(field).is_some_and(|given| given != held) {
            return Err(errors::unreadable_patch(format_args!("{field} must stay {held:?}")));
        }
    }
    let mut part = |name| match parts.remove(name) {
        Some(value) => BodyPart::Value(value),
        None if named.contains(&name) => BodyPart::Empty,
        None => BodyPart::Unchanged,
    };
    let metadata = part("metadata").read(kind)?.unwrap_or_else(|| stored.metadata().clone());
    Ok(DesiredObject { metadata, spec: part("spec"), status: part("status") })
}

/// These parts of an object, as values.
fn values(stored: &Stored, named: &[&str]) -> Map<String, Value> {
    let value = |part: &str| match (part, stored.object()) {
        ("metadata", object) => serde_json::to_value(object.metadata()),
        ("spec", StoredObject::CronJob(cron_job)) => serde_json::to_value(&cron_job.spec),
        ("spec", StoredObject::Job(job)) => serde_json::to_value(&job.spec),
        ("spec", StoredObject::Pod(pod)) => serde_json::from_str(&pod.spec.json()),
        (_, StoredObject::CronJob(cron_job)) => serde_json::to_value(&cron_job.status),
        (_, StoredObject::Job(job)) => serde_json::to_value(&job.status),
        (_, StoredObject::Pod(pod)) => serde_json::from_str(pod.status.json()),
    };
    let mut values = Map::new();
    values.extend(named.iter().map(|part| ((*part).to_owned(), value(part).expect("a stored object was read from JSON"))));
    values
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::testing::{cron_job, job, pod, send_line, server};
    use crate::{ApiServer, Dependence};

    fn jobs_and_pods() -> ApiServer {
        let mut server = server(Dependence::OnOwners);
        send_line(&mut server, &job("pi", ""), 0);
        send_line(&mut server, &pod("a", r#","finalizers":["x.y/z"]"#, "node"), 0);
        server
    }

    fn check(lines: &[&str], expected: Expect) {
        let mut server = jobs_and_pods();
        let answers: Vec<String> = lines.iter().map(|line| send_line(&mut server, line, 1)).collect();
        expected.assert_eq(&answers.join("\n"));
    }

    #[test]
    fn a_14_another_spec_is_another_generation_and_status_is_left_alone() {
        check(
            &[
                r#"PATCH jobs/pi merge {"spec":{"parallelism":3},"status":{"active":9}}"#,
                r#"PATCH jobs/pi merge {"metadata":{"labels":{"a":"b"}}}"#,
                r#"PATCH jobs/pi strategic {"metadata":{"generation":9},"spec":{"parallelism":null}}"#,
                r#"PATCH pods/a merge {"spec":{"activeDeadlineSeconds":5},"status":{"phase":"Running"}}"#,
            ],
            expect![[r#"
                pi v3 g2
                pi v4 g2
                pi v5 g3
                a v6 g2 Pending held by x.y/z"#]],
        );
    }

    #[test]
    fn a_15_the_status_subresource_takes_status_and_metadata_only() {
        check(
            &[
                r#"PUT jobs/pi/status {"metadata":{"name":"pi","labels":{"a":"b"}},"spec":{"parallelism":7},"status":{"active":1}}"#,
                r#"PATCH jobs/pi/status merge {"spec":{"parallelism":7},"status":{"active":-1}}"#,
                r#"PATCH pods/a/status strategic {"status":{"phase":"Running"},"metadata":{"ownerReferences":[{"uid":"u"}]}}"#,
                r#"PUT pods/a/status {"metadata":{"name":"a","finalizers":["x.y/z"]},"status":{"phase":"Failed"}}"#,
                r#"PATCH pods/a/status merge {"status":null}"#,
            ],
            expect![[r#"
                pi v3 g1
                422 Invalid: Job.batch "pi" is invalid: status.active: Invalid value: -1: must be greater than or equal to 0
                a v4 g1 Running held by x.y/z
                a v5 g1 Failed held by x.y/z
                a v6 g1  held by x.y/z"#]],
        );
        let mut server = jobs_and_pods();
        send_line(&mut server, r#"PATCH jobs/pi/status merge {"spec":{"parallelism":7},"status":{"active":1}}"#, 1);
        let job = server.object(api::Kind::Job, "default", "pi").unwrap().job().unwrap();
        assert_eq!((job.spec.parallelism, job.status.active), (Some(1), 1));
    }

    #[test]
    fn a_162_a_cron_job_may_change_and_its_status_is_not_validated() {
        let status =
            r#"{"status":{"active":[{"kind":"Job","name":"x"},{"kind":"Job","name":"x"}],"lastScheduleTime":"2026-01-02T12:00:00Z"}}"#;
        check(
            &[
                &cron_job("c", ""),
                r#"PATCH cronjobs/c merge {"spec":{"suspend":true,"schedule":"@weekly"},"status":{"active":[{}]}}"#,
                r#"PATCH cronjobs/c strategic {"spec":{"jobTemplate":{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"j"}]}}}}}}"#,
                r#"PATCH cronjobs/c strategic {"spec":{"jobTemplate":{"metadata":{"labels":{"a b":"c d"}}}}}"#,
                r#"PATCH cronjobs/c merge {"spec":{"concurrencyPolicy":"Other","jobTemplate":{"spec":{"parallelism":-1}}}}"#,
                r#"PATCH cronjobs/c merge {"spec":{"jobTemplate":{"spec":{"parallelism":"x"}}}}"#,
                r#"PATCH cronjobs/c merge {"metadata":{"labels":{"a":"b"}},"spec":{"suspend":null,"jobTemplate":{"spec":{"parallelism":null}}}}"#,
                &format!("PATCH cronjobs/c/status strategic {status}"),
                r#"PATCH cronjobs/c merge {"spec":{"jobTemplate":{"spec":{"template":{"spec":{"tolerations":[]}}}}}}"#,
                r#"PATCH cronjobs/c merge {"metadata":{"finalizers":["plain"]}}"#,
                r#"PATCH cronjobs/c/status merge {"metadata":{"finalizers":["a b"]},"spec":{"suspend":true}}"#,
                r#"PUT cronjobs/c/status {"metadata":{"name":"c"}}"#,
                r#"PATCH cronjobs/d merge {}"#,
            ],
            expect![[r#"
                c v3 g1
                c v4 g2
                c v5 g3
                c v6 g4
                422 Invalid: CronJob.batch "c" is invalid: [spec.concurrencyPolicy: Unsupported value: "Other": supported values: "Allow", "Forbid", "Replace", spec.jobTemplate.spec.parallelism: Invalid value: -1: must be greater than or equal to 0]
                422 Invalid:  "" is invalid: patch: Invalid value: parallelism: expected a whole number, found text
                c v7 g5
                c v8 g5
                c v8 g5
                422 Invalid: CronJob.batch "c" is invalid: metadata.finalizers[0]: Invalid value: "plain": name is neither a standard finalizer name nor is it fully qualified
                422 Invalid: CronJob.batch "c" is invalid: metadata.finalizers: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
                c v9 g5
                404 NotFound: cronjobs.batch "d" not found"#]],
        );
    }

    #[test]
    fn a_41_a_suspended_job_may_lose_the_generated_labels_that_it_does_not_select_by() {
        let labels = |labels: &str| format!(r#"{{"spec":{{"template":{{"metadata":{{"labels":{labels}}}}}}}}}"#);
        let selected = |value: &str| labels(&format!(r#"{{"batch.kubernetes.io/controller-uid":{value}}}"#));
        let held = r#"{"batch.kubernetes.io/controller-uid":"job-s-1"}"#;
        let put = format!(
            r#"PUT jobs/s {{"metadata":{{"name":"s"}},"spec":{{"suspend":true,"selector":{{"matchLabels":{held}}},"template":{{"metadata":{{"labels":{held}}},"spec":{{"restartPolicy":"Never","containers":[{{"name":"main","image":"i"}}]}}}}}}}}"#
        );
        check(
            &[
                &job("s", "").replace(r#""spec":{"template""#, r#""spec":{"suspend":true,"template""#),
                &format!("PATCH jobs/s merge {}", labels(r#"{"job-name":null}"#)),
                &format!("PATCH jobs/s strategic {}", labels(r#"{"job-name":"e","batch.kubernetes.io/job-name":"e"}"#)),
                &put,
                &format!("PATCH jobs/s merge {}", selected("null")),
                &format!("PATCH jobs/s strategic {}", selected(r#""e""#)),
                &put.replace(&format!(r#"labels":{held}"#), r#"labels":{"app":"e"}"#),
                &put.replace(held, r#"{"app":"e"}"#),
                &format!("PATCH jobs/pi merge {}", labels(r#"{"job-name":null}"#)),
            ],
            expect![[r#"
                s v3 g1
                s v4 g2
                s v5 g3
                s v6 g4
                422 Invalid: Job.batch "s" is invalid: spec.template.metadata.labels: Invalid value: {}: `selector` does not match template `labels`
                422 Invalid: Job.batch "s" is invalid: spec.template.metadata.labels: Invalid value: {"batch.kubernetes.io/controller-uid":"e"}: `selector` does not match template `labels`
                422 Invalid: Job.batch "s" is invalid: spec.template.metadata.labels: Invalid value: {"app":"e"}: `selector` does not match template `labels`
                422 Invalid: Job.batch "s" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"e"}}: field is immutable
                422 Invalid: Job.batch "pi" is invalid: spec.template: Invalid value: {"metadata":{"labels":{"batch.kubernetes.io/controller-uid":"job-pi-1","batch.kubernetes.io/job-name":"pi","controller-uid":"job-pi-1"}},"spec":{"containers":[{"image":"i","imagePullPolicy":"Always","name":"main","resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],"dnsPolicy":"ClusterFirst","restartPolicy":"Never","schedulerName":"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30}}: field is immutable"#]],
        );
    }

    #[test]
    fn a_write_that_changes_nothing_is_none() {
        let mut server = jobs_and_pods();
        let watch = server.watch(None);
        let same = [
            r#"PATCH jobs/pi merge {}"#,
            r#"PATCH jobs/pi merge {"spec":{"parallelism":1,"template":{"spec":{"restartPolicy":"Never"}}}}"#,
            r#"PATCH pods/a strategic {"metadata":{"finalizers":["x.y/z"]},"spec":{"nodeName":"node"}}"#,
            r#"PUT pods/a/status {"metadata":{"name":"a","finalizers":["x.y/z"]},"status":{"phase":"Pending"}}"#,
        ];
        let answers = same.map(|line| send_line(&mut server, line, 1));
        expect![[r#"
            pi v1 g1
            pi v1 g1
            a v2 g1 Pending held by x.y/z
            a v2 g1 Pending held by x.y/z"#]]
        .assert_eq(&answers.join("\n"));
        assert!(server.next_write(watch).is_none());
    }

    #[test]
    fn who_knows_another_version_or_object_is_refused() {
        check(
            &[
                r#"PATCH jobs/pi merge {"metadata":{"resourceVersion":"9"}}"#,
                r#"PUT pods/a/status {"metadata":{"name":"a","resourceVersion":"9"}}"#,
                r#"PUT pods/a {"metadata":{"name":"a","uid":"other"}}"#,
                r#"PATCH pods/a strategic {"metadata":{"uid":"other","$deleteFromPrimitiveList/finalizers":["x.y/z"]}}"#,
                r#"PUT pods/a {"metadata":{"name":"b"}}"#,
                r#"PUT pods/a {}"#,
                r#"PATCH pods/a merge {"metadata":{"name":"b"}}"#,
                r#"PATCH pods/a merge {"metadata":{"namespace":"b"}}"#,
                r#"PATCH pods/b merge {}"#,
                r#"PUT pods/a {"metadata":{"name":"a","resourceVersion":"old"}}"#,
                r#"PATCH jobs/pi merge {"metadata":{"resourceVersion":"0","labels":{"a":"b"}}}"#,
            ],
            expect![[r#"
                409 Conflict: Operation cannot be fulfilled on jobs.batch "pi": the object has been modified; please apply your changes to the latest version and try again
                409 Conflict: Operation cannot be fulfilled on pods "a": the object has been modified; please apply your changes to the latest version and try again
                409 Conflict: Operation cannot be fulfilled on pods "a": StorageError: invalid object, Code: 4, Key: /registry/pods/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: pod-a-1
                422 Invalid: Pod "a" is invalid: metadata.uid: Invalid value: "other": field is immutable
                400 BadRequest: the name of the object (b) does not match the name on the URL (a)
                400 BadRequest: the name of the object (a based on URL) was undeterminable: name must be provided
                400 BadRequest: the name of the object (b) does not match the name on the URL (a)
                400 BadRequest: the namespace of the provided object does not match the namespace sent on the request
                404 NotFound: pods "b" not found
                500 : strconv.ParseUint: parsing "old": invalid syntax
                pi v3 g1"#]],
        );
    }

    #[test]
    fn what_is_no_patch_is_refused() {
        check(
            &[
                "PATCH pods/a {}",
                "PATCH pods/a merge [1]",
                "PATCH pods/a strategic {",
                r#"PATCH pods/a merge {"kind":"Job"}"#,
                r#"PATCH pods/a merge {"metadata":{"labels":1}}"#,
                r#"PATCH jobs/pi merge {"spec":{"parallelism":"x"}}"#,
                r#"PATCH pods/a strategic {"metadata":{"ownerReferences":[{"name":"x"}]}}"#,
                r#"PATCH pods/a merge {"spec":{"hostname":"x"}}"#,
                r#"PATCH pods/a strategic {"spec":{"containers":[{"name":"more"}]}}"#,
                r#"PATCH pods/a merge {"metadata":{"finalizers":["plain"]}}"#,
            ],
            expect![[r#"
                415 UnsupportedMediaType: 415: Unsupported Media Type
                400 BadRequest: error decoding patch: invalid type: sequence, expected a map at line 1 column 0
                400 BadRequest: EOF while parsing an object at line 1 column 1
                422 Invalid:  "" is invalid: patch: Invalid value: kind must stay "Pod"
                422 Invalid:  "" is invalid: patch: Invalid value: labels: expected an object, found a number
                422 Invalid:  "" is invalid: patch: Invalid value: parallelism: expected a whole number, found text
                422 Invalid: Pod "a" is invalid: [metadata.ownerReferences[0].apiVersion: Required value: must not be empty, metadata.ownerReferences[0].kind: Required value: must not be empty, metadata.ownerReferences[0].uid: Required value: must not be empty]
                422 Invalid: Pod "a" is invalid: spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)
                422 Invalid: Pod "a" is invalid: spec.containers: Forbidden: pod updates may not add or remove containers
                422 Invalid: Pod "a" is invalid: metadata.finalizers[0]: Invalid value: "plain": name is neither a standard finalizer name nor is it fully qualified"#]],
        );
    }

    #[test]
    fn a_deadline_of_a_pod_is_made_shorter_only() {
        let deadline = |seconds: &str| format!(r#"PATCH pods/a merge {{"spec":{{"activeDeadlineSeconds":{seconds}}}}}"#);
        let lines = ["100", "50", "70", "null"].map(deadline);
        check(
            &lines.each_ref().map(|line| &**line),
            expect![[r#"
            a v3 g2 Pending held by x.y/z
            a v4 g3 Pending held by x.y/z
            422 Invalid: Pod "a" is invalid: spec.activeDeadlineSeconds: Invalid value: 70: must be less than or equal to previous value
            422 Invalid: Pod "a" is invalid: spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value"#]],
        );
    }

    #[test]
    fn what_is_being_deleted_goes_with_its_last_finalizer() {
        check(
            &[
                "DELETE pods/a {\"gracePeriodSeconds\":0}",
                r#"PATCH pods/a merge {"metadata":{"finalizers":["x.y/z","x.y/q"]}}"#,
                r#"PATCH pods/a strategic {"metadata":{"$deleteFromPrimitiveList/finalizers":["x.y/z"]}}"#,
                "GET pods/a",
            ],
            expect![[r#"
                a v3 g2 Pending held by x.y/z goes at 12:00:01 after 0 s
                422 Invalid: Pod "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.y/q"}
                a v3 g2 Pending goes at 12:00:01 after 0 s
                404 NotFound: pods "a" not found"#]],
        );
    }
}

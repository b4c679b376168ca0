//! Deleting objects: preconditions, propagation, grace periods, finalizers.
//!
//! Docs: Finalizers, "How finalizers work"; Garbage Collection, "Cascading deletion"; Pod Lifecycle, "Pod Termination Flow" (A-11, A-12).
//! Dependents are deleted in `garbage_collector.rs`.

use std::sync::Arc;

use ::admission::warnings::PODS_PRESERVED;
use api::json::{self, Read};
use api::meta::names::{DELETION_FINALIZERS, FOREGROUND, ORPHAN};
use api::request::ApiError;
use api::{Duration, Kind, ObjectMeta, Text, Timestamp, time};

use super::target::Target;
use super::update::ready_to_go;
use super::{Answer, ApiServer, errors};
use crate::garbage_collector::Dependence;
use crate::stored::{Stored, StoredObject};

/// What happens to the dependents of an object that is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Propagation {
    /// The object goes first, its dependents afterwards.
    Background,
    /// The dependents go first.
    Foreground,
    /// The dependents stay, without the object as their owner.
    Orphan,
}

#[derive(Default, Read)]
struct DeleteBody {
    grace_period_seconds: Option<i64>,
    preconditions: Option<DeletePreconditions>,
    propagation_policy: Option<Text>,
    orphan_dependents: Option<bool>,
}

#[derive(Default, Read)]
struct DeletePreconditions {
    uid: Option<Text>,
    resource_version: Option<Text>,
}

impl ApiServer {
    /// Deletes an object, or starts to.
    pub(crate) fn delete(&mut self, target: Target<'_>, body: &str, now: Timestamp) -> Result<Answer, ApiError> {
        let options = match body {
            "" => DeleteBody::default(),
            body if !body.trim_start().starts_with('{') => return Err(errors::bad_request("the body is not a JSON object")),
            body => json::from_str(body).map_err(|error| errors::bad_request(error.to_string()))?,
        };
        let propagation = options.propagation()?;
        if target.kind == Kind::Job && propagation.is_none() {
            self.warn(target.kind, target.namespace, target.name, [PODS_PRESERVED.to_owned()]);
        }
        let stored = Arc::clone(self.find(target)?);
        let metadata = stored.metadata();
        let preconditions = options.preconditions.unwrap_or_default();
        if let Some(wanted) = preconditions.uid.filter(|wanted| *wanted != metadata.uid) {
            return Err(errors::other_uid_to_delete(target.kind, target.name, &wanted, &metadata.uid));
        }
        if let Some(wanted) = preconditions.resource_version.filter(|wanted| *wanted != metadata.resource_version) {
            return Err(errors::other_version_to_delete(target.kind, target.name, &wanted, &metadata.resource_version));
        }
        Ok(self.begin_deletion(&stored, propagation, options.grace_period_seconds, now))
    }

    /// Deletes a stored object, or starts to, with this grace period in seconds or with its own.
    pub fn begin_deletion(&mut self, stored: &Arc<Stored>, propagation: Option<Propagation>, grace: Option<i64>, now: Timestamp) -> Answer {
        let mut object = stored.object().clone();
        let own_grace = own_grace_period(&object, grace);
        let finalizers = self.finalizers(&object, propagation);
        let metadata = object.metadata_mut();
        match metadata.deletion_grace_period_seconds {
            Some(pending) if metadata.deleting() && pending > 0 => shorten(metadata, pending, grace),
            _ if metadata.deleting() => *metadata.finalizers = finalizers,
            _ => {
                *metadata.finalizers = finalizers;
                metadata.deletion_timestamp = Some(time::after(time::whole_seconds(now), Duration::from_secs(own_grace)));
                metadata.deletion_grace_period_seconds = Some(own_grace);
                metadata.generation += 1;
            }
        }
        if !ready_to_go(object.metadata()) {
            return Answer::Object(self.write(stored, object, now));
        }
        match object.kind() {
            Kind::CronJob | Kind::Job => {
                self.let_go(stored, now);
                Answer::Deleted
            }
            Kind::Pod => {
                // Watches see that a pod is being deleted before they see it go.
                let marked = self.store.put(object);
                Answer::Object(self.let_go(&marked, now))
            }
        }
    }

    /// The finalizers of an object that is deleted so; without a wish, those of an earlier one stay, else a Job's dependents do (A-11),
    /// and those of others go (A-12).
    fn finalizers(&self, object: &StoredObject, propagation: Option<Propagation>) -> Vec<Text> {
        let metadata = object.metadata();
        let wished = metadata.has_finalizer(FOREGROUND) || metadata.has_finalizer(ORPHAN);
        let propagation = match (propagation, object.kind()) {
            (Some(propagation), _) => propagation,
            (None, _) if wished => return metadata.finalizers.to_vec(),
            (None, Kind::Job) => Propagation::Orphan,
            (None, Kind::CronJob | Kind::Pod) => Propagation::Background,
        };
        if self.store.dependence() == Dependence::OnController && (object.kind() == Kind::Pod || propagation == Propagation::Background) {
            return metadata.finalizers.to_vec();
        }
        let (added, removed): (Option<&str>, &[&str]) = match propagation {
            Propagation::Background => (None, &DELETION_FINALIZERS),
            Propagation::Foreground => (Some(FOREGROUND), &[ORPHAN]),
            Propagation::Orphan => (Some(ORPHAN), &[FOREGROUND]),
        };
        let mut finalizers: Vec<Text> = metadata.finalizers.iter().filter(|held| !removed.contains(&&***held)).cloned().collect();
        if let Some(added) = added.filter(|added| !metadata.has_finalizer(added)) {
            finalizers.push(added.into());
        }
        finalizers
    }
}

/// Seconds until the object goes: none for anything but a pod, and for a pod that has no node or has ended; a negative grace period means one second.
fn own_grace_period(object: &StoredObject, grace: Option<i64>) -> i64 {
    match object {
        StoredObject::Pod(pod) if !pod.spec.node_name().is_empty() && !pod.ended() => {
            match grace.unwrap_or(pod.spec.grace_period_seconds()) {
                ..0 => 1,
                seconds => seconds,
            }
        }
        StoredObject::CronJob(_) | StoredObject::Job(_) | StoredObject::Pod(_) => 0,
    }
}

/// A repeated request may make a grace period shorter, and nothing else.
fn shorten(metadata: &mut ObjectMeta, pending: i64, grace: Option<i64>) {
    let Some(grace) = grace.map(|seconds| if seconds < 0 { 1 } else { seconds }).filter(|seconds| *seconds < pending) else { return };
    let end = metadata.deletion_timestamp.map(|end| time::after(end, Duration::from_secs(grace - pending)));
    metadata.deletion_timestamp = end;
    metadata.deletion_grace_period_seconds = Some(grace);
}

impl DeleteBody {
    fn propagation(&self) -> Result<Option<Propagation>, ApiError> {
        let refused = |reason, message: String| errors::invalid("DeleteOptions.meta.k8s.io", "", "propagationPolicy", reason, &message);
        match (self.propagation_policy.as_deref(), self.orphan_dependents) {
            (None, None) => Ok(None),
            (None, Some(true)) => Ok(Some(Propagation::Orphan)),
            (None, Some(false)) | (Some("Background"), None) => Ok(Some(Propagation::Background)),
            (Some("Foreground"), None) => Ok(Some(Propagation::Foreground)),
            (Some("Orphan"), None) => Ok(Some(Propagation::Orphan)),
            (Some(other), None) => Err(refused(
                "FieldValueNotSupported",
                format!(r#"Unsupported value: {other:?}: supported values: "Foreground", "Background", "Orphan", "nil""#),
            )),
            (Some(policy), Some(_)) => Err(refused(
                "FieldValueInvalid",
                format!("Invalid value: {policy:?}: orphanDependents and deletionPropagation cannot be both set"),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::Dependence;
    use crate::testing::{cron_job, job, pod, send_line, server};

    /// Sends one line a second.
    fn check(dependence: Dependence, lines: &[&str], expected: Expect) {
        let mut server = server(dependence);
        let answers: Vec<String> = lines.iter().zip(0..).map(|(line, second)| send_line(&mut server, line, second)).collect();
        expected.assert_eq(&answers.join("\n"));
    }

    #[test]
    fn a_pod_goes_at_once_unless_it_runs_or_is_held() {
        check(
            Dependence::OnOwners,
            &[
                &pod("new", "", ""),
                "DELETE pods/new",
                &pod("held", r#","finalizers":["x.y/z"]"#, ""),
                "DELETE pods/held",
                "DELETE pods/held",
                &pod("ended", "", "node"),
                r#"PATCH pods/ended/status merge {"status":{"phase":"Failed"}}"#,
                r#"DELETE pods/ended {"gracePeriodSeconds":20}"#,
                "GET pods",
            ],
            expect![[r#"
                new v1 g1 Pending
                new v3 g2 Pending goes at 12:00:01 after 0 s
                held v4 g1 Pending held by x.y/z
                held v5 g2 Pending held by x.y/z goes at 12:00:03 after 0 s
                held v5 g2 Pending held by x.y/z goes at 12:00:03 after 0 s
                ended v6 g1 Pending
                ended v7 g1 Failed
                ended v9 g2 Failed goes at 12:00:07 after 0 s
                [held v5 g2 Pending held by x.y/z goes at 12:00:03 after 0 s]"#]],
        );
    }

    #[test]
    fn a_running_pod_has_its_grace_period_which_can_be_made_shorter() {
        check(
            Dependence::OnOwners,
            &[
                &pod("a", "", "node"),
                "DELETE pods/a",
                "DELETE pods/a",
                r#"DELETE pods/a {"gracePeriodSeconds":50}"#,
                r#"DELETE pods/a {"gracePeriodSeconds":10,"propagationPolicy":"Foreground"}"#,
                r#"DELETE pods/a {"gracePeriodSeconds":-5}"#,
                r#"DELETE pods/a {"gracePeriodSeconds":0}"#,
                "GET pods",
            ],
            expect![[r#"
                a v1 g1 Pending
                a v2 g2 Pending goes at 12:00:31 after 30 s
                a v2 g2 Pending goes at 12:00:31 after 30 s
                a v2 g2 Pending goes at 12:00:31 after 30 s
                a v3 g2 Pending goes at 12:00:11 after 10 s
                a v4 g2 Pending goes at 12:00:02 after 1 s
                a v6 g2 Pending goes at 12:00:01 after 0 s
                []"#]],
        );
        check(
            Dependence::OnOwners,
            &[
                r#"POST pods {"metadata":{"name":"a"},"spec":{"nodeName":"node","terminationGracePeriodSeconds":0}}"#,
                "DELETE pods/a",
                &pod("b", r#","finalizers":["x.y/z"]"#, "node"),
                r#"DELETE pods/b {"gracePeriodSeconds":0}"#,
            ],
            expect![[r#"
                a v1 g1 Pending
                a v3 g2 Pending goes at 12:00:01 after 0 s
                b v4 g1 Pending held by x.y/z
                b v5 g2 Pending held by x.y/z goes at 12:00:03 after 0 s"#]],
        );
    }

    #[test]
    fn a_11_a_job_deleted_without_a_wish_leaves_its_pods() {
        let held = job("pi", r#","finalizers":["x.y/z"]"#);
        check(
            Dependence::OnOwners,
            &[
                &held,
                "DELETE jobs/pi",
                r#"DELETE jobs/pi {"propagationPolicy":"Foreground"}"#,
                "DELETE jobs/pi",
                r#"DELETE jobs/pi {"orphanDependents":true}"#,
                r#"DELETE jobs/pi {"orphanDependents":false}"#,
                r#"PATCH jobs/pi merge {"metadata":{"finalizers":null}}"#,
                "GET jobs",
            ],
            expect![[r#"
                pi v1 g1 held by x.y/z
                pi v2 g2 held by x.y/z,orphan goes at 12:00:01 after 0 s (Warning: child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning)
                pi v4 g2 held by x.y/z,foregroundDeletion goes at 12:00:01 after 0 s
                pi v6 g2 held by x.y/z,orphan goes at 12:00:01 after 0 s (Warning: child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning)
                pi v8 g2 held by x.y/z,orphan goes at 12:00:01 after 0 s
                pi v9 g2 held by x.y/z goes at 12:00:01 after 0 s
                pi v9 g2 goes at 12:00:01 after 0 s
                []"#]],
        );
        check(
            Dependence::OnOwners,
            &[&job("pi", ""), r#"DELETE jobs/pi {"propagationPolicy":"Background"}"#, "GET jobs"],
            expect![[r#"
            pi v1 g1
            deleted
            []"#]],
        );
    }

    #[test]
    fn a_12_a_cron_job_goes_at_once() {
        check(
            Dependence::OnOwners,
            &[&cron_job("c", ""), "DELETE cronjobs/c", &cron_job("c", r#","finalizers":["x.y/z"]"#), "DELETE cronjobs/c", "GET cronjobs"],
            expect![[r#"
                c v1 g1
                deleted
                c v3 g1 held by x.y/z
                c v4 g2 held by x.y/z goes at 12:00:03 after 0 s
                [c v4 g2 held by x.y/z goes at 12:00:03 after 0 s]"#]],
        );
    }

    #[test]
    fn in_the_session_protocol_background_takes_back_no_foreground() {
        check(
            Dependence::OnController,
            &[
                &job("pi", r#","finalizers":["x.y/z"]"#),
                r#"DELETE jobs/pi {"propagationPolicy":"Foreground"}"#,
                r#"DELETE jobs/pi {"propagationPolicy":"Background"}"#,
            ],
            expect![[r#"
                pi v1 g1 held by x.y/z
                pi v2 g2 held by x.y/z,foregroundDeletion goes at 12:00:01 after 0 s
                pi v2 g2 held by x.y/z,foregroundDeletion goes at 12:00:01 after 0 s"#]],
        );
    }

    #[test]
    fn preconditions_and_options_are_checked() {
        check(
            Dependence::OnOwners,
            &[
                &job("pi", ""),
                r#"DELETE jobs/pi {"preconditions":{"uid":"a"}}"#,
                r#"DELETE jobs/pi {"preconditions":{"resourceVersion":"a"}}"#,
                r#"DELETE jobs/pi {"propagationPolicy":"Foo"}"#,
                r#"DELETE jobs/pi {"propagationPolicy":"Orphan","orphanDependents":true}"#,
                r#"DELETE jobs/pi {"gracePeriodSeconds":"x"}"#,
                "DELETE jobs/po",
                "DELETE jobs",
                "DELETE jobs/pi/status",
                r#"DELETE jobs/pi {"preconditions":{"uid":"job-pi-1"},"propagationPolicy":"Background"}"#,
            ],
            expect![[r#"
                pi v1 g1
                409 Conflict: Operation cannot be fulfilled on Job.batch "pi": the UID in the precondition (a) does not match the UID in record (job-pi-1). The object might have been deleted and then recreated (Warning: child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning)
                409 Conflict: Operation cannot be fulfilled on Job.batch "pi": the ResourceVersion in the precondition (a) does not match the ResourceVersion in record (1). The object might have been modified (Warning: child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning)
                422 Invalid: DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Foo": supported values: "Foreground", "Background", "Orphan", "nil"
                422 Invalid: DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set
                400 BadRequest: gracePeriodSeconds: expected a whole number, found text
                404 NotFound: jobs.batch "po" not found (Warning: child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning)
                405 MethodNotAllowed: the server does not allow this method on the requested resource
                405 MethodNotAllowed: the server does not allow this method on the requested resource
                deleted"#]],
        );
    }
}

//! Creating objects: what the server fills in, and what it refuses.
//!
//! Docs: API Concepts, "Generated names"; A-13, A-14. Defaults and validation are called in `admission.rs`.

use ::admission::{validation, warnings};
use api::request::ApiError;
use api::{CronJob, CronJobStatus, Job, JobStatus, Kind, ObjectMeta, Timestamp, time};

use super::body::DesiredObject;
use super::store::key;
use super::{Answer, ApiServer, admission, errors};
use crate::pod::{StoredPod, StoredPodSpec, StoredPodStatus};
use crate::stored::StoredObject;

impl ApiServer {
    /// Creates an object from a request's body, in this namespace.
    ///
    /// # Errors
    /// If it cannot be read, or is refused.
    pub fn create(&mut self, kind: Kind, namespace: &str, body: &str, now: Timestamp) -> Result<Answer, ApiError> {
        let draft = DesiredObject::read(kind, namespace, body)?;
        if !draft.metadata.resource_version.is_empty() {
            return Err(errors::internal("resourceVersion should not be set on objects to be created"));
        }
        let object = match kind {
            Kind::CronJob => {
                let spec = draft.spec.read_cron_job_spec()?.unwrap_or_default();
                let metadata = self.complete(kind, namespace, draft.metadata, now);
                StoredObject::CronJob(Box::new(admission::create_cron_job(CronJob { metadata, spec, status: CronJobStatus::default() })?))
            }
            Kind::Job => {
                let spec = draft.spec.read(kind)?.unwrap_or_default();
                let metadata = self.complete(kind, namespace, draft.metadata, now);
                StoredObject::Job(Box::new(admission::create_job(Job { metadata, spec, status: JobStatus::default() })?))
            }
            Kind::Pod => {
                let fields = draft.spec.read(kind)?.unwrap_or_default();
                let in_spec = validation::pod::spec_beyond_template(&fields);
                let spec = StoredPodSpec::read(fields).map_err(|error| errors::unreadable(kind, error))?;
                let metadata = self.complete(kind, namespace, draft.metadata, now);
                let pod = StoredPod { metadata, spec, status: StoredPodStatus::pending() };
                StoredObject::Pod(Box::new(admission::create_pod(pod, in_spec)?))
            }
        };
        let name = &object.metadata().name;
        match &object {
            StoredObject::CronJob(cron_job) => self.warn(Kind::CronJob, namespace, name, warnings::create_cron_job(cron_job)),
            StoredObject::Job(job) => self.warn(Kind::Job, namespace, name, warnings::create(job)),
            StoredObject::Pod(_) => (),
        }
        if let Some(there) = self.object(kind, namespace, name) {
            return Err(errors::already_exists(kind, name, there.metadata().deleting()));
        }
        let created = self.store.put(object);
        self.consider_owners(&created, now);
        Ok(Answer::Object(created))
    }

    /// Fills in what the server knows better than the client. Where no name can be generated, validation finds that there is none.
    fn complete(&mut self, kind: Kind, namespace: &str, given: ObjectMeta, now: Timestamp) -> ObjectMeta {
        let mut metadata = ObjectMeta {
            namespace: namespace.into(),
            creation_timestamp: Some(time::whole_seconds(now)),
            deletion_timestamp: None,
            deletion_grace_period_seconds: None,
            generation: 1,
            ..given
        };
        if metadata.name.is_empty() {
            let store = &self.store;
            let taken = |name: &str| store.find(&key(kind, namespace, name)).is_some();
            metadata.name = self.names.name(&metadata.generate_name, taken).unwrap_or_default().into();
        }
        metadata.uid = self.names.uid(kind, &metadata.name);
        metadata
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::Dependence;
    use crate::testing::{cron_job, job, owned_by, pod, send_line, server};

    fn check(lines: &[&str], expected: Expect) {
        let mut server = server(Dependence::OnOwners);
        let answers: Vec<String> = lines.iter().map(|line| send_line(&mut server, line, 0)).collect();
        expected.assert_eq(&answers.join("\n"));
    }

    #[test]
    fn the_server_fills_in_names_versions_and_generations() {
        check(
            &[
                &job("pi", r#","uid":"mine","generation":7,"deletionTimestamp":"2026-01-02T12:00:00Z""#),
                &pod("a", "", ""),
                "GET jobs",
                "GET pods",
            ],
            expect![[r#"
                pi v1 g1
                a v2 g1 Pending
                [pi v1 g1]
                [a v2 g1 Pending]"#]],
        );
        check(
            &[
                r#"POST pods {"metadata":{"generateName":"pi-"},"spec":{}}"#,
                r#"POST pods {"metadata":{"generateName":"pi-"},"status":{"phase":"Running"}}"#,
            ],
            expect![[r#"
                pi-00001 v1 g1 Pending
                pi-00002 v2 g1 Pending"#]],
        );
    }

    #[test]
    fn a_name_is_taken_until_its_object_is_gone() {
        check(
            &[&job("pi", r#","finalizers":["x.y/z"]"#), "DELETE jobs/pi", &job("pi", "")],
            expect![[r#"
                pi v1 g1 held by x.y/z
                pi v2 g2 held by x.y/z,orphan goes at 12:00:00 after 0 s (Warning: child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning)
                409 AlreadyExists: object is being deleted: jobs.batch "pi" already exists"#]],
        );
    }

    #[test]
    fn a_50_a_pod_with_metadata_that_cannot_be_is_refused() {
        let (owner, other) = (owned_by("pi", true), owned_by("e", true));
        let two = format!("{}{}", owner.trim_end_matches(']'), other.trim_start_matches(r#","ownerReferences":["#)).replace("}{", "},{");
        check(
            &[&pod("a", r#","labels":{"a":"b c"},"finalizers":["plain"]"#, ""), &pod("A", "", ""), &pod("a", &two, "")],
            expect![[r#"
                422 Invalid: Pod "a" is invalid: [metadata.labels: Invalid value: "b c": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'), metadata.finalizers[0]: Invalid value: "plain": name is neither a standard finalizer name nor is it fully qualified]
                422 Invalid: Pod "A" is invalid: metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
                422 Invalid: Pod "a" is invalid: metadata.ownerReferences: Invalid value: [{"apiVersion":"batch/v1","kind":"Job","name":"pi","uid":"job-pi-1","controller":true,"blockOwnerDeletion":true},{"apiVersion":"batch/v1","kind":"Job","name":"e","uid":"job-e-1","controller":true,"blockOwnerDeletion":true}]: Only one reference can have Controller set to true. Found "true" in references for Job/pi and Job/e"#]],
        );
    }

    #[test]
    fn what_cannot_be_created_is_refused() {
        check(
            &[&job("pi", ""), &job("pi", ""), &pod("a", "", ""), &pod("a", "", "")],
            expect![[r#"
            pi v1 g1
            409 AlreadyExists: jobs.batch "pi" already exists
            a v2 g1 Pending
            409 AlreadyExists: pods "a" already exists"#]],
        );
        check(
            &[&job("pi", r#","resourceVersion":"1""#), &job("pi", r#","namespace":"other""#)],
            expect![[r#"
            500 : resourceVersion should not be set on objects to be created
            400 BadRequest: the namespace of the provided object does not match the namespace sent on the request"#]],
        );
        check(
            &[r#"POST jobs {"metadata":{"name":"pi"},"spec":{"parallelism":-1}}"#, &job("p!", "")],
            expect![[r#"
                422 Invalid: Job.batch "pi" is invalid: [spec.parallelism: Invalid value: -1: must be greater than or equal to 0, spec.template.spec.containers: Required value, spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"]
                422 Invalid: Job.batch "p!" is invalid: [metadata.name: Invalid value: "p!": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), spec.template.labels: Invalid value: "job-p!-1": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'), spec.template.labels: Invalid value: "p!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'), spec.selector.matchLabels: Invalid value: "job-p!-1": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')]"#]],
        );
        check(
            &[
                r#"POST jobs {"kind":"Pod"}"#,
                r#"POST jobs {"apiVersion":"batch/v2"}"#,
                r#"POST jobs {"spec":{"parallelism":"x"}}"#,
                r#"POST pods {"metadata":{"name":"a"},"spec":{"nodeName":1}}"#,
                "POST pods",
                "POST pods/a {}",
                "POST nodes {}",
            ],
            expect![[r#"
                400 BadRequest: Job in version "v1" cannot be handled as a Job: it is a Pod
                400 BadRequest: Job in version "v1" cannot be handled as a Job: no kind "Job" is registered for version "batch/v2"
                400 BadRequest: Job in version "v1" cannot be handled as a Job: parallelism: expected a whole number, found text
                400 BadRequest: Pod in version "v1" cannot be handled as a Pod: spec.nodeName must be a string, not 1
                400 BadRequest: Pod in version "v1" cannot be handled as a Pod: the body is not a JSON object
                405 MethodNotAllowed: the server does not allow this method on the requested resource
                404 NotFound: the server could not find the requested resource"#]],
        );
    }

    #[test]
    fn cron_jobs_are_created_as_jobs_are() {
        let spec = r#""schedule":"@daily","jobTemplate":{"spec":"#;
        check(
            &[
                &cron_job("c", r#","uid":"mine","generation":7"#),
                &cron_job("c", ""),
                &cron_job("a.b", ""),
                r#"POST cronjobs {"metadata":{"name":"e"},"spec":{"schedule":""}}"#,
                &format!(r#"POST cronjobs {{"metadata":{{"name":"e"}},"spec":{{{spec}{{"parallelism":"x"}}}}}}}}"#),
                &format!(r#"POST cronjobs {{"metadata":{{"name":"e"}},"spec":{{{spec}[1]}}}}}}"#),
                r#"POST cronjobs {"kind":"Job"}"#,
                "GET cronjobs",
            ],
            expect![[r#"
                c v1 g1
                409 AlreadyExists: cronjobs.batch "c" already exists
                a.b v2 g1 (Warning: metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots])
                422 Invalid: CronJob.batch "e" is invalid: [spec.schedule: Required value, spec.jobTemplate.spec.template.spec.containers: Required value, spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"]
                400 BadRequest: CronJob in version "v1" cannot be handled as a CronJob: parallelism: expected a whole number, found text
                400 BadRequest: CronJob in version "v1" cannot be handled as a CronJob: [0]: expected an object, found a list
                400 BadRequest: CronJob in version "v1" cannot be handled as a CronJob: it is a Job
                [a.b v2 g1; c v1 g1]"#]],
        );
    }

    #[test]
    fn a_name_is_given_or_generated() {
        let mut server = server(Dependence::OnOwners);
        expect![[r#"422 Invalid: Job.batch "" is invalid: [metadata.name: Required value: name or generateName is required, spec.template.spec.containers: Required value, spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"]"#]]
            .assert_eq(&send_line(&mut server, r#"POST jobs {"metadata":{}}"#, 0));
    }
}

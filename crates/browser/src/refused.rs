//! What the API server would refuse of actions on CronJobs and Jobs as they are: found out on copies, so that nothing has to be done to see it.
//!
//! Docs: Kubernetes API Concepts, "Field validation" (A-112…A-115). Actions are those of `script`; the actions of an edit are found in
//! `changes.rs`.

use api::request::ApiError;
use api::{DEFAULT_NAMESPACE, Kind, Text, Timestamp};
use cluster::apiserver::Target;
use cluster::naming::Names;
use cluster::{ApiServer, Dependence};
use manifest::{Diagnostic, Document, ManifestObject};
use script::Script;
use serde_json::Value;

const IMMUTABLE: &str = "field is immutable";

/// What is refused of a script's actions, each cause as a sentence with its place in the manifest; `object` returns objects as they are, as
/// JSON.
pub(crate) fn refused(
    script: &Script,
    manifest: &str,
    object: impl Fn(Kind, &str, &str) -> Option<Text>,
    now: Timestamp,
) -> Vec<Diagnostic> {
    let documents = manifest::objects(manifest).unwrap_or_default();
    let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
    let mut found = Vec::new();
    for request in script.actions.iter().filter_map(|statement| statement.what.action.request()) {
        let Some(Target { kind, namespace, name, .. }) = Target::read(&request.path) else { continue };
        if server.object(kind, namespace, name).is_none() {
            let known = object(kind, namespace, name).is_some_and(|json| server.restore(kind, namespace, &json).is_ok());
            if !known {
                found.push(absent(kind, name));
                continue;
            }
        }
        let document = documents.iter().find(|object| is(object, kind, namespace, name)).map(ManifestObject::document);
        if let Err(error) = server.execute(&request, now) {
            found.extend(sentences(&error, document));
        }
    }
    found
}

/// Whether a manifest has the object of this name.
fn is(object: &ManifestObject, of: Kind, namespace: &str, name: &str) -> bool {
    let (kind, metadata) = match object {
        ManifestObject::CronJob(manifest) => (Kind::CronJob, &manifest.cron_job.metadata),
        ManifestObject::Job(manifest) => (Kind::Job, &manifest.job.metadata),
        ManifestObject::Pod(_) => return false,
    };
    let own = if metadata.namespace.is_empty() { DEFAULT_NAMESPACE } else { &*metadata.namespace };
    (kind, own, &*metadata.name) == (of, namespace, name)
}

fn absent(kind: Kind, name: &str) -> Diagnostic {
    let message = format!("{} {name} does not exist at this step", kind.name());
    let remedy = "go to a step at which it exists, or start over with this manifest";
    Diagnostic::at_letter(1, 1, message, remedy.to_owned())
}

/// The causes of a refusal, each as a sentence that begins with the field.
fn sentences(error: &ApiError, document: Option<&Document>) -> Vec<Diagnostic> {
    let Some(document) = document else {
        return vec![Diagnostic::at_letter(1, 1, error.message.clone(), String::new())];
    };
    let plain = |found: Diagnostic| {
        let Diagnostic { path, message, remedy, .. } = &found;
        if message.ends_with(IMMUTABLE) {
            let remedy = Some("start over with this manifest, or create another Job".to_owned());
            return Diagnostic { message: format!("{path} is immutable here"), remedy, ..found };
        }
        Diagnostic { message: format!("{path} {}", without_value(message)), remedy: remedy.clone(), ..found }
    };
    manifest::refusals(document, error).into_iter().map(plain).collect()
}

/// The message without the value, which the manifest has, and which may be long.
fn without_value(message: &str) -> &str {
    let Some(rest) = message.strip_prefix("Invalid value: ") else { return message };
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
    match values.next() {
        Some(Ok(_)) => rest[values.byte_offset()..].strip_prefix(": ").unwrap_or(message),
        _ => rest,
    }
}

#[cfg(test)]
mod tests {
    use api::request::Request;
    use expect_test::{Expect, expect};
    use play::start;

    use super::*;
    use crate::changes::changes;

    const JOB: &str = "
apiVersion: batch/v1
kind: Job
metadata: {name: pi}
spec:
  parallelism: 2
  completions: 2
  template:
    spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
";

    /// What is refused of an edit of a Job that is there as it was written.
    fn check(before: &str, after: &str, expected: Expect) {
        let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
        let documents = manifest::objects(before).unwrap();
        let request = Request::create(Kind::Job, DEFAULT_NAMESPACE, documents[0].document().value().to_string());
        server.execute(&request, start()).unwrap();
        let actions = changes(before, after).actions;
        let script: String = actions.iter().map(|action| format!("at 0s: {action}\n")).collect();
        let object = |kind, namespace: &str, name: &str| server.object(kind, namespace, name).map(|stored| stored.json());
        let found = refused(&Script::parse(&script).unwrap(), after, object, start());
        let line = |Diagnostic { position, message, remedy, .. }: &Diagnostic| {
            format!("{}: {message}: {}\n", position.line, remedy.as_deref().unwrap_or_default())
        };
        expected.assert_eq(&found.iter().map(line).collect::<String>());
    }

    #[test]
    fn an_immutable_field_is_named_without_its_value() {
        check(
            JOB,
            &JOB.replace("completions: 2", "completions: 3"),
            expect![[r#"
                7: spec.completions is immutable here: start over with this manifest, or create another Job
            "#]],
        );
        check(
            JOB,
            &JOB.replace("image: busybox", "image: other"),
            expect![[r#"
                8: spec.template is immutable here: start over with this manifest, or create another Job
            "#]],
        );
    }

    #[test]
    fn what_can_change_is_not_refused() {
        check(JOB, &JOB.replace("parallelism: 2", "parallelism: 5"), expect![""]);
        check(JOB, &JOB.replace("metadata: {name: pi}", "metadata: {name: pi, labels: {app: a}}"), expect![""]);
    }

    #[test]
    fn an_edit_of_several_fields_is_one_request() {
        let indexed = JOB.replace("parallelism: 2", "parallelism: 2\n  completionMode: Indexed");
        check(&indexed, &indexed.replace(": 2", ": 5"), expect![""]);
        check(
            &indexed,
            &indexed.replace("completions: 2", "completions: 5"),
            expect![[r#"
                8: spec.completions can only be modified in tandem with spec.parallelism: set completions and parallelism to the same number
            "#]],
        );
    }

    #[test]
    fn a_job_that_is_not_there_is_named() {
        let found = refused(&Script::parse("at 0s: suspend job e").unwrap(), JOB, |_, _, _| None, start());
        assert_eq!(found[0].message, "Job e does not exist at this step");
    }
}

//! `jobsmith simulate --open`: the playground with what would be simulated.
//!
//! Docs: `jobsmith simulate --help`. The page itself is served in `../playground/mod.rs`.

use api::annotation::check_defaults;
use api::meta::Labels;
use manifest::{FileReading, Fix, ManifestObject, Repairs};

use super::super::CommandEnd;
use super::super::output;
use super::super::playground::{self, LinkedSession, Opening};
use super::{Arguments, session};

/// Opens in the playground what would be played.
pub(super) fn open(arguments: &Arguments, page: &'static [u8]) -> anyhow::Result<CommandEnd> {
    let Ok(session::SessionInput { inputs, script, .. }) = session::read(arguments) else { return Ok(CommandEnd::BadInput) };
    let defaults = arguments.configuration.fallbacks.defaults.annotations();
    // The manifest of a claim is behind as many empty lines as there are lines before it in its file.
    let manifests = inputs.sources.iter().map(|source| with_defaults(source.text.trim_start_matches('\n'), &defaults));
    let manifests = check_defaults(&defaults).and_then(|()| manifests.collect::<Result<Vec<String>, String>>());
    match manifests {
        Ok(manifests) => {
            let session = LinkedSession::new(manifests.join("\n---\n"), script.to_string());
            playground::open(page, 0, Some(Opening::Session(session)), true)
        }
        Err(reason) => {
            output::error(&format!("invalid --default: {reason}"));
            Ok(CommandEnd::BadInput)
        }
    }
}

/// The manifests with these annotations of Jobs that do not have them: a session has no configuration, so that it is played alike everywhere.
fn with_defaults(manifests: &str, defaults: &Labels) -> Result<String, String> {
    let mut text = manifests.to_owned();
    for (key, value) in defaults.iter().filter(|(_, value)| !value.is_empty()) {
        let mut number = 0;
        while let Some((object, _)) = manifest::contents(&FileReading::of(&text)).objects.get(number) {
            number += 1;
            let metadata = match object {
                ManifestObject::CronJob(_) => "spec.jobTemplate.metadata",
                ManifestObject::Job(_) => "metadata",
                ManifestObject::Pod(_) => continue,
            };
            let path = format!("{metadata}.annotations[{key}]");
            if object.document().get(&path).is_some() {
                continue;
            }
            let add = Fix::Add { path: path.clone(), value: serde_json::Value::from(&**value).to_string() };
            let changed = Repairs::of(&text).change(object.document(), &path, add).and_then(|repair| repair.apply(&text));
            text = changed.ok_or_else(|| format!("{key} cannot be added to the text of this manifest; add it yourself"))?;
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(manifests: &str, defaults: &[(&str, &str)], expected: Expect) {
        let defaults = defaults.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        expected.assert_eq(&with_defaults(manifests, &defaults).unwrap_or_else(|reason| reason));
    }

    #[test]
    fn jobs_get_annotations_that_they_do_not_have() {
        let defaults =
            [("jobsmith.dev/on-failure", "exit 3: hold\nany: retry"), ("jobsmith.dev/retry-delay", "30s"), ("jobsmith.dev/hold", "")];
        let template = "spec: {restartPolicy: Never, containers: [{name: main, image: x}]}";
        let of = |kind: &str, metadata: &str, spec: &str| format!("apiVersion: batch/v1\nkind: {kind}\nmetadata:{metadata}\nspec:\n{spec}");
        let job = format!("  template:\n    {template}\n");
        let all = [
            of("Job", " {name: a} # a", &job),
            of("Job", " {name: b, annotations: {jobsmith.dev/retry-delay: ''}}", &job),
            of(
                "CronJob",
                "\n  name: c",
                &format!("  schedule: '@daily'\n  jobTemplate:\n    spec:\n      template:\n        {template}\n"),
            ),
        ];
        check(
            &all.join("---\n"),
            &defaults,
            expect![[r#"
            apiVersion: batch/v1
            kind: Job
            metadata: {annotations: {jobsmith.dev/retry-delay: "30s", jobsmith.dev/on-failure: "exit 3: hold\nany: retry"}, name: a} # a
            spec:
              template:
                spec: {restartPolicy: Never, containers: [{name: main, image: x}]}
            ---
            apiVersion: batch/v1
            kind: Job
            metadata: {name: b, annotations: {jobsmith.dev/on-failure: "exit 3: hold\nany: retry", jobsmith.dev/retry-delay: ''}}
            spec:
              template:
                spec: {restartPolicy: Never, containers: [{name: main, image: x}]}
            ---
            apiVersion: batch/v1
            kind: CronJob
            metadata:
              name: c
            spec:
              schedule: '@daily'
              jobTemplate:
                metadata:
                  annotations:
                    jobsmith.dev/on-failure: "exit 3: hold\nany: retry"
                    jobsmith.dev/retry-delay: "30s"
                spec:
                  template:
                    spec: {restartPolicy: Never, containers: [{name: main, image: x}]}
        "#]],
        );
        check(
            &all[0],
            &[],
            expect![[r#"
            apiVersion: batch/v1
            kind: Job
            metadata: {name: a} # a
            spec:
              template:
                spec: {restartPolicy: Never, containers: [{name: main, image: x}]}
        "#]],
        );
        let json = r#"{"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "a"}, "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "x"}]}}}}"#;
        check(
            json,
            &defaults[1..2],
            expect![[
                r#"{"apiVersion": "batch/v1", "kind": "Job", "metadata": {"annotations": {"jobsmith.dev/retry-delay": "30s"}, "name": "a"}, "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "x"}]}}}}"#
            ]],
        );
    }
}

//! `jobsmith schema`: a JSON Schema that takes what the API server takes, and what is known of one field.
//!
//! Docs: `jobsmith schema --help`. The table of fields has its test in `fields.rs`.

use expect_test::expect;
use jsonschema::Validator;
use serde_json::Value;

use crate::program::Folder;
use core_tests::scenarios;

/// The schema of a kind as somebody else's library reads it.
fn validator(kind: &str) -> Validator {
    let printed = Folder::new().run(&["schema", kind]).with_status(0).stdout;
    let schema: Value = serde_json::from_str(&printed).expect("a JSON Schema is JSON");
    jsonschema::validator_for(&schema).expect("it is a JSON Schema")
}

#[test]
fn what_the_api_server_takes_is_valid() {
    let (job, cron_job) = (validator("job"), validator("cronjob"));
    let mut seen = 0;
    for scenario in scenarios::files().iter().flat_map(|file| &file.scenarios) {
        for document in manifest::read(scenario.own_manifest()).expect("scenarios have manifests") {
            let object = document.value();
            let validator = if object["kind"] == "CronJob" { &cron_job } else { &job };
            let errors: Vec<String> = validator.iter_errors(object).map(|error| format!("{}: {error}", error.instance_path())).collect();
            assert!(errors.is_empty(), "{}: {errors:#?}", scenario.claim);
            seen += 1;
        }
    }
    assert!(seen > 200, "{seen} objects");
}

#[test]
fn what_has_unknown_fields_other_types_or_values_is_not() {
    let job = validator("job");
    let valid = "{apiVersion: batch/v1, kind: Job, metadata: {name: a}, spec: {parallelism: null, template: {spec: {restartPolicy: Never, containers: [{name: a}]}}}}";
    let errors = |from: &str, to: &str| -> Vec<String> {
        let text = valid.replacen(from, to, 1);
        assert!(from.is_empty() || text != valid, "{from}");
        let documents = manifest::read(&text).expect("it is YAML");
        job.iter_errors(documents[0].value()).map(|error| error.instance_path().to_string()).collect()
    };
    assert_eq!(errors("", ""), Vec::<String>::new());
    for (from, to) in [
        ("parallelism", "paralelism"),
        ("parallelism: null", "parallelism: two"),
        ("parallelism: null", "parallelism: 3000000000"),
        ("Never", "Sometimes"),
        ("batch/v1", "batch/v2"),
        ("{name: a}]", "{image: a}]"),
        ("[{name: a}]", "{name: a}"),
        ("parallelism: null", "completionMode: indexed"),
    ] {
        assert!(!errors(from, to).is_empty(), "{to}");
    }
}

#[test]
fn a_field_is_described() {
    let folder = Folder::new();
    let shown = |arguments: &[&str]| folder.run(&[&["schema"], arguments].concat()).with_status(0).stdout;
    expect![[r#"
        spec.completions: number (int32)
          How many pods have to succeed. Without it and with parallelism, the Job is a work queue: it is complete as soon as one pod has succeeded and all have ended. Default: 1 where parallelism is not set either.
          An update may change it if the Job is Indexed, together with parallelism, to the same value.
    "#]]
    .assert_eq(&shown(&["job", "spec.completions"]));
    expect![[r#"
        spec.concurrencyPolicy: string
          What happens when a run is due while Jobs of earlier runs are active: Allow starts it beside them, Forbid skips it, Replace deletes them first.
          Default: Allow.
          Values: Allow, Forbid, Replace.
          An update may change it.
    "#]]
    .assert_eq(&shown(&["cj", "concurrencypolicy"]));
    expect![[r#"
        spec.template.spec.volumes[].image.pullPolicy: string
          See ImageVolumeSource in the Kubernetes API reference.
          Values: Always, IfNotPresent, Never.
          No update may change it: the object has to be created anew.
    "#]]
    .assert_eq(&shown(&["job", "volumes[0].image.pullPolicy"]));
    let refused = folder.run(&["schema", "job", "spec.backofLimit"]).with_status(2);
    assert_eq!(refused.stderr, "error: a Job has no field spec.backofLimit; did you mean backoffLimit?\n");
}

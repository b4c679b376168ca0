//! Objects that are not Jobs, or Jobs without a required part.
//!
//! Docs: Jobs, "Writing a Job spec". Single fields are in `fields.rs`.

use expect_test::expect;

use super::{JOB, check, check_arguments, check_job};
use crate::program::Folder;

#[test]
fn a_deployment() {
    check(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n",
        expect![[r#"
            error: jobsmith runs Jobs and CronJobs: it cannot run a Deployment
             --> job.yaml:2:7
              |
            2 | kind: Deployment
              |       ^^^^^^^^^^ kind
              |
              = help: its pods run forever; for work that ends, use a Job with the same spec.template and a restartPolicy of Never or OnFailure

        "#]],
    );
}

#[test]
fn a_cron_job() {
    check(
        "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: nightly\nspec:\n  schedule: '* * * * *'\n",
        expect![[r#"
            error: the CronJob has no template for its Jobs
             --> job.yaml:5:1
              |
            5 | spec:
              | ^^^^ spec.jobTemplate
              |
              = help: give the CronJob a spec.jobTemplate: a template for its Jobs, with a spec like that of a Job; if this is a Kustomize patch, use what `kubectl kustomize` prints

        "#]],
    );
}

#[test]
fn a_list_with_a_pod() {
    check(
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n",
        expect![[r#"
            error: jobsmith runs Jobs and CronJobs: it cannot run a Pod
             --> job.yaml:5:9
              |
            5 |   kind: Pod
              |         ^^^ kind
              |
              = help: use a Job with the pod's metadata and spec as its spec.template, and a restartPolicy of Never or OnFailure

        "#]],
    );
}

#[test]
fn an_empty_list() {
    check(
        "apiVersion: v1\nkind: List\nitems: []\n",
        expect![[r#"
            error: kubectl found nothing
             --> job.yaml:1:1
              |
            1 | apiVersion: v1
              | ^
              |
              = help: is the namespace right? Pass it to kubectl with -n, or -A for all namespaces

        "#]],
    );
}

#[test]
fn no_spec() {
    check(
        "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: pi\n",
        expect![[r#"
            error: the Job has no spec
             --> job.yaml:1:1
              |
            1 | apiVersion: batch/v1
              | ^^^^^^^^^^^^^^^^^^^^ spec
              |
              = help: give the Job a spec, with a template for its pods

        "#]],
    );
}

#[test]
fn no_template() {
    check(
        "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: pi\nspec:\n  backoffLimit: 3\n",
        expect![[r#"
            error: the Job has no template for its pods
             --> job.yaml:5:1
              |
            5 | spec:
              | ^^^^ spec.template
              |
              = help: give the Job a spec.template: a template for its pods, with containers and a restartPolicy; if this is a Kustomize patch, use what `kubectl kustomize` prints

        "#]],
    );
}

#[test]
fn no_kind() {
    check(
        "apiVersion: batch/v1\nmetadata:\n  name: pi\n",
        expect![[r#"
            error: the object has no kind
             --> job.yaml:1:1
              |
            1 | apiVersion: batch/v1
              | ^^^^^^^^^^^^^^^^^^^^ kind
              |
              = help: add `kind: Job`

        "#]],
    );
}

#[test]
fn an_empty_name() {
    check_job(
        "name: pi",
        "name: ''",
        expect![[r#"
            error: Required value: name or generateName is required
             --> job.yaml:4:9
              |
            4 |   name: ''
              |         ^^ metadata.name
              |
              = help: give the Job a name, as in `name: pi`

        "#]],
    );
}

#[test]
fn a_name_that_is_none() {
    check_job(
        "name: pi",
        "name: Pi_Digits",
        expect![[r#"
            error: Invalid value: "Pi_Digits": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
             --> job.yaml:4:9
              |
            4 |   name: Pi_Digits
              |         ^^^^^^^^^ metadata.name
              |
              = help: use only lowercase letters, digits, - and ., starting and ending with a letter or digit

        "#]],
    );
}

#[test]
fn two_documents_of_which_one_is_bad() {
    check(
        format!("{JOB}---\n{}", JOB.replace("  template", "  paralelism: 2\n  template")),
        expect![[r#"
            error: jobs.batch "pi" already exists
              --> job.yaml:17:9
               |
            17 |   name: pi
               |         ^^ metadata.name
               |
               = help: give each Job a name of its own

            error: unknown field "paralelism"
              --> job.yaml:19:3
               |
            19 |   paralelism: 2
               |   ^^^^^^^^^^ spec.paralelism
               |
               = help: did you mean parallelism?

        "#]],
    );
}

#[test]
fn two_jobs_of_one_name() {
    check(
        format!("{JOB}---\n{JOB}"),
        expect![[r#"
            error: jobs.batch "pi" already exists
              --> job.yaml:17:9
               |
            17 |   name: pi
               |         ^^ metadata.name
               |
               = help: give each Job a name of its own

        "#]],
    );
}

#[test]
fn all_objects_that_are_refused_are_reported() {
    let folder = Folder::new();
    let job = |name: &str| JOB.replace("name: pi", &format!("name: {name}")).replace("Never", "Always");
    folder.write("jobs.yaml", [JOB.to_owned(), job("a"), job("b")].join("---\n"));
    check_arguments(
        &folder,
        &["simulate", "jobs.yaml"],
        expect![[r#"
        error: Required value: valid values: "OnFailure", "Never"
          --> jobs.yaml:21:22
           |
        21 |       restartPolicy: Always
           |                      ^^^^^^ spec.template.spec.restartPolicy
           |
           = help: use Never or OnFailure: Never creates a pod for each attempt, OnFailure restarts the container in its pod

        error: Required value: valid values: "OnFailure", "Never"
          --> jobs.yaml:34:22
           |
        34 |       restartPolicy: Always
           |                      ^^^^^^ spec.template.spec.restartPolicy
           |
           = help: use Never or OnFailure: Never creates a pod for each attempt, OnFailure restarts the container in its pod

    "#]],
    );
}

#[test]
fn unknown_fields_and_refused_values_are_reported_at_once() {
    check_job(
        "      restartPolicy: Never\n",
        "      restartPolicy: Always\n      hostNetworks: true\n",
        expect![[r#"
            error: Required value: valid values: "OnFailure", "Never"
             --> job.yaml:8:22
              |
            8 |       restartPolicy: Always
              |                      ^^^^^^ spec.template.spec.restartPolicy
              |
              = help: use Never or OnFailure: Never creates a pod for each attempt, OnFailure restarts the container in its pod

            error: unknown field "hostNetworks"
             --> job.yaml:9:7
              |
            9 |       hostNetworks: true
              |       ^^^^^^^^^^^^ spec.template.spec.hostNetworks
              |
              = help: did you mean hostNetwork?

        "#]],
    );
    // What is missing may be what the unknown field means.
    check_job(
        "restartPolicy: Never",
        "restartPolcy: Never",
        expect![[r#"
        error: unknown field "restartPolcy"
         --> job.yaml:8:7
          |
        8 |       restartPolcy: Never
          |       ^^^^^^^^^^^^ spec.template.spec.restartPolcy
          |
          = help: did you mean restartPolicy?

    "#]],
    );
}

//! Fields that a Job does not have, that have other values, or that this machine cannot honour.
//!
//! Docs: Kubernetes API Concepts, "Field validation"; Jobs, "Pod Template". Whole objects are in `objects.rs`.

use expect_test::expect;

use super::check_job;

#[test]
fn restart_policy_always() {
    check_job(
        "Never",
        "Always",
        expect![[r#"
            error: Required value: valid values: "OnFailure", "Never"
             --> job.yaml:8:22
              |
            8 |       restartPolicy: Always
              |                      ^^^^^^ spec.template.spec.restartPolicy
              |
              = help: use Never or OnFailure: Never creates a pod for each attempt, OnFailure restarts the container in its pod

        "#]],
    );
}

#[test]
fn no_restart_policy() {
    check_job(
        "      restartPolicy: Never\n",
        "",
        expect![[r#"
            error: Required value: valid values: "OnFailure", "Never"
             --> job.yaml:7:5
              |
            7 |     spec:
              |     ^^^^ spec.template.spec.restartPolicy
              |
              = help: use Never or OnFailure: Never creates a pod for each attempt, OnFailure restarts the container in its pod

        "#]],
    );
}

#[test]
fn a_replacement_policy_that_does_not_exist() {
    check_job(
        "spec:\n  template",
        "spec:\n  podReplacementPolicy: Always\n  template",
        expect![[r#"
        error: Unsupported value: "Always": supported values: "Failed", "TerminatingOrFailed"
         --> job.yaml:6:25
          |
        6 |   podReplacementPolicy: Always
          |                         ^^^^^^ spec.podReplacementPolicy
          |
          = help: use Failed to replace a pod once it has failed, or TerminatingOrFailed to replace it as soon as it is being deleted

    "#]],
    );
}

#[test]
fn a_field_of_the_job_among_those_of_the_pod() {
    check_job(
        "restartPolicy: Never\n",
        "restartPolicy: Never\n      backoffLimit: 3\n",
        expect![[r#"
            error: unknown field "backoffLimit"
             --> job.yaml:9:7
              |
            9 |       backoffLimit: 3
              |       ^^^^^^^^^^^^ spec.template.spec.backoffLimit
              |
              = help: backoffLimit belongs to the Job: move it to spec.backoffLimit

        "#]],
    );
}

#[test]
fn an_unknown_field() {
    check_job(
        "  template",
        "  parralelism: 2\n  template",
        expect![[r#"
            error: unknown field "parralelism"
             --> job.yaml:6:3
              |
            6 |   parralelism: 2
              |   ^^^^^^^^^^^ spec.parralelism
              |
              = help: did you mean parallelism?

        "#]],
    );
}

#[test]
fn a_field_of_a_deployment() {
    check_job(
        "  template",
        "  replicas: 2\n  template",
        expect![[r#"
            error: unknown field "replicas"
             --> job.yaml:6:3
              |
            6 |   replicas: 2
              |   ^^^^^^^^ spec.replicas
              |
              = help: a Job has no replicas: spec.parallelism is the number of pods at a time, spec.completions the number that must succeed

        "#]],
    );
}

#[test]
fn a_field_twice() {
    check_job(
        "  template",
        "  parallelism: 2\n  parallelism: 3\n  template",
        expect![[r#"
            error: duplicate field "parallelism": line 6 already sets it
             --> job.yaml:7:3
              |
            7 |   parallelism: 3
              |   ^^^^^^^^^^^ spec.parallelism
              |
              = help: keep one of the two

        "#]],
    );
}

#[test]
fn values_of_other_types() {
    check_job(
        "  template",
        "  parallelism: '2'\n  completions: many\n  suspend: 'yes'\n  backoffLimit: 1.5\n  activeDeadlineSeconds: 10s\n  completionMode: [Indexed]\n  template",
        expect![[r#"
            error: expected a whole number (int32), found text
             --> job.yaml:6:16
              |
            6 |   parallelism: '2'
              |                ^^^ spec.parallelism
              |
              = help: write it without quotes: 2

            error: expected a whole number (int32), found text
             --> job.yaml:7:16
              |
            7 |   completions: many
              |                ^^^^ spec.completions
              |
              = help: use a whole number

            error: expected true or false, found text
             --> job.yaml:8:12
              |
            8 |   suspend: 'yes'
              |            ^^^^^ spec.suspend
              |
              = help: use true or false, without quotes

            error: expected a whole number (int32), found 1.5, which has a fraction
             --> job.yaml:9:17
              |
            9 |   backoffLimit: 1.5
              |                 ^^^ spec.backoffLimit
              |
              = help: use a whole number

            error: expected a whole number (int64), found text
              --> job.yaml:10:26
               |
            10 |   activeDeadlineSeconds: 10s
               |                          ^^^ spec.activeDeadlineSeconds
               |
               = help: use a number of seconds: 10

            error: expected text, found a list
              --> job.yaml:11:19
               |
            11 |   completionMode: [Indexed]
               |                   ^^^^^^^^^ spec.completionMode
               |
               = help: use a single value, without `- ` and brackets

        "#]],
    );
}

#[test]
fn negative_numbers() {
    check_job(
        "  template",
        "  parallelism: -1\n  completions: -2\n  activeDeadlineSeconds: -4\n  backoffLimit: -3\n  template",
        expect![[r#"
            error: Invalid value: -1: must be greater than or equal to 0
             --> job.yaml:6:16
              |
            6 |   parallelism: -1
              |                ^^ spec.parallelism
              |
              = help: use 0 or more

            error: Invalid value: -2: must be greater than or equal to 0
             --> job.yaml:7:16
              |
            7 |   completions: -2
              |                ^^ spec.completions
              |
              = help: use 0 or more

            error: Invalid value: -4: must be greater than or equal to 0
             --> job.yaml:8:26
              |
            8 |   activeDeadlineSeconds: -4
              |                          ^^ spec.activeDeadlineSeconds
              |
              = help: use 0 or more

            error: Invalid value: -3: must be greater than or equal to 0
             --> job.yaml:9:17
              |
            9 |   backoffLimit: -3
              |                 ^^ spec.backoffLimit
              |
              = help: use 0 or more

        "#]],
    );
}

#[test]
fn numbers_out_of_range() {
    check_job(
        "  template",
        "  parallelism: 1e30\n  completions: 99999999999\n  template",
        expect![[r#"
            error: 1e30 is out of range for a whole number of 32 bits
             --> job.yaml:6:16
              |
            6 |   parallelism: 1e30
              |                ^^^^ spec.parallelism
              |
              = help: the maximum is 2147483647

            error: 99999999999 is out of range for a whole number of 32 bits
             --> job.yaml:7:16
              |
            7 |   completions: 99999999999
              |                ^^^^^^^^^^^ spec.completions
              |
              = help: the maximum is 2147483647

        "#]],
    );
}

#[test]
fn an_image_and_no_command() {
    check_job(
        "        command: [sh, -c, 'touch $TMPDIR/started']\n",
        "",
        expect![[r#"
            error: this container has no command, and its image, which would define one, is not pulled
              --> job.yaml:10:9
               |
            10 |       - name: main
               |         ^^^^^^^^^^ spec.template.spec.containers[0].command
               |
               = help: write what to run, as in `command: ["sh", "-c", "echo hello"]`

        "#]],
    );
}

#[test]
fn what_local_processes_cannot_honour() {
    check_job(
        "        command:",
        "        envFrom:\n        - secretRef: {name: keys}\n        volumeMounts:\n        - {name: data, mountPath: /data}\n        lifecycle:\n          preStop: {exec: {command: [sync]}}\n        command:",
        expect![[r#"
            error: there are no ConfigMaps, Secrets or env files on this machine
              --> job.yaml:12:9
               |
            12 |         envFrom:
               |         ^^^^^^^ spec.template.spec.containers[0].envFrom
               |
               = help: set the variables to plain values

            error: a local process has no file system of its own to mount volumes into
              --> job.yaml:14:9
               |
            14 |         volumeMounts:
               |         ^^^^^^^^^^^^ spec.template.spec.containers[0].volumeMounts
               |
               = help: use paths on this machine in the command

            error: Not found: "data"
              --> job.yaml:15:18
               |
            15 |         - {name: data, mountPath: /data}
               |                  ^^^^ spec.template.spec.containers[0].volumeMounts[0].name
               |
               = help: use a name that exists

            error: lifecycle hooks and stop signals are not supported
              --> job.yaml:16:9
               |
            16 |         lifecycle:
               |         ^^^^^^^^^ spec.template.spec.containers[0].lifecycle
               |
               = help: do it in the command: it gets TERM before it is killed

        "#]],
    );
}

#[test]
fn a_volume_that_is_missing() {
    let mount = "        volumeMounts: [{name: data, mountPath: /data}]\n        command:";
    check_job(
        "        command:",
        mount,
        expect![[r#"
            error: a local process has no file system of its own to mount volumes into
              --> job.yaml:12:9
               |
            12 |         volumeMounts: [{name: data, mountPath: /data}]
               |         ^^^^^^^^^^^^ spec.template.spec.containers[0].volumeMounts
               |
               = help: use paths on this machine in the command

            error: Not found: "data"
              --> job.yaml:12:31
               |
            12 |         volumeMounts: [{name: data, mountPath: /data}]
               |                               ^^^^ spec.template.spec.containers[0].volumeMounts[0].name
               |
               = help: use a name that exists

        "#]],
    );
}

#[test]
fn a_field_that_belongs_deeper() {
    let rule = "{action: FailJob, containerName: main, onExitCodes: {operator: In, values: [42]}}";
    check_job(
        "spec:\n  template",
        &format!("spec:\n  podFailurePolicy: {{rules: [{rule}]}}\n  template"),
        expect![[r#"
        error: unknown field "containerName"
         --> job.yaml:6:48
          |
        6 |   podFailurePolicy: {rules: [{action: FailJob, containerName: main, onExitCodes: {operator: In, values: [42]}}]}
          |                                                ^^^^^^^^^^^^^ spec.podFailurePolicy.rules[0].containerName
          |
          = help: containerName belongs to onExitCodes: move it to spec.podFailurePolicy.rules[0].onExitCodes.containerName

    "#]],
    );
}

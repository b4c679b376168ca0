//! `jobsmith render`: objects as they would be stored, and what keeps them from it.
//!
//! Docs: `jobsmith render --help`. Defaults are compared with upstream's in `tests/core/admission/`.

use expect_test::expect;

use crate::program::Folder;

/// A CronJob with no more than it must have.
const CRON_JOB: &str = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: report}\nspec:\n  schedule: '@daily'\n  jobTemplate:\n    spec:\n      template:\n        \
                        spec: {restartPolicy: Never, containers: [{name: main, image: busybox:1}]}\n";

#[test]
fn objects_are_printed_with_their_defaults() {
    let folder = Folder::new();
    folder.write("stdin", format!("{CRON_JOB}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: settings}}\n"));
    let ended = folder.run(&["render", "-"]).with_status(0);
    expect![[r#"
        apiVersion: batch/v1
        kind: CronJob
        metadata:
          generation: 1
          name: report
          namespace: default
          uid: e220a839-7b1d-4daf-ae78-9e6aa1b965f4
        spec:
          concurrencyPolicy: Allow
          failedJobsHistoryLimit: 1
          jobTemplate:
            metadata: {}
            spec:
              template:
                metadata: {}
                spec:
                  containers:
                  - image: busybox:1
                    imagePullPolicy: IfNotPresent
                    name: main
                    resources: {}
                    terminationMessagePath: /dev/termination-log
                    terminationMessagePolicy: File
                  dnsPolicy: ClusterFirst
                  restartPolicy: Never
                  schedulerName: default-scheduler
                  securityContext: {}
                  terminationGracePeriodSeconds: 30
          schedule: '@daily'
          successfulJobsHistoryLimit: 3
          suspend: false
        status: {}
        note: only Jobs and CronJobs are rendered, not ConfigMap settings
    "#]]
    .assert_eq(&(ended.stdout + &ended.stderr));
}

#[test]
fn quantities_are_printed_in_canonical_form() {
    let folder = Folder::new();
    let limits = "image: busybox:1, resources: {limits: {cpu: 1000m, memory: 0.5Gi, ephemeral-storage: 1024Mi}}";
    folder.write("stdin", CRON_JOB.replace("image: busybox:1", limits));
    let printed = folder.run(&["render", "-"]).with_status(0).stdout;
    let shown: Vec<&str> = printed.lines().skip_while(|line| !line.ends_with("limits:")).skip(1).take(3).map(str::trim).collect();
    assert_eq!(shown, ["cpu: \"1\"", "ephemeral-storage: 1Gi", "memory: 512Mi"], "{printed}");
}

#[test]
fn what_is_printed_is_printed_alike_again() {
    let folder = Folder::new();
    folder.write("stdin", CRON_JOB.replace("name: report", "generateName: report-"));
    let first = folder.run(&["render", "-"]).with_status(0).stdout;
    assert_eq!(folder.run(&["render", "-"]).with_status(0).stdout, first);
    folder.write("stdin", &first);
    assert_eq!(folder.run(&["render", "-"]).with_status(0).stdout, first);
}

#[test]
fn what_is_refused_is_shown_as_by_check() {
    let folder = Folder::new();
    folder.write("stdin", CRON_JOB.replace("Never", "Always"));
    let ended = folder.run(&["render", "-"]).with_status(1);
    assert!(
        ended.stdout.is_empty() && ended.stderr.starts_with("error: Required value: valid values: \"OnFailure\", \"Never\""),
        "{}",
        ended.stderr
    );
    folder.run(&["render", "missing.yaml"]).with_status(2);
}

//! What a simulation ends with: how each Job ended, and the objects as kubectl prints them.
//!
//! Docs: `jobsmith simulate --help`. What happens before is in `mod.rs`.

use expect_test::expect;

use super::{JOB, simulate};
use crate::program::Folder;

#[test]
fn the_objects_in_the_end_are_listed_and_described_as_kubectl_does() {
    let end = |output: &str| {
        let ended = simulate(&["-s", "attempt 1: exit 3 after 2s", "-s", "pods: succeed after 1s", "-o", output]).with_status(0);
        ended.stdout.split_once("\n\n").expect("an empty line comes first").1.to_owned()
    };
    expect![[r#"
        NAME           STATUS     COMPLETIONS   DURATION   AGE   CONTAINERS   IMAGES   SELECTOR
        job.batch/pi   Complete   1/1           14s        15s   main         perl     batch.kubernetes.io/controller-uid=job-pi-1

        NAME           READY   STATUS      RESTARTS   AGE   IP         NODE     NOMINATED NODE   READINESS GATES
        pod/pi-00001   0/1     Error       0          15s   10.1.0.1   node-1   <none>           <none>
        pod/pi-00002   0/1     Completed   0          3s    10.1.0.2   node-1   <none>           <none>

        job pi: Complete at 0:14: 1 pod succeeded, 1 failed (exit 3)
    "#]]
    .assert_eq(&end("wide"));
    expect![[r#"
        NAME           STATUS     COMPLETIONS   DURATION   AGE
        job.batch/pi   Complete   1/1           14s        15s

        NAME           READY   STATUS      RESTARTS   AGE
        pod/pi-00001   0/1     Error       0          15s
        pod/pi-00002   0/1     Completed   0          3s

        Name:             pi
        Namespace:        default
        Selector:         batch.kubernetes.io/controller-uid=job-pi-1
        Labels:           batch.kubernetes.io/controller-uid=job-pi-1
                          batch.kubernetes.io/job-name=pi
                          controller-uid=job-pi-1
                          job-name=pi
        Annotations:      <none>
        Parallelism:      1
        Completions:      1
        Completion Mode:  NonIndexed
        Suspend:          false
        Backoff Limit:    1
        Start Time:       Thu, 01 Jan 2026 00:00:00 +0000
        Completed At:     Thu, 01 Jan 2026 00:00:14 +0000
        Duration:         14s
        Pods Statuses:    0 Active (0 Ready) / 1 Succeeded / 1 Failed
        Pod Template:
          Labels:  batch.kubernetes.io/controller-uid=job-pi-1
                   batch.kubernetes.io/job-name=pi
                   controller-uid=job-pi-1
                   job-name=pi
          Containers:
           main:
            Image:         perl
            Port:          <none>
            Host Port:     <none>
            Environment:   <none>
            Mounts:        <none>
          Volumes:         <none>
          Node-Selectors:  <none>
          Tolerations:     <none>
        Events:
          Type    Reason            Age   From            Message
          ----    ------            ----  ----            -------
          Normal  SuccessfulCreate  15s   job-controller  Created pod: pi-00001
          Normal  SuccessfulCreate  3s    job-controller  Created pod: pi-00002
          Normal  Completed         1s    job-controller  Job completed

        job pi: Complete at 0:14: 1 pod succeeded, 1 failed (exit 3)
    "#]]
    .assert_eq(&end("describe"));
}

#[test]
fn the_last_lines_are_how_each_job_ended_and_why() {
    let last = |arguments: &[&str], status: i32| {
        let ended = simulate(arguments).with_status(status);
        let lines: Vec<&str> = ended.stdout.lines().collect();
        lines[lines.len().saturating_sub(3)..].join("\n")
    };
    expect![[r#"
           0:02 job pi: Complete: CompletionsReached

        job pi: Complete at 0:02: 1 pod succeeded"#]]
    .assert_eq(&last(&["-s", "pods: succeed after 1s"], 0));
    expect![[r#"
           0:13 job pi: Failed: BackoffLimitExceeded

        job pi: Failed at 0:13: 2 pods failed (2 × exit 3); backoffLimit 1"#]]
    .assert_eq(&last(&["-s", "pods: exit 3 after 1s"], 1));
    expect![[r#"
           0:14 · Leaving the Job alone: it is Failed, and a finished Job does not change (J-43)

        job pi: Failed at 0:13: 2 pods failed (2 × exit 3); backoffLimit 1"#]]
    .assert_eq(&last(&["-s", "pods: exit 3 after 1s", "--why"], 1));
    let quiet = simulate(&["-s", "pods: exit 3 after 1s", "--quiet"]).with_status(1);
    expect![[r#"
        job pi: Failed at 0:13: 2 pods failed (2 × exit 3); backoffLimit 1
    "#]]
    .assert_eq(&(quiet.stdout + &quiet.stderr));
    let several = Folder::new();
    let named = |at: usize| JOB.replace("name: pi", &format!("name: pi-{at}"));
    several.write("job.yaml", (0..12).map(named).collect::<Vec<_>>().join("---\n"));
    let ended = several.run(&["simulate", "job.yaml", "-s", "job pi-7: exit 3 at once", "-s", "pods: succeed at once"]).with_status(1);
    expect![[r#"

        11 Jobs are Complete
        job pi-7: Failed at 0:11: 2 pods failed (2 × exit 3); backoffLimit 1"#]]
    .assert_eq(&ended.stdout.lines().skip_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"));
}

#[test]
fn pods_that_are_gone_show_why_a_job_failed() {
    let last = |policy: &str, arguments: &[&str]| {
        let folder = Folder::new();
        folder.write("job.yaml", JOB.replace("Never", policy));
        let ended = folder.run(&[&["simulate", "job.yaml"], arguments].concat()).with_status(1);
        ended.stdout.lines().last().unwrap_or_default().to_owned()
    };
    let restarted = last("OnFailure", &["-s", "pods: exit 3 after 1s"]);
    assert_eq!(restarted, "job pi: Failed at 0:03: 1 pod failed (exit 3); backoffLimit 1, which counts restarts");
    let evicted = last("Never", &["-s", "pods: runs forever, evicted after 10s"]);
    assert_eq!(
        evicted,
        "job pi: Failed at 0:31: 2 pods failed (2 × EvictionByEvictionAPI on node node-1: Eviction API: evicting); backoffLimit 1"
    );
    let deleted = last("Never", &["-s", "pods: runs forever", "-s", "at 1s: set spec.activeDeadlineSeconds=5"]);
    assert_eq!(
        deleted,
        "job pi: Failed at 0:06: 1 pod failed (deleted while running); the Job was active for longer than activeDeadlineSeconds (5)"
    );
}

#[test]
fn pods_that_a_job_deletes_are_shown_if_it_counts_them() {
    let last = |arguments: &[&str]| {
        let ended = simulate(arguments).with_status(1);
        ended.stdout.lines().last().unwrap_or_default().to_owned()
    };
    let suspended = last(&["-s", "pods: exit 3 after 8s", "-s", "at 2s: suspend", "-s", "at 5s: resume"]);
    assert_eq!(suspended, "job pi: Failed at 0:32: 2 pods failed (2 × exit 3); backoffLimit 1");
    let asked = last(&["-s", "pods: exit 3 after 8s, ends 1s after TERM with 1", "-s", "at 2s: suspend", "-s", "at 5s: resume"]);
    assert_eq!(asked, "job pi: Failed at 0:32: 2 pods failed (2 × exit 3); backoffLimit 1");
    let pulled = last(&["-s", "pods: never starts (image cannot be pulled)", "-s", "at 1s: set spec.activeDeadlineSeconds=5"]);
    assert_eq!(
        pulled,
        "job pi: Failed at 0:06: 1 pod failed (deleted before it started); the Job was active for longer than activeDeadlineSeconds (5)"
    );
}

#[test]
fn restarts_before_a_success_are_counted() {
    let last = |more: &str, end: &str| {
        let folder = Folder::new();
        folder.write("job.yaml", JOB.replace("Never", "OnFailure").replace("backoffLimit: 1", &format!("backoffLimit: 3{more}")));
        let ended = folder.run(&["simulate", "job.yaml", "-s", &format!("pods: exit 1 {end}"), "-q"]).with_status(0);
        ended.stdout
    };
    assert_eq!(last("", "twice"), "job pi: Complete at 0:26: 1 pod succeeded after 2 restarts\n");
    assert_eq!(last("", "once"), "job pi: Complete at 0:11: 1 pod succeeded after 1 restart\n");
    // Its pod is gone by then.
    assert_eq!(last("\n  ttlSecondsAfterFinished: 5", "twice"), "job pi: Complete at 0:26: 1 pod succeeded after 2 restarts\n");
}

#[test]
fn pods_that_a_policy_ignores_are_told_apart_and_the_rule_that_fails_a_job_is_named() {
    let folder = Folder::new();
    let rules = "\n    - {action: Ignore, onPodConditions: [{type: DisruptionTarget}]}\n    - {action: FailJob, onExitCodes: {operator: In, values: [42]}}";
    folder.write("job.yaml", JOB.replace("backoffLimit: 1", &format!("backoffLimit: 1\n  podFailurePolicy:\n    rules:{rules}")));
    let last = |rule: &str, status: i32| {
        let rules = ["-s", "attempts 1-2: runs forever, evicted after 2s", "-s", rule];
        folder.run(&[&["simulate", "job.yaml", "-q"], &rules[..]].concat()).with_status(status).stdout
    };
    expect![[r#"
        job pi: Failed at 0:40: 1 pod failed (exit 42), 2 ignored by podFailurePolicy (2 × EvictionByEvictionAPI on node node-1: Eviction API: evicting); podFailurePolicy rule 1 (FailJob) matched exit code 42 of container main
        job pi: Failed at 1:25: 2 pods failed (2 × exit 1), 2 ignored by podFailurePolicy (2 × EvictionByEvictionAPI on node node-1: Eviction API: evicting); backoffLimit 1
        job pi: Complete at 0:40: 1 pod succeeded, 2 ignored by podFailurePolicy (2 × EvictionByEvictionAPI on node node-1: Eviction API: evicting)
    "#]].assert_eq(&(last("pods: exit 42", 1) + &last("pods: exit 1", 1) + &last("pods: succeed", 0)));
    let lines = folder.run(&["simulate", "job.yaml", "-o", "json", "-s", "attempt 1: evicted after 2s"]).with_status(0).objects();
    let ending = &lines.last().expect("there is a status")["ending"];
    assert_eq!((ending["pods"].as_array().map(Vec::len), ending["ignored"].as_array().map(Vec::len)), (Some(0), Some(1)), "{ending}");
}

#[test]
fn only_some_pods_are_shown() {
    let folder = Folder::new();
    folder.write("job.yaml", JOB.replacen("spec:\n", "spec:\n  completionMode: Indexed\n  completions: 3\n  parallelism: 3\n", 1));
    let simulate = |filter: &[&str]| folder.run(&[&["simulate", "job.yaml", "-s", "index 1: exit 3 once"], filter].concat()).with_status(0);
    expect![[r#"
           0:00 job pi: created
           0:00 ● Starting the Job: startTime is set (J-46)
           0:00 ● Creating 3 pods for indexes 0-2 in batches of 1 and 2: 0 active, 3 wanted (J-101)
           0:00 pod pi-1-00001 Pending: attempt 1 of index 1
           0:00 pod pi-1-00001 Ready
           0:05 pod pi-1-00001 Failed with exit code 3 after 5 s
           0:06 ● Creating 1 pod for index 1: 0 active, 1 wanted (parallelism 3, 1 completion still to come) (J-101)
           0:06 ● Counting pod pi-1-00001 as failed with exit code 3: every failed pod counts (J-124)
           0:06 pod pi-1-00002 Pending: attempt 2 of index 1
           0:06 pod pi-1-00002 Ready
           0:11 pod pi-1-00002 Succeeded after 5 s
           0:12 ● The Job succeeds: 3 of 3 completions reached, and no pod is active (J-49)
           0:12 ● Counting index 1 as succeeded: pod pi-1-00002 succeeded (J-124)
           0:12 job pi: SuccessCriteriaMet: CompletionsReached
           0:12 ● The Job is Complete (CompletionsReached) (J-127)
           0:12 job pi: Complete: CompletionsReached

        job pi: Complete at 0:12: 3 pods succeeded, 1 failed (exit 3)
    "#]]
    .assert_eq(&simulate(&["--index", "1"]).stdout);
    expect![[r#"
           0:00 job pi: created
           0:00 ● Starting the Job: startTime is set (J-46)
           0:00 ● Creating 3 pods for indexes 0-2 in batches of 1 and 2: 0 active, 3 wanted (J-101)
           0:06 ● Creating 1 pod for index 1: 0 active, 1 wanted (parallelism 3, 1 completion still to come) (J-101)
           0:12 ● The Job succeeds: 3 of 3 completions reached, and no pod is active (J-49)
           0:12 job pi: SuccessCriteriaMet: CompletionsReached
           0:12 ● The Job is Complete (CompletionsReached) (J-127)
           0:12 job pi: Complete: CompletionsReached

        job pi: Complete at 0:12: 3 pods succeeded, 1 failed (exit 3)
    "#]]
    .assert_eq(&simulate(&["--pod", "pi-00002"]).stdout);
    expect![[r#"
        note: no pod has this name or index; the first pod is pi-0-00001
    "#]]
    .assert_eq(&simulate(&["--index", "7"]).stderr);
}

#[test]
fn a_simulation_has_no_output_of_containers() {
    let ended = simulate(&["-o", "logs"]).with_status(2);
    assert_eq!(ended.stderr, "error: -o logs works only in `jobsmith run`: in a simulation, no container prints anything\n");
}

#[test]
fn many_pods_are_listed_with_wide_tables_alone() {
    let folder = Folder::new();
    folder.write("job.yaml", JOB.replace("backoffLimit: 1", "completions: 30\n  parallelism: 30"));
    let rows = |output: &str| {
        let ended = folder.run(&["simulate", "job.yaml", "-s", "pods: succeed after 1s", "-o", output]).with_status(0);
        (ended.stdout.lines().filter(|line| line.starts_with("pod/")).count(), ended.stdout.contains("\n30 pods: -o wide lists them\n"))
    };
    assert_eq!((rows("describe"), rows("wide")), ((0, true), (30, false)));
}

//! `jobsmith simulate` and what the program prints about itself, as people and scripts see it.
//!
//! Docs: `jobsmith --help`, `jobsmith simulate --help`. What Jobs do on virtual time is in `tests/scenarios/`, bad scripts in `bad_input/`.

mod actions;
mod annotations;
mod clock_changes;
mod containers;
mod continuing;
mod cron_jobs;
mod defaults;
mod ending;
mod flaws;
mod found;
mod held;
pub(crate) mod last_night;
mod past;
mod runs;
mod selected_runs;
mod stuck_pods;
mod suspension;
mod unfinished;

use expect_test::{Expect, expect};

use crate::program::{Ended, Folder};

pub(crate) const JOB: &str = "\
apiVersion: batch/v1
kind: Job
metadata:
  name: pi
spec:
  backoffLimit: 1
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: perl
";

fn simulate(arguments: &[&str]) -> Ended {
    let folder = Folder::new();
    folder.write("job.yaml", JOB);
    folder.run(&[&["simulate", "job.yaml"], arguments].concat())
}

/// The trace, without the decisions, whose words are the business of `scenarios/`.
fn check(arguments: &[&str], status: i32, expected: Expect) {
    let ended = simulate(arguments).with_status(status);
    let trace = ended.stdout.split("\n\n").next().unwrap_or_default();
    let shown: String = trace.lines().filter(|line| !line.contains(['●', '○'])).map(|line| format!("{}\n", line.trim_start())).collect();
    expected.assert_eq(&format!("{shown}{}", ended.stderr));
}

#[test]
fn pods_follow_a_script() {
    check(
        &["-s", "attempt 1: exit 3 after 2s", "-s", "pods: succeed after 1s"],
        0,
        expect![[r#"
           0:00 job pi: created
           0:00 pod pi-00001 Pending
           0:00 pod pi-00001 Ready
           0:02 pod pi-00001 Failed with exit code 3 after 2 s
           0:12 pod pi-00002 Pending
           0:12 pod pi-00002 Ready
           0:13 pod pi-00002 Succeeded after 1 s
           0:14 job pi: SuccessCriteriaMet: CompletionsReached
           0:14 job pi: Complete: CompletionsReached
    "#]],
    );
}

#[test]
fn without_rules_a_note_shows_what_pods_do() {
    let note = "note: containers' commands are not run: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'\n";
    for (arguments, expected) in [
        (&[][..], note),
        (&["-s", "at 1s: scale to 2"], note),
        (&["-s", "pods: succeed after 1s"], ""),
        (&["-o", "json"], ""),
        (&["-o", "yaml"], ""),
    ] {
        assert_eq!(simulate(arguments).with_status(0).stderr, expected, "{arguments:?}");
    }
}

#[test]
fn objects_are_printed_as_yaml_and_go_on_from_there() {
    let ended = simulate(&["-s", "pods: succeed after 5s", "--for", "3s", "-o", "yaml"]).with_status(3);
    let kinds: Vec<&str> = ended.stdout.lines().filter(|line| line.starts_with("  kind: ")).collect();
    assert_eq!((kinds, ended.stdout.lines().next()), (vec!["  kind: Job", "  kind: Pod"], Some("apiVersion: v1")), "{}", ended.stdout);
    let folder = Folder::new();
    folder.write("stdin", ended.stdout);
    let went_on = folder.run(&["simulate", "-", "-s", "pods: succeed after 5s"]).with_status(0);
    assert!(went_on.stdout.contains("job pi: found") && went_on.stdout.contains("pod pi-00001 Succeeded"), "{}", went_on.stdout);
}

#[test]
fn pods_that_are_created_later_have_names_that_are_not_taken() {
    for mode in ["NonIndexed", "Indexed"] {
        let folder = Folder::new();
        folder.write("job.yaml", JOB.replace("backoffLimit: 1", &format!("completions: 3\n  parallelism: 1\n  completionMode: {mode}")));
        let began = folder.run(&["simulate", "job.yaml", "-s", "pods: exit 1 after 2s", "--for", "4s", "-o", "yaml"]).with_status(3);
        folder.write("later.yaml", began.stdout);
        let went_on = folder.run(&["simulate", "later.yaml"]).with_status(0);
        assert!(!went_on.stdout.contains("already exists"), "{}", went_on.stdout);
    }
}

#[test]
fn a_rule_that_nothing_matches_is_a_warning() {
    let rules = ["-s", "pods: succeed after 1s", "-s", "pod 3: exit 1 after 2s", "-s", "container nope attempt 2: exit 3 after 1s"];
    expect![[r#"
        warning: no pod matched "pod 3: exit 1 after 2s"; the only pod is pi-00001
        warning: no container matched "attempt 2 container nope: exit 3 after 1s"; the only container is main
    "#]]
    .assert_eq(&simulate(&rules).with_status(0).stderr);
    let ended = simulate(&[&rules[..], &["-o", "json"]].concat()).with_status(0);
    assert_eq!(ended.stderr, "");
    let complaints: Vec<_> = ended.objects().into_iter().filter(|object| object["type"] == "complaint").collect();
    assert_eq!(complaints.len(), 2, "{complaints:?}");
}

#[test]
fn a_failed_job_is_in_the_exit_status() {
    let ended = simulate(&["-s", "pods: exit 1 after 1s"]).with_status(1);
    assert!(ended.stdout.contains("job pi: Failed: BackoffLimitExceeded"), "{}", ended.stdout);
}

#[test]
fn each_line_of_json_is_an_object() {
    let objects = simulate(&["-o", "json", "-s", "at 1s: suspend", "-s", "at 2s: resume"]).with_status(0).objects();
    let changes: Vec<_> = objects.iter().filter(|object| object["type"] == "job").map(|object| object["change"].clone()).collect();
    assert!(changes.iter().any(|change| change == "Suspended: JobSuspended"), "{changes:?}");
    let last = objects.last().expect("there is a status");
    assert_eq!((&last["type"], &last["status"]["succeeded"]), (&"status".into(), &1.into()));
}

#[test]
fn every_script_in_the_help_is_understood() {
    let help = simulate(&["--help"]).with_status(0).stdout;
    let rule = |line: &&str| line.starts_with("            ") && line.contains(": ");
    let rules: Vec<&str> = help.lines().filter(rule).map(|line| line.trim().split("     ").next().unwrap_or_default()).collect();
    assert!(rules.len() > 15, "{rules:?}");
    for rule in rules {
        assert_ne!(simulate(&["--for", "1s", "-s", rule]).status, 2, "{rule}");
    }
}

#[test]
fn the_api_server_warns_as_kubectl_prints_it() {
    let folder = Folder::new();
    folder.write("dots.yaml", JOB.replace("name: pi", "name: a.b"));
    let shown = folder.run(&["simulate", "dots.yaml"]).with_status(0).stdout;
    let warned = "   0:00 ! Warning: job a.b: metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is \
                  recommended: [must not contain dots]\n";
    assert!(shown.starts_with(&format!("   0:00 job a.b: created\n{warned}")), "{shown}");
    let many = "job pi: spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to \
                track completedIndexes when a big number of indexes fail\n";
    let indexed = JOB.replacen("spec:\n", "spec:\n  suspend: true\n  completionMode: Indexed\n  completions: 100001\n", 1);
    folder.write("many.yaml", &indexed);
    let shown = folder.run(&["simulate", "many.yaml", "-s", "at 1s: scale to 10001"]).with_status(3).stdout;
    assert!(shown.contains(&format!("   0:01 ! Warning: {many}")), "{shown}");
}

#[test]
fn help_lists_the_exit_statuses() {
    let folder = Folder::new();
    for command in [&["--help"][..], &["run", "--help"], &["simulate", "--help"], &["step", "--help"]] {
        assert!(folder.run(command).with_status(0).stdout.contains("Exit status:"), "{command:?}");
    }
    assert_eq!(folder.run(&["explode"]).with_status(2).stdout, "");
}

#[test]
fn versions_are_those_of_the_program_its_component_and_kubernetes() {
    let shown = Folder::new().run(&["--version"]).with_status(0).stdout;
    let lines: Vec<&str> = shown.lines().map(|line| line.split(' ').next().unwrap_or_default()).collect();
    assert_eq!(lines, ["jobsmith", "component", "Kubernetes", "time"]);
    assert!(shown.contains("\nKubernetes v1.37\n"), "{shown}");
}

/// A Job and its pods as `kubectl get jobs,pods -o yaml` prints them: one pod has failed, the other runs.
const LIVE: &str = "\
apiVersion: v1
kind: List
metadata: {resourceVersion: ''}
items:
- apiVersion: batch/v1
  kind: Job
  metadata:
    annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}'}
    creationTimestamp: '2026-05-04T09:00:00Z'
    generation: 1
    labels: {job-name: pi}
    name: pi
    namespace: batch
    resourceVersion: '812'
    uid: 6f0a1c7e-5e0b-4a5e-9d3a-000000000001
  spec:
    backoffLimit: 1
    completionMode: NonIndexed
    completions: 2
    parallelism: 1
    podReplacementPolicy: TerminatingOrFailed
    selector: {matchLabels: {batch.kubernetes.io/controller-uid: 6f0a1c7e-5e0b-4a5e-9d3a-000000000001}}
    suspend: false
    template:
      metadata: {labels: {batch.kubernetes.io/controller-uid: 6f0a1c7e-5e0b-4a5e-9d3a-000000000001, batch.kubernetes.io/job-name: pi}}
      spec: {restartPolicy: Never, containers: [{name: main, image: perl}], terminationGracePeriodSeconds: 30}
  status: {active: 1, failed: 1, ready: 1, startTime: '2026-05-04T09:00:00Z', terminating: 0, uncountedTerminatedPods: {}}
";

fn live_pod(name: &str, number: u32, status: &str) -> String {
    format!(
        "\
- apiVersion: v1
  kind: Pod
  metadata:
    creationTimestamp: '2026-05-04T09:00:{number:02}Z'
    finalizers: [batch.kubernetes.io/job-tracking]
    labels: {{batch.kubernetes.io/controller-uid: 6f0a1c7e-5e0b-4a5e-9d3a-000000000001, batch.kubernetes.io/job-name: pi}}
    name: {name}
    namespace: batch
    ownerReferences: [{{apiVersion: batch/v1, kind: Job, name: pi, uid: 6f0a1c7e-5e0b-4a5e-9d3a-000000000001, controller: true, blockOwnerDeletion: true}}]
    uid: 6f0a1c7e-5e0b-4a5e-9d3a-0000000001{number:02}
  spec: {{nodeName: worker-3, restartPolicy: Never, containers: [{{name: main, image: perl}}]}}
  status: {status}
"
    )
}

#[test]
fn what_a_cluster_has_goes_on_from_there() {
    let running = "{phase: Running, startTime: '2026-05-04T09:00:20Z', conditions: [{type: Ready, status: 'True', lastTransitionTime: '2026-05-04T09:00:21Z'}], containerStatuses: [{name: main, ready: true, restartCount: 0, state: {running: {startedAt: '2026-05-04T09:00:21Z'}}}]}";
    let folder = Folder::new();
    folder.write("live.yaml", LIVE.to_owned() + &live_pod("pi-x7k2p", 20, running));
    let ended = folder.run(&["simulate", "live.yaml", "--skip-past", "--from", "2026-05-04T09:00:21Z", "-s", "pods: exit 4 after 10s"]);
    assert_eq!((ended.status, &*ended.stderr), (1, ""));
    expect![[r#"
           0:00 job pi: found
           0:00 pod pi-x7k2p Ready
           0:10 pod pi-x7k2p Failed with exit code 4 after 11 s
           0:11 ● The Job fails: 2 pods failed; backoffLimit allows 1 (J-46d)
           0:11 ● Counting pod pi-x7k2p as failed with exit code 4: every failed pod counts (J-124)
           0:11 job pi: FailureTarget: BackoffLimitExceeded
           0:11 ● The Job is Failed (BackoffLimitExceeded) (J-127)
           0:11 job pi: Failed: BackoffLimitExceeded

        job pi: Failed at 0:11: 2 pods failed (exit 4, 1 no longer exists); backoffLimit 1
    "#]]
    .assert_eq(&ended.stdout);
    folder.write("alone.yaml", LIVE);
    let ended = folder.run(&["simulate", "alone.yaml", "-s", "pods: succeed after 10s"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stdout.contains("! 1 active pod of job pi is missing from these objects"), "{}", ended.stdout);
    expect![[r#"
        note: the simulation begins at 2026-05-04T09:00:00Z, the last time in these objects; if they were read later, pass that time with --from, or --from now
    "#]]
    .assert_eq(&ended.stderr);
}

#[test]
fn a_file_may_be_named_as_kubectl_has_it() {
    let folder = Folder::new();
    folder.write("job.yaml", JOB);
    let [plain, as_kubectl] = [&["simulate", "job.yaml"][..], &["simulate", "-f", "job.yaml"]].map(|arguments| folder.run(arguments));
    assert_eq!(as_kubectl.with_status(0).stdout, plain.stdout);
}

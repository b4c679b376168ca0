//! What is done to a cluster in a simulation, and why its controllers act, in the trace.
//!
//! Docs: `jobsmith simulate --help`. The same lines are in `tests/scenarios/`.

use expect_test::expect;

use super::{JOB, check, simulate};
use crate::program::Folder;

#[test]
fn what_is_done_has_a_line_where_nothing_else_shows_it() {
    check(
        &[
            "-s",
            "at 1s: restart controller",
            "-s",
            "at 2s: delay watch by 10s",
            "-s",
            "at 3s: scale to 1",
            "-s",
            "at 4s: set spec.backoffLimit=2",
        ],
        0,
        expect![[r#"
            0:00 job pi: created
            0:00 pod pi-00001 Pending
            0:00 pod pi-00001 Ready
            0:01 ◆ restart controller
            0:02 ◆ delay watch by 10s
            0:03 ! spec.parallelism of job pi is 1 already
            0:04 job pi: spec.backoffLimit is 2
            0:05 pod pi-00001 Succeeded after 5 s
            0:12 job pi: SuccessCriteriaMet: CompletionsReached
            0:12 job pi: Complete: CompletionsReached
            note: containers' commands are not run: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'
        "#]],
    );
}

#[test]
fn why_the_controllers_act_is_shown_where_everything_is() {
    let script = ["-s", "pods: succeed after 5s", "-s", "at 3s: restart controller"];
    let reasons = |arguments: &[&str], part: &str| {
        let stdout = simulate(&[&script[..], arguments].concat()).with_status(0).stdout;
        stdout.lines().filter(|line| line.contains(part)).map(|line| format!("{}\n", line.trim_start())).collect::<String>()
    };
    expect![[r#"
        0:00 Reconciling: the Job appeared
        0:01 Reconciling: the Job's status or metadata changed
        0:02 Reconciling: the Job's status or metadata changed
        0:03 Reconciling: the Job appeared
        0:06 Reconciling: a pod changed
        0:07 Reconciling: the Job's status or metadata changed
    "#]]
    .assert_eq(&reasons(&["--why"], "Reconciling"));
    expect![[r#"
        {"at":"2026-01-01T00:00:00Z","type":"sync","about":{"kind":"Job","namespace":"default","name":"pi","uid":"job-pi-1"},"controller":"job","because":"the Job appeared"}
        {"at":"2026-01-01T00:00:01Z","type":"sync","about":{"kind":"Job","namespace":"default","name":"pi","uid":"job-pi-1"},"controller":"job","because":"the Job's status or metadata changed"}
        {"at":"2026-01-01T00:00:02Z","type":"sync","about":{"kind":"Job","namespace":"default","name":"pi","uid":"job-pi-1"},"controller":"job","because":"the Job's status or metadata changed"}
        {"at":"2026-01-01T00:00:03Z","type":"sync","about":{"kind":"Job","namespace":"default","name":"pi","uid":"job-pi-1"},"controller":"job","because":"the Job appeared"}
        {"at":"2026-01-01T00:00:06Z","type":"sync","about":{"kind":"Job","namespace":"default","name":"pi","uid":"job-pi-1"},"controller":"job","because":"a pod changed"}
        {"at":"2026-01-01T00:00:07Z","type":"sync","about":{"kind":"Job","namespace":"default","name":"pi","uid":"job-pi-1"},"controller":"job","because":"the Job's status or metadata changed"}
        {"at":"2026-01-01T00:00:03Z","type":"action","text":"restart controller"}
    "#]].assert_eq(&(reasons(&["-o", "json"], r#""type":"sync""#) + &reasons(&["-o", "json"], r#""type":"action""#)));
    assert_eq!(reasons(&[], "Reconciling"), "");
}

#[test]
fn what_changes_nothing_is_named() {
    check(
        &["-s", "at 1s: resume", "-s", "at 2s: scale to 1", "-s", "at 3s: suspend", "-s", "at 4s: suspend"],
        3,
        expect![[r#"
            0:00 job pi: created
            0:00 pod pi-00001 Pending
            0:00 pod pi-00001 Ready
            0:01 ! job pi is not suspended
            0:02 ! spec.parallelism of job pi is 1 already
            0:03 job pi: spec.suspend is true
            0:03 pod pi-00001 Terminating
            0:03 job pi: Suspended: JobSuspended
            0:03 pod pi-00001 Failed with exit code 143 after 3 s
            0:03 pod pi-00001 gone
            0:04 ! job pi is suspended already
            note: containers' commands are not run: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'
            job pi will not finish: it has been suspended since 0:03; resume it with --script 'at 10s: resume'
        "#]],
    );
}

#[test]
fn a_rule_that_another_one_overrules_is_named() {
    let rules = ["-s", "pods: exit 1 after 20s", "-s", "start 4: succeed at once", "-s", "attempt 2: never ready"];
    let stderr = simulate(&rules).stderr;
    expect![[r#"
        warning: "start 4: succeed at once" never applies, because "pods: exit 1 after 20s" comes first; move it above that rule
    "#]]
    .assert_eq(&stderr);
}

#[test]
fn an_action_on_a_cron_job_that_is_called_a_job_or_on_an_index_that_no_pod_has_is_explained() {
    let undone = |manifest: &str, action: &str| {
        let folder = Folder::new();
        folder.write("job.yaml", manifest);
        let ended = folder.run(&["simulate", "job.yaml", "-s", "pods: succeed after 5s", "-s", action]).with_status(1);
        ended.stderr.lines().find(|line| line.contains(action.split_once(": ").expect("it has a time").1)).unwrap_or_default().to_owned()
    };
    let cron_job = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: nightly}\nspec:\n  schedule: '* * * * *'\n  jobTemplate: {spec: {template: {spec: \
                    {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}}\n";
    let meant = "suspend job nightly: nightly is a CronJob: write 'suspend cronjob nightly'";
    assert_eq!(undone(cron_job, "at 5s: suspend job nightly"), meant);
    let index = "evict index 0: no pod has an index, because no Job has the completionMode Indexed";
    assert_eq!(undone(JOB, "at 2s: evict index 0"), index);
}

//! How Jobs end, and the program's exit status.
//!
//! Docs: Jobs, "Job termination and cleanup", "Job patterns". What pods do on the way is in `pods.rs`.

use serde_json::json;

use super::{folder, job, pod};
use crate::program::{Ended, Folder};

/// The last condition of the Job, with its reason.
fn last_condition(ended: &Ended) -> String {
    let status = ended.objects().pop().expect("the last line is the status");
    let condition = status["status"]["conditions"].as_array().and_then(|conditions| conditions.last().cloned()).unwrap_or_default();
    format!("{}: {}", condition["type"].as_str().unwrap_or("none"), condition["reason"].as_str().unwrap_or("none"))
}

#[test]
fn a_job_completes_and_all_that_it_printed_is_there() {
    let folder = folder("count", json!({}), pod("seq 2000"));
    let ended = folder.run(&["run", "job.yaml"]).with_status(0);
    let expected: Vec<String> = (1..=2000).map(|number| number.to_string()).collect();
    assert_eq!(ended.printed(), expected);
    assert!(ended.stdout.contains("job count: Complete: CompletionsReached"), "{}", ended.stdout);
    let last = ended.stdout.lines().last().unwrap_or_default();
    assert!(last.starts_with("job count: Complete at 0:") && last.ends_with(": 1 pod succeeded"), "{}", ended.stdout);
    folder.wait_until_empty();
}

#[test]
fn a_job_fails_beyond_its_backoff_limit() {
    let folder = folder("broken", json!({"backoffLimit": 0}), pod("exit 3"));
    let ended = folder.run(&["run", "job.yaml", "-o", "json"]).with_status(1);
    assert_eq!(last_condition(&ended), "Failed: BackoffLimitExceeded");
    let failed = ended.objects().into_iter().find(|entry| entry["state"] == "Failed").expect("a pod failed");
    assert_eq!(failed["exitCode"], 3);
}

#[test]
fn a_failed_job_ends_with_why_and_where_to_look() {
    let last = |arguments: &[&str]| {
        let ended = folder("broken", json!({"backoffLimit": 0}), pod("exec nonexistent-command")).run(arguments).with_status(1);
        let lines: Vec<&str> = ended.stdout.trim_end().lines().collect();
        lines[lines.len().saturating_sub(2)..].join("\n")
    };
    let plain = last(&["run", "job.yaml"]);
    assert!(plain.contains("job broken: Failed at 0:") && plain.contains(": 1 pod failed (exit 127); backoffLimit 0\n"), "{plain}");
    assert!(plain.contains("\n  --log-dir DIR keeps the output of each container; the last pod that failed is broken-"), "{plain}");
    let logged = last(&["run", "job.yaml", "--log-dir", "logs"]);
    assert!(logged.contains("\n  the output of pod broken-") && logged.ends_with(" is in logs"), "{logged}");
}

#[test]
fn only_some_pods_are_shown() {
    let folder =
        folder("letters", json!({"completionMode": "Indexed", "completions": 3, "parallelism": 3}), pod("echo $JOB_COMPLETION_INDEX"));
    let logs = |filter: &[&str]| folder.run(&[&["run", "job.yaml", "-o", "logs"], filter].concat()).with_status(0).stdout;
    let [first, others] = [logs(&["--pod", "letters-0"]), logs(&["--index", "1-2"])];
    assert!(first.starts_with("letters-0-") && first.ends_with(" | 0\n") && first.lines().count() == 1, "{first}");
    assert!(others.contains(" | 1\n") && others.contains(" | 2\n") && others.lines().count() == 2, "{others}");
}

#[test]
fn what_is_printed_may_be_the_output_of_containers_alone_or_how_each_job_ended() {
    let folder = folder("count", json!({}), pod("echo hi"));
    let logs = folder.run(&["run", "job.yaml", "-o", "logs"]).with_status(0).stdout;
    assert!(logs.starts_with("count-") && logs.ends_with(" | hi\n") && logs.lines().count() == 1, "{logs}");
    let quiet = folder.run(&["run", "job.yaml", "--quiet"]).with_status(0).stdout;
    assert!(quiet.trim().starts_with("job count: Complete at 0:") && quiet.trim().lines().count() == 1, "{quiet}");
}

#[test]
fn a_failed_container_is_restarted_in_place() {
    let mut pod = pod("mkdir $TMPDIR/tried || exit 0; exit 3");
    pod["restartPolicy"] = "OnFailure".into();
    let ended = folder("again", json!({}), pod).run(&["run", "job.yaml"]).with_status(0);
    assert!(ended.stdout.contains(" Restarted: "), "{}", ended.stdout);
    assert!(ended.stdout.ends_with(": 1 pod succeeded after 1 restart\n"), "{}", ended.stdout);
}

#[test]
fn a_pod_failure_policy_fails_the_job_at_once() {
    let rule = json!({"action": "FailJob", "onExitCodes": {"operator": "In", "values": [42]}});
    let folder = folder("picky", json!({"backoffLimit": 6, "podFailurePolicy": {"rules": [rule]}}), pod("exit 42"));
    assert_eq!(last_condition(&folder.run(&["run", "job.yaml", "-o", "json"]).with_status(1)), "Failed: PodFailurePolicy");
}

#[test]
fn a_success_policy_ends_what_still_runs() {
    let spec = json!({
        "completionMode": "Indexed", "completions": 3, "parallelism": 3,
        "successPolicy": {"rules": [{"succeededIndexes": "1"}]},
    });
    let folder = folder("leader", spec, pod("[ $JOB_COMPLETION_INDEX = 1 ] || sleep 1000"));
    let ended = folder.run(&["run", "job.yaml", "-o", "json"]).with_status(0);
    assert_eq!(last_condition(&ended), "Complete: SuccessPolicy");
    folder.wait_until_empty();
}

#[test]
fn a_deadline_ends_the_job_and_its_processes() {
    let folder = folder("late", json!({"activeDeadlineSeconds": 1}), pod("sleep 1000"));
    assert_eq!(last_condition(&folder.run(&["run", "job.yaml", "-o", "json"]).with_status(1)), "Failed: DeadlineExceeded");
    folder.wait_until_empty();
}

#[test]
fn a_job_is_suspended_and_resumed() {
    let folder = folder("pausing", json!({}), pod("mkdir $TMPDIR/begun 2>/dev/null && { echo waits; sleep 1000; }; echo goes on"));
    let ended = folder.run(&["run", "job.yaml", "--do", "at 2s: suspend", "--do", "at 2500ms: resume"]).with_status(0);
    assert_eq!(ended.printed().first(), Some(&"waits"));
    assert_eq!(ended.printed().last(), Some(&"goes on"));
    for change in ["spec.suspend is true", "Suspended: JobSuspended", "spec.suspend is false", "Suspended is False: JobResumed"] {
        assert!(ended.stdout.contains(&format!("job pausing: {change}")), "{change}: {}", ended.stdout);
    }
    folder.wait_until_empty();
}

#[test]
fn all_jobs_are_suspended_and_resumed() {
    let folder = Folder::new();
    folder.write("a.yaml", job("a", json!({}), pod("sleep 1000")));
    folder.write("b.yaml", job("b", json!({"suspend": true}), pod("true")));
    let times = ["at 500ms: suspend all", "at 600ms: suspend all", "at 1s: resume all", "at 1500ms: delete job a"];
    let actions = times.iter().flat_map(|action| ["--do", action]);
    let ended = folder.run(&["run", "a.yaml", "b.yaml"].into_iter().chain(actions).collect::<Vec<_>>()).with_status(3);
    for change in ["job a: spec.suspend is true", "! suspend all: no Job or CronJob is left to suspend", "job b: spec.suspend is false"] {
        assert!(ended.stdout.contains(change), "{change}: {}", ended.stdout);
    }
    folder.wait_until_empty();
}

#[test]
fn a_job_that_stays_suspended_has_not_ended() {
    let ended = folder("waiting", json!({"suspend": true}), pod("true")).run(&["run", "job.yaml"]).with_status(3);
    let advice = "job waiting will not finish: it has been suspended since 0:00; resume it with --do 'at 5s: resume'\n";
    assert!(ended.stderr.ends_with(advice), "{}", ended.stderr);
}

#[test]
fn a_job_that_may_have_no_pods_has_not_ended() {
    let ended = folder("idle", json!({"parallelism": 0}), pod("true")).run(&["run", "job.yaml"]).with_status(3);
    let advice = "job idle will not finish: parallelism is 0, so it may have no pods; scale it with --do 'at 5s: scale to 1'\n";
    assert!(ended.stderr.ends_with(advice), "{}", ended.stderr);
}

#[test]
fn a_job_that_is_deleted_has_not_ended() {
    let folder = folder("unwanted", json!({}), pod("sleep 1000"));
    for at in ["0s", "500ms"] {
        let ended = folder.run(&["run", "job.yaml", "--do", &format!("at {at}: delete job unwanted")]).with_status(3);
        assert!(ended.stdout.contains("job unwanted: gone"), "{}", ended.stdout);
        assert!(ended.stderr.ends_with("\njob unwanted did not finish: it was deleted\n"), "{}", ended.stderr);
        folder.wait_until_empty();
    }
}

#[test]
fn of_several_jobs_one_that_fails_counts() {
    let folder = Folder::new();
    let (good, bad) = (job("good", json!({}), pod("echo fine")), job("bad", json!({"backoffLimit": 0}), pod("exit 1")));
    folder.write("good.yaml", &good);
    folder.write("stdin", &bad);
    let ended = folder.run(&["run", "good.yaml", "-"]).with_status(1);
    assert!(ended.stdout.contains("job good: Complete") && ended.stdout.contains("job bad: Failed"), "{}", ended.stdout);
    assert_eq!(ended.printed(), ["fine"]);
}

#[test]
fn the_examples_run_as_described() {
    let folder = Folder::new();
    let example = |name: &str| format!("{}/../examples/{name}.yaml", env!("CARGO_MANIFEST_DIR"));

    let pi = folder.run(&["run", &example("pi")]).with_status(0);
    let digits = pi.printed().concat();
    assert!(digits.starts_with("3.14159265358979323846") && digits.len() == 2001, "{digits}");

    let picky = folder.run(&["run", &example("failure-policy")]).with_status(1);
    assert!(picky.stdout.contains("job picky: Failed: PodFailurePolicy"), "{}", picky.stdout);
}

//! Actions of a script that suspend or resume every Job and CronJob, and those that name no Job where none exists.
//!
//! Docs: Jobs, "Suspending a Job"; CronJob, "Schedule suspension". Suspension in a run is tested in `run/ends.rs`.

use expect_test::expect;
use serde_json::json;

use super::continuing::{check, pod, running, running_job};

#[test]
fn all_is_resumed_at_once() {
    let mut jobs = ["a", "b"].map(|name| {
        let mut job = running_job(name);
        job["spec"]["suspend"] = true.into();
        job["status"] = json!({"conditions": [{"type": "Suspended", "status": "True", "reason": "JobSuspended"}]});
        job
    });
    jobs[1]["metadata"]["labels"]["kueue.x-k8s.io/queue-name"] = "team".into();
    check(
        &jobs,
        &["-s", "at 10s: resume all", "-s", "at 11s: suspend all", "-s", "at 12s: suspend all"],
        3,
        expect![[r#"
            0:00 job a: found
            0:00 job a: Suspended: JobSuspended
            0:00 job b: found
            0:00 job b: Suspended: JobSuspended
            0:10 ! job b is in the queue team: on a cluster, Kueue suspends it again until it admits it
            0:10 job a: spec.suspend is false
            0:10 job b: spec.suspend is false
            0:10 job a: pod a-00001 Pending
            0:10 job a: Suspended is False: JobResumed
            0:10 job a: pod a-00001 Ready
            0:10 job b: pod b-00001 Pending
            0:10 job b: Suspended is False: JobResumed
            0:10 job b: pod b-00001 Ready
            0:11 job a: spec.suspend is true
            0:11 job b: spec.suspend is true
            0:11 job a: pod a-00001 Terminating
            0:11 job a: Suspended: JobSuspended
            0:11 job a: pod a-00001 Failed with exit code 143 after 1 s
            0:11 job a: pod a-00001 gone
            0:11 job b: pod b-00001 Terminating
            0:11 job b: Suspended: JobSuspended
            0:11 job b: pod b-00001 Failed with exit code 143 after 1 s
            0:11 job b: pod b-00001 gone
            0:12 ! suspend all: no Job or CronJob is left to suspend
            note: containers' commands are not run: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'
            suspend all: no Job or CronJob is left to suspend
            job a will not finish: it has been suspended since 0:11; resume it with --script 'at 15s: resume job a'
            job b will not finish: it has been suspended since 0:11, and is waiting for Kueue to admit it through the queue team; resume it with --script 'at 15s: resume job b'
        "#]],
    );
    let cron_job = json!({
        "apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "hello", "namespace": "default", "uid": "uid-hello"},
        "spec": {"schedule": "@daily", "suspend": true, "jobTemplate": {"spec": {"template": jobs[0]["spec"]["template"]}}},
    });
    check(
        &[cron_job, jobs[0].clone()],
        &["-s", "at 10s: resume"],
        0,
        expect![[r#"
            0:00 cronjob hello: found
            0:00 job a: found
            0:00 job a: Suspended: JobSuspended
            0:10 ! cronjob hello stays suspended; to resume it as well, write "resume all" or "resume cronjob hello"
            0:10 job a: spec.suspend is false
            0:10 job a: pod a-00001 Pending
            0:10 job a: Suspended is False: JobResumed
            0:10 job a: pod a-00001 Ready
            0:15 job a: pod a-00001 Succeeded after 5 s
            0:16 job a: SuccessCriteriaMet: CompletionsReached
            0:16 job a: Complete: CompletionsReached
            note: containers' commands are not run: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'
            cronjob hello: Not starting Jobs: the CronJob is suspended; resume it with --script 'at 5s: resume cronjob hello'
        "#]],
    );
}

#[test]
fn what_refuses_to_be_suspended_does_not_keep_the_others() {
    let cron_job = |name: &str| {
        json!({
            "apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": name, "namespace": "default", "uid": format!("uid-{name}")},
            "spec": {"schedule": "never", "jobTemplate": {"spec": {"template": running_job("a")["spec"]["template"]}}},
        })
    };
    check(
        &[cron_job("hello"), cron_job("other"), running_job("a"), pod("a-1", "Job", "a", &running())],
        &["-s", "at 1s: suspend all", "-s", "at 2s: end"],
        3,
        expect![[r#"
            0:00 cronjob hello: found
            0:00 cronjob other: found
            0:00 job a: found
            0:00 job a: pod a-1 Ready
            0:01 ! refused: suspend all: CronJob.batch "hello" is invalid: spec.schedule: Invalid value: "never": expected exactly 5 fields, found 1: [never]
            0:01 ! refused: suspend all: CronJob.batch "other" is invalid: spec.schedule: Invalid value: "never": expected exactly 5 fields, found 1: [never]
            0:01 job a: spec.suspend is true
            0:01 job a: pod a-1 Terminating
            0:01 job a: Suspended: JobSuspended
            0:01 job a: pod a-1 Failed with exit code 143 after 2 s
            0:01 job a: pod a-1 gone
            note: containers' commands are not run: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'
            cronjob hello: Not starting Jobs: schedule is invalid: expected exactly 5 fields, found 1: [never]
            cronjob other: Not starting Jobs: schedule is invalid: expected exactly 5 fields, found 1: [never]
            refused: suspend all: CronJob.batch "hello" is invalid: spec.schedule: Invalid value: "never": expected exactly 5 fields, found 1: [never]
            refused: suspend all: CronJob.batch "other" is invalid: spec.schedule: Invalid value: "never": expected exactly 5 fields, found 1: [never]
            job a has not finished at 0:02, where the script ends: it has been suspended since 0:01
        "#]],
    );
}

#[test]
fn what_could_be_done_with_a_cron_job_is_proposed() {
    let cron_job = json!({
        "apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "hello", "namespace": "default", "uid": "uid-hello"},
        "spec": {"schedule": "@daily", "suspend": true, "jobTemplate": {"spec": {"template": running_job("a")["spec"]["template"]}}},
    });
    check(
        &[cron_job],
        &[
            "-s",
            "at 1s: resume",
            "-s",
            "at 2s: set spec.suspend=false",
            "-s",
            "at 3s: scale to 3",
            "-s",
            "at 4s: overwrite spec.suspend=1",
            "-s",
            "at 5s: end",
        ],
        1,
        expect![[r#"
            0:00 cronjob hello: found
            0:01 ! resume: there are no Jobs; to act on a CronJob, name it, as in 'resume cronjob hello'
            0:02 ! set spec.suspend=false: there are no Jobs; to act on a CronJob, name it, as in 'set cronjob hello spec.suspend=false'
            0:03 ! scale to 3: there are no Jobs
            0:04 ! overwrite spec.suspend=1: there are no Jobs
            note: containers' commands are not run: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'
            resume: there are no Jobs; to act on a CronJob, name it, as in 'resume cronjob hello'
            set spec.suspend=false: there are no Jobs; to act on a CronJob, name it, as in 'set cronjob hello spec.suspend=false'
            scale to 3: there are no Jobs
            overwrite spec.suspend=1: there are no Jobs
        "#]],
    );
}

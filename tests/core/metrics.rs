//! Metrics: what the Job controller has counted when a Job has ended.
//!
//! Docs: Kubernetes Metrics Reference (J-150…J-161). How counts are kept is in `crates/controllers/src/runtime/metrics.rs`.

use std::fmt::Write as _;

use api::request::Request;
use api::{Duration, Kind, time};
use cluster::Dependence;
use cluster::apiserver::ApiServer;
use cluster::naming::Names;
use contract::metrics::{Histogram, Measure};
use core_tests::native::Native;
use expect_test::{Expect, expect};
use play::Cluster;
use script::{Action, Script, Scripted};

/// Plays a Job with this spec for an hour, and lists what was counted; of histograms, the number and the sum.
fn check(script: &str, spec: &str, expected: Expect) {
    let start = play::start();
    let script = Script::parse(script).expect("it is a script");
    let refusals = script.actions.iter().map(|statement| {
        let Action::RefuseNextWrite(refusal) = &statement.what.action else { panic!("{} does not happen here", statement.what) };
        *refusal
    });
    let refusals = refusals.collect();
    let server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
    let mut cluster = Cluster::new(server, Native::default(), Scripted::new(script), start);
    let template = r#""template":{"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"none"}]}}"#;
    let job = format!(r#"{{"apiVersion":"batch/v1","kind":"Job","metadata":{{"name":"pi"}},"spec":{{{spec}{template}}}}}"#);
    cluster.request(&Request::create(Kind::Job, "default", job), start).expect("the server takes it");
    cluster.refusals.next = refusals;
    let (mut now, end) = (start, time::after(start, Duration::from_hours(1)));
    cluster.turn(now);
    while let Some(due) = cluster.next_due().filter(|due| *due <= end) {
        now = due.max(now);
        cluster.turn(now);
    }
    let mut lines = String::new();
    for family in cluster.world.manager.metrics(now) {
        let name = family.name.trim_start_matches("job_controller_");
        for sample in family.samples {
            let labels: Vec<String> = sample.labels.iter().map(|(label, value)| format!("{label}={value}")).collect();
            let value = match sample.value {
                Measure::Counter(number) => number.to_string(),
                Measure::Gauge(number) => number.to_string(),
                Measure::Histogram(Histogram { sum, count, .. }) => format!("{count} in {sum} s"),
            };
            writeln!(lines, "{name} {}: {value}", labels.join(" ")).expect("a string takes all");
        }
    }
    expected.assert_eq(&lines);
}

#[test]
fn successes_and_failures_are_counted_once() {
    check(
        "attempt 1: exit 1 after 5s",
        r#""completions":2,"parallelism":2,"#,
        expect![[r#"
            job_pods_creation_total reason=new status=succeeded: 2
            job_pods_creation_total reason=recreate_terminating_or_failed status=succeeded: 1
            job_pods_finished_total completion_mode=NonIndexed result=failed: 1
            job_pods_finished_total completion_mode=NonIndexed result=succeeded: 2
            job_sync_duration_seconds completion_mode=NonIndexed result=success action=pods_created: 2 in 0 s
            job_sync_duration_seconds completion_mode=NonIndexed result=success action=tracking: 5 in 0 s
            job_syncs_total completion_mode=NonIndexed result=success action=pods_created: 2
            job_syncs_total completion_mode=NonIndexed result=success action=tracking: 5
            jobs_finished_total completion_mode=NonIndexed result=succeeded reason=CompletionsReached: 1
            terminated_pods_tracking_finalizer_total event=add: 3
            terminated_pods_tracking_finalizer_total event=delete: 3
            workqueue_depth name=job: 0
            workqueue_depth name=job_orphan_pod: 0
            workqueue_depth name=cronjob: 0
            workqueue_depth name=ttl_jobs_to_delete: 0
        "#]],
    );
}

#[test]
fn indexes_are_counted_by_the_limit_that_they_have() {
    check(
        "index 1: exit 1 after 5s\nindex 2: exit 1 after 5s",
        r#""completions":4,"parallelism":4,"completionMode":"Indexed","backoffLimitPerIndex":1,"#,
        expect![[r#"
            job_finished_indexes_total status=failed backoffLimit=perIndex: 2
            job_finished_indexes_total status=succeeded backoffLimit=perIndex: 2
            job_pods_creation_total reason=new status=succeeded: 4
            job_pods_creation_total reason=recreate_terminating_or_failed status=succeeded: 2
            job_pods_finished_total completion_mode=Indexed result=failed: 4
            job_pods_finished_total completion_mode=Indexed result=succeeded: 2
            job_sync_duration_seconds completion_mode=Indexed result=success action=pods_created: 4 in 0 s
            job_sync_duration_seconds completion_mode=Indexed result=success action=reconciling: 1 in 0 s
            job_sync_duration_seconds completion_mode=Indexed result=success action=tracking: 4 in 0 s
            job_syncs_total completion_mode=Indexed result=success action=pods_created: 4
            job_syncs_total completion_mode=Indexed result=success action=reconciling: 1
            job_syncs_total completion_mode=Indexed result=success action=tracking: 4
            jobs_finished_total completion_mode=Indexed result=failed reason=FailedIndexes: 1
            terminated_pods_tracking_finalizer_total event=add: 6
            terminated_pods_tracking_finalizer_total event=delete: 6
            workqueue_depth name=job: 0
            workqueue_depth name=job_orphan_pod: 0
            workqueue_depth name=cronjob: 0
            workqueue_depth name=ttl_jobs_to_delete: 0
        "#]],
    );
    check(
        "pods: succeed after 5s",
        r#""completions":2,"parallelism":2,"completionMode":"Indexed","#,
        expect![[r#"
            job_finished_indexes_total status=succeeded backoffLimit=global: 2
            job_pods_creation_total reason=new status=succeeded: 2
            job_pods_finished_total completion_mode=Indexed result=succeeded: 2
            job_sync_duration_seconds completion_mode=Indexed result=success action=pods_created: 1 in 0 s
            job_sync_duration_seconds completion_mode=Indexed result=success action=tracking: 3 in 0 s
            job_syncs_total completion_mode=Indexed result=success action=pods_created: 1
            job_syncs_total completion_mode=Indexed result=success action=tracking: 3
            jobs_finished_total completion_mode=Indexed result=succeeded reason=CompletionsReached: 1
            terminated_pods_tracking_finalizer_total event=add: 2
            terminated_pods_tracking_finalizer_total event=delete: 2
            workqueue_depth name=job: 0
            workqueue_depth name=job_orphan_pod: 0
            workqueue_depth name=cronjob: 0
            workqueue_depth name=ttl_jobs_to_delete: 0
        "#]],
    );
}

#[test]
fn what_the_failure_policy_did_is_counted() {
    check(
        "attempt 1: exit 1 after 5s\nattempt 2: exit 2 after 5s\nattempt 3: exit 3 after 5s",
        r#""podFailurePolicy":{"rules":[{"action":"Ignore","onExitCodes":{"operator":"In","values":[1]}},
            {"action":"Count","onExitCodes":{"operator":"In","values":[2]}},{"action":"FailJob","onExitCodes":{"operator":"In","values":[3]}}]},"#,
        expect![[r#"
            job_pods_creation_total reason=new status=succeeded: 2
            job_pods_creation_total reason=recreate_failed status=succeeded: 1
            job_pods_finished_total completion_mode=NonIndexed result=failed: 2
            job_sync_duration_seconds completion_mode=NonIndexed result=success action=pods_created: 7 in 0 s
            job_sync_duration_seconds completion_mode=NonIndexed result=success action=reconciling: 1 in 0 s
            job_sync_duration_seconds completion_mode=NonIndexed result=success action=tracking: 6 in 0 s
            job_syncs_total completion_mode=NonIndexed result=success action=pods_created: 7
            job_syncs_total completion_mode=NonIndexed result=success action=reconciling: 1
            job_syncs_total completion_mode=NonIndexed result=success action=tracking: 6
            jobs_finished_total completion_mode=NonIndexed result=failed reason=PodFailurePolicy: 1
            pod_failures_handled_by_failure_policy_total action=Count: 1
            pod_failures_handled_by_failure_policy_total action=FailJob: 1
            pod_failures_handled_by_failure_policy_total action=Ignore: 1
            terminated_pods_tracking_finalizer_total event=add: 3
            terminated_pods_tracking_finalizer_total event=delete: 3
            workqueue_depth name=job: 0
            workqueue_depth name=job_orphan_pod: 0
            workqueue_depth name=cronjob: 0
            workqueue_depth name=ttl_jobs_to_delete: 0
        "#]],
    );
}

#[test]
fn a_creation_that_is_refused_is_counted_as_failed() {
    check(
        "at 0s: refuse next write with forbidden",
        "",
        expect![[r#"
            job_pods_creation_total reason=new status=failed: 1
            job_pods_creation_total reason=new status=succeeded: 1
            job_pods_finished_total completion_mode=NonIndexed result=succeeded: 1
            job_sync_duration_seconds completion_mode=NonIndexed result=error action=pods_created: 1 in 0 s
            job_sync_duration_seconds completion_mode=NonIndexed result=success action=pods_created: 1 in 0 s
            job_sync_duration_seconds completion_mode=NonIndexed result=success action=tracking: 3 in 0 s
            job_syncs_total completion_mode=NonIndexed result=error action=pods_created: 1
            job_syncs_total completion_mode=NonIndexed result=success action=pods_created: 1
            job_syncs_total completion_mode=NonIndexed result=success action=tracking: 3
            jobs_finished_total completion_mode=NonIndexed result=succeeded reason=CompletionsReached: 1
            terminated_pods_tracking_finalizer_total event=add: 1
            terminated_pods_tracking_finalizer_total event=delete: 1
            workqueue_depth name=job: 0
            workqueue_depth name=job_orphan_pod: 0
            workqueue_depth name=cronjob: 0
            workqueue_depth name=ttl_jobs_to_delete: 0
        "#]],
    );
}

#[test]
fn jobs_of_other_controllers_are_counted_and_not_synced() {
    check(
        "",
        r#""managedBy":"example.dev/jobs","#,
        expect![[r#"
            jobs_by_external_controller_total controller_name=example.dev/jobs: 1
            workqueue_depth name=job: 0
            workqueue_depth name=job_orphan_pod: 0
            workqueue_depth name=cronjob: 0
            workqueue_depth name=ttl_jobs_to_delete: 0
        "#]],
    );
}

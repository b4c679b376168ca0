//! Pod failure policies, tried: which rule fires in which case, and what happens to the Job.
//!
//! Docs: Jobs, "Pod failure policy"; `story::policy` has the cases.

use api::Kind;
use core_tests::native::Native;
use expect_test::{Expect, expect};
use play::trace::Clock;
use serde_json::Value;
use story::policy::TriedPolicy;

/// A row for each case: what happens, the rule, those that it hides, and the outcome.
fn check(manifest: &str, expected: Expect) {
    let object = &manifest::objects(manifest).expect("it is a manifest")[0];
    let value: Value = object.document().value().clone();
    let kind = if value["kind"] == "CronJob" { Kind::CronJob } else { Kind::Job };
    let policy = TriedPolicy::of(kind, &value).expect("it has a policy");
    let row = |case| {
        let trial = policy.trial(case, Native::default).expect("the Job is valid");
        let matched = match trial.matched {
            Some(rule) => format!("rule {rule} ({})", policy.rules[rule].action),
            None if trial.failed => "no rule".to_owned(),
            None => "no pod failed".to_owned(),
        };
        let hidden = if trial.hidden.is_empty() { String::new() } else { format!(", before {:?}", trial.hidden) };
        let facts: Vec<String> = trial.outcome.facts.iter().map(|fact| fact.render(|at| Clock { start: trial.start }.time(at))).collect();
        format!("{}: {matched}{hidden}: {}\n", case.title, facts.join(" · "))
    };
    expected.assert_eq(&policy.cases.iter().map(row).collect::<String>());
}

const JOB: &str = "
apiVersion: batch/v1
kind: Job
metadata: {name: picky}
spec:
  backoffLimit: 1
  podFailurePolicy:
    rules:
    - {action: FailJob, onExitCodes: {operator: In, values: [42]}}
    - {action: Ignore, onPodConditions: [{type: DisruptionTarget}]}
    - {action: Count, onExitCodes: {operator: In, values: [1, 2]}}
    - {action: FailJob, onPodConditions: [{type: ConfigIssue}]}
  template:
    spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
";

#[test]
fn what_a_script_cannot_name_is_no_case() {
    let manifest = JOB.replace("ConfigIssue", "\"Config Issue: 1\\n\"");
    let object = &manifest::objects(&manifest).expect("it is a manifest")[0];
    let policy = TriedPolicy::of(Kind::Job, object.document().value()).expect("it has a policy");
    assert!(!policy.cases.is_empty() && policy.cases.iter().all(|case| !case.title.contains("Config")));
    assert!(policy.trial(&policy.cases[0], Native::default).is_err(), "the API server refuses this type");
}

#[test]
fn each_rule_is_tried_by_exit_codes_disruptions_and_conditions() {
    check(
        JOB,
        expect![[r#"
        Exit code 1: rule 2 (Count): Complete at 0:21 · 1/1 succeeded · 2 pods
        Exit code 2: rule 2 (Count): Complete at 0:21 · 1/1 succeeded · 2 pods
        Exit code 42: rule 0 (FailJob): Failed at 0:06 · rule 0 of podFailurePolicy matched · 1 pod
        Exit code 3: no rule: Complete at 0:21 · 1/1 succeeded · 2 pods
        OOMKilled, exit code 137: no rule: Complete at 0:21 · 1/1 succeeded · 2 pods
        Eviction through the API: rule 1 (Ignore): Complete at 0:21 · 1/1 succeeded · 2 pods
        Preemption by the scheduler: rule 1 (Ignore): Complete at 0:21 · 1/1 succeeded · 2 pods
        Eviction by the kubelet (node pressure): rule 1 (Ignore): Complete at 0:21 · 1/1 succeeded · 2 pods
        Deletion of the pod: no rule: Complete at 0:21 · 1/1 succeeded · 2 pods
        Condition ConfigIssue, exit code 1: rule 2 (Count), before [3]: Complete at 0:21 · 1/1 succeeded · 2 pods
        Condition ConfigIssue, exit code 2: rule 2 (Count), before [3]: Complete at 0:21 · 1/1 succeeded · 2 pods
        Condition ConfigIssue, exit code 42: rule 0 (FailJob), before [3]: Failed at 0:06 · rule 0 of podFailurePolicy matched · 1 pod
        Condition ConfigIssue, exit code 3: rule 3 (FailJob): Failed at 0:06 · rule 3 of podFailurePolicy matched · 1 pod
    "#]],
    );
}

#[test]
fn a_rule_behind_a_more_general_one_never_fires() {
    let general = JOB.replace("operator: In, values: [42]", "operator: NotIn, values: [3]");
    let (first, rest) = general.split_once("    - {action: Count").expect("it has that rule");
    check(
        &format!("{first}{}", &rest[rest.find("  template").expect("it has a template")..]),
        expect![[r#"
        Exit code 3: no rule: Complete at 0:21 · 1/1 succeeded · 2 pods
        Exit code 1: rule 0 (FailJob): Failed at 0:06 · rule 0 of podFailurePolicy matched · 1 pod
        OOMKilled, exit code 137: rule 0 (FailJob): Failed at 0:06 · rule 0 of podFailurePolicy matched · 1 pod
        Eviction through the API: rule 0 (FailJob), before [1]: Failed at 0:06 · rule 0 of podFailurePolicy matched · 1 pod
        Preemption by the scheduler: rule 0 (FailJob), before [1]: Failed at 0:06 · rule 0 of podFailurePolicy matched · 1 pod
        Eviction by the kubelet (node pressure): rule 0 (FailJob), before [1]: Failed at 0:06 · rule 0 of podFailurePolicy matched · 1 pod
        Deletion of the pod: rule 0 (FailJob): Failed at 0:06 · rule 0 of podFailurePolicy matched · 1 pod
    "#]],
    );
}

#[test]
fn a_job_as_a_cluster_has_it_and_the_jobs_of_a_cron_job_are_tried() {
    let containers =
        "initContainers: [{name: fetch, image: busybox}], containers: [{name: main, image: busybox}, {name: log, image: busybox}]";
    let spec = format!(
        "{{completionMode: Indexed, completions: 2, backoffLimitPerIndex: 1, podFailurePolicy: {{rules: [{{action: FailIndex, onExitCodes: {{containerName: fetch, operator: In, values: [3]}}}}]}}, template: {{spec: {{restartPolicy: Never, {containers}}}}}}}"
    );
    check(
        &format!(
            "apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: nightly}}\nspec: {{schedule: '0 3 * * *', jobTemplate: {{spec: {spec}}}}}\n"
        ),
        expect![[r#"
            Exit code 3 of main: no rule: Complete at 0:27 · 2/2 succeeded · 3 pods
            Exit code 1 of main: no rule: Complete at 0:27 · 2/2 succeeded · 3 pods
            OOMKilled of main, exit code 137: no rule: Complete at 0:27 · 2/2 succeeded · 3 pods
            Exit code 3 of fetch: rule 0 (FailIndex): Failed at 0:12 · 1 index failed, 1 succeeded · failed index 0 · 2 pods
            Exit code 1 of fetch: no rule: Complete at 0:22 · 2/2 succeeded · 3 pods
            OOMKilled of fetch, exit code 137: no rule: Complete at 0:22 · 2/2 succeeded · 3 pods
            Eviction through the API: no rule: Complete at 0:27 · 2/2 succeeded · 3 pods
            Preemption by the scheduler: no rule: Complete at 0:27 · 2/2 succeeded · 3 pods
            Eviction by the kubelet (node pressure): no rule: Complete at 0:27 · 2/2 succeeded · 3 pods
        "#]],
    );
    let selected = spec.replacen('{', "{selector: {matchLabels: {controller-uid: u}}, ", 1);
    let stored = format!(
        "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: known, uid: u, ownerReferences: [{{apiVersion: batch/v1, kind: CronJob, name: nightly, uid: c, controller: true}}]}}\nspec: {selected}\nstatus: {{failed: 1}}\n"
    );
    check(
        &stored,
        expect![[r#"
        Exit code 3 of main: no rule: Complete at 0:27 · 2/2 succeeded · 3 pods
        Exit code 1 of main: no rule: Complete at 0:27 · 2/2 succeeded · 3 pods
        OOMKilled of main, exit code 137: no rule: Complete at 0:27 · 2/2 succeeded · 3 pods
        Exit code 3 of fetch: rule 0 (FailIndex): Failed at 0:12 · 1 index failed, 1 succeeded · failed index 0 · 2 pods
        Exit code 1 of fetch: no rule: Complete at 0:22 · 2/2 succeeded · 3 pods
        OOMKilled of fetch, exit code 137: no rule: Complete at 0:22 · 2/2 succeeded · 3 pods
        Eviction through the API: no rule: Complete at 0:27 · 2/2 succeeded · 3 pods
        Preemption by the scheduler: no rule: Complete at 0:27 · 2/2 succeeded · 3 pods
        Eviction by the kubelet (node pressure): no rule: Complete at 0:27 · 2/2 succeeded · 3 pods
        Deletion of the pod: no rule: Complete at 0:27 · 2/2 succeeded · 3 pods
    "#]],
    );
}

//! never-ends: nothing ends a Job whose pod cannot start.
//!
//! Docs: Jobs, "Job termination and cleanup". CronJobs whose schedules suffer from it have rules of their own: `runs_pile_up.rs`, `one_stuck_blocks_all.rs`.

use api::annotation::{PendingAction, PendingClass, PendingRules};
use api::cron_job::concurrency_policy;
use manifest::{RuleName, Severity};
use serde_json::Value;

use super::runs_pile_up::piles_up;
use crate::annotations::pending_rules;
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::run_times::RunTimes;
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"never-ends"),
    code: 102,
    severity: Severity::Warning,
    summary: "No deadline ends a Job whose pod cannot start",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    let never_starts = workload.cron_job.is_some_and(|cron_job| !RunTimes::fires(cron_job, set.now));
    let other_rule = match workload.concurrency_policy() {
        Some(concurrency_policy::FORBID | concurrency_policy::REPLACE) => true,
        Some(_) => piles_up(workload, set),
        None => false,
    };
    if workload.bounded() || other_rule || never_starts {
        return Vec::new();
    }
    let named = unknown_object(workload, set);
    if gives_up(workload, named.is_none()) {
        return Vec::new();
    }
    let (what, severity) = match workload.cron_job {
        Some(_) => ("a run of this CronJob", Severity::Warning),
        None => ("this Job", Severity::Note),
    };
    let message = format!(
        "{what} never ends if its pod cannot start, for example because {}",
        named.unwrap_or_else(|| "its image cannot be pulled".to_owned())
    );
    let remedy = format!("set {}, for example to 3600", workload.job_field("activeDeadlineSeconds"));
    vec![Finding::at(workload.job_path(), message, remedy).severity(severity)]
}

/// Whether a line of an annotation ends the wait for whatever it is, or for an image (X-7).
fn gives_up(workload: &Advised<'_>, for_image: bool) -> bool {
    let (_, PendingRules(rules)) = pending_rules(workload);
    let acts = rules.iter().filter(|rule| rule.message.is_none() && rule.action != PendingAction::Replace);
    acts.map(|rule| rule.class).any(|class| class.is_none() || for_image && class == Some(PendingClass::Image))
}

/// What can keep a pod from starting forever besides its image: something that it refers to and that is not among the files.
fn unknown_object(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Option<String> {
    let variables = workload.containers().into_iter().flat_map(|container| {
        let items = |field: &str| container.field(field).as_array().map(Vec::as_slice).unwrap_or_default();
        let from = items("envFrom").iter().flat_map(|source| [&source["secretRef"], &source["configMapRef"]].into_iter().zip(REFERENCES));
        let values = items("env").iter().map(|variable| &variable["valueFrom"]);
        let values = values.flat_map(|source| [&source["secretKeyRef"], &source["configMapKeyRef"]].into_iter().zip(REFERENCES));
        from.chain(values).collect::<Vec<_>>()
    });
    let volumes = workload.pod("volumes").and_then(Value::as_array).into_iter().flatten();
    let volumes = volumes.flat_map(|volume| {
        let secret = (&volume["secret"]["secretName"], &volume["secret"], "Secret");
        let config_map = (&volume["configMap"]["name"], &volume["configMap"], "ConfigMap");
        let claim = &volume["persistentVolumeClaim"];
        [secret, config_map, (&claim["claimName"], claim, "PersistentVolumeClaim")]
    });
    let variables = variables.map(|(source, kind)| (&source["name"], source, kind));
    let missing = |kind: &str, name: &str| set.other(kind, workload.namespace(), name).is_none();
    let named = variables
        .chain(volumes)
        .find_map(|(name, source, kind)| Some((name.as_str().filter(|name| source["optional"] != true && missing(kind, name))?, kind)));
    named.map(|(name, kind)| format!("{kind} {name} does not exist"))
}

/// The kinds that environment variables come from.
const REFERENCES: [&str; 2] = ["Secret", "ConfigMap"];

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{annotated, check, cron_job, job};

    #[test]
    fn an_annotation_may_end_the_wait() {
        let rules = |rule: &str| annotated(&[&format!("jobsmith.dev/on-pending: '{rule}'")]);
        check(&RULE, &[&rules("image 10m: fail the Job"), &rules("any 10m: fail")], expect![[""]]);
        check(
            &RULE,
            &[&rules("any 10m: replace"), &rules("unschedulable 1h: fail")],
            expect![[r#"
            0: 7:1 Note spec: this Job never ends if its pod cannot start, for example because its image cannot be pulled; set spec.activeDeadlineSeconds, for example to 3600
            1: 7:1 Note spec: this Job never ends if its pod cannot start, for example because its image cannot be pulled; set spec.activeDeadlineSeconds, for example to 3600
        "#]],
        );
    }

    #[test]
    fn what_may_never_start_needs_a_deadline() {
        let daily = "schedule: 0 3 * * *";
        check(
            &RULE,
            &[
                &job(&[], &[], &[]),
                &job(&[], &["volumes: [{name: v, configMap: {name: c, optional: true}}, {name: w, secret: {secretName: s}}]"], &[]),
                &job(&[], &[], &["envFrom: [{configMapRef: {name: settings}}]"]),
                &job(&[], &[], &["env: [{name: A, valueFrom: {secretKeyRef: {name: db, key: k}}}]"]),
                &cron_job(&[daily], &[]),
            ],
            expect![[r#"
                0: 4:1 Note spec: this Job never ends if its pod cannot start, for example because its image cannot be pulled; set spec.activeDeadlineSeconds, for example to 3600
                1: 4:1 Note spec: this Job never ends if its pod cannot start, for example because Secret s does not exist; set spec.activeDeadlineSeconds, for example to 3600
                2: 4:1 Note spec: this Job never ends if its pod cannot start, for example because ConfigMap settings does not exist; set spec.activeDeadlineSeconds, for example to 3600
                3: 4:1 Note spec: this Job never ends if its pod cannot start, for example because Secret db does not exist; set spec.activeDeadlineSeconds, for example to 3600
                4: 7:5 Warning spec.jobTemplate.spec: a run of this CronJob never ends if its pod cannot start, for example because its image cannot be pulled; set spec.jobTemplate.spec.activeDeadlineSeconds, for example to 3600
            "#]],
        );
        check(
            &RULE,
            &[
                &job(&["activeDeadlineSeconds: 60"], &[], &[]),
                &job(&[], &["activeDeadlineSeconds: 60"], &[]),
                &cron_job(&[daily, "concurrencyPolicy: Forbid"], &[]),
                &cron_job(&[daily, "concurrencyPolicy: Replace"], &[]),
                &cron_job(&["schedule: 0 * * * *"], &[]),
                &cron_job(&["schedule: 0 0 31 2 *"], &[]),
                &cron_job(&[daily], &["activeDeadlineSeconds: 60"]),
            ],
            expect![[""]],
        );
    }

    #[test]
    fn what_is_among_the_files_is_there() {
        let settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n";
        check(
            &RULE,
            &[&job(&[], &[], &["envFrom: [{configMapRef: {name: settings}}]"]), settings],
            expect![[r#"
            0: 4:1 Note spec: this Job never ends if its pod cannot start, for example because its image cannot be pulled; set spec.activeDeadlineSeconds, for example to 3600
        "#]],
        );
    }
}

//! annotation-without-effect: an annotation of jobsmith, or a part of one, that does nothing because of its key, its place, or a field beside it.
//!
//! Docs: README, "Beyond Kubernetes" (X-1, X-2, X-5…X-7). Values that mean nothing are found in `invalid_annotation.rs`.

use api::CronJob;
use api::annotation::{DOMAIN, IGNORE, KNOWN, KnownAnnotation, MANAGED_BY, ON_FAILURE, SUSPEND, TTL_AFTER_COMPLETE, TTL_AFTER_FAILED};
use api::annotation::{FailureMatcher, PendingAction, PodChange};
use manifest::{Fix, RuleName, Severity, nearest};

use crate::annotations::{OwnAnnotation, failure_rules, metadata_of, own, path, pending_rules};
use crate::container::TemplateContainer;
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::{self, Advised};

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"annotation-without-effect"),
    code: 307,
    severity: Severity::Warning,
    summary: "A jobsmith annotation, or a line of it, has no effect, because of its key, its place or a field",
    finder: Finder::Mistake(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let finding = |annotation: &OwnAnnotation<'_>| match KnownAnnotation::of(annotation.key) {
        None => unknown(annotation),
        Some(known) if !known.is_for(annotation.of) => Some(misplaced(workload, annotation, known)),
        Some(_) => beside_field(workload, annotation),
    };
    own(workload).iter().filter_map(finding).chain(growth(workload)).chain(index_of_pending(workload)).collect()
}

/// An annotation that jobsmith does not have.
fn unknown(annotation: &OwnAnnotation<'_>) -> Option<Finding> {
    let name = |key: &'static str| &key[DOMAIN.len()..];
    let meant = nearest(&annotation.key[DOMAIN.len()..], KNOWN.iter().map(|known| name(known.key)));
    if meant == Some(name(IGNORE)) {
        // That is reported with the silences.
        return None;
    }
    let finding = |remedy: String| Finding::at(annotation.path(), format!("jobsmith has no annotation {}", annotation.key), remedy).key();
    Some(match meant {
        Some(meant) => {
            let meant = format!("{DOMAIN}{meant}");
            finding(format!("did you mean {meant}?")).fix(Fix::Move { to: path(annotation.metadata, &meant) })
        }
        None => {
            let known = KNOWN.iter().filter(|known| known.is_for(annotation.of)).map(|known| name(known.key));
            finding(format!("after {DOMAIN}, a {} can have {}", annotation.of.name(), known.collect::<Vec<_>>().join(", ")))
        }
    })
}

/// An annotation of other objects than those that have it.
fn misplaced(workload: &Advised<'_>, annotation: &OwnAnnotation<'_>, known: &KnownAnnotation) -> Finding {
    let kinds: Vec<String> = known.kinds.iter().map(|kind| format!("{}s", kind.name())).collect();
    let message = format!("{} is for {} and has no effect on a {}", annotation.key, kinds.join(" and "), annotation.of.name());
    match known.kinds.iter().find_map(|kind| metadata_of(workload, *kind)) {
        Some(metadata) => {
            let remedy = format!("move it to {metadata}.annotations");
            Finding::at(annotation.path(), message, remedy).key().fix(Fix::Move { to: path(metadata, annotation.key) })
        }
        None => Finding::at(annotation.path(), message, "remove it").key().fix(Fix::TakeOut),
    }
}

/// An annotation in the right place, which a field leaves without effect.
fn beside_field(workload: &Advised<'_>, annotation: &OwnAnnotation<'_>) -> Option<Finding> {
    let suspended = workload.cron_job.is_some_and(CronJob::suspended);
    let finding = |message: &str, remedy: String| Some(Finding::at(annotation.path(), message, remedy));
    match annotation.key {
        ON_FAILURE if workload.restart_policy() == workload::ON_FAILURE => finding(
            "with restartPolicy OnFailure, the kubelet restarts a failed container in its pod: the pod does not fail, and no rule matches",
            format!("set {} to Never, or give the containers restartPolicyRules (KEP-5307)", workload.pod_field("restartPolicy")),
        ),
        MANAGED_BY if !suspended => {
            let message = "the CronJob is not suspended, so the built-in controller manages it, and jobsmith leaves it alone";
            let fix = Fix::Add { path: "spec.suspend".to_owned(), value: "true".to_owned() };
            Some(finding(message, "set spec.suspend to true".to_owned())?.fix(fix))
        }
        SUSPEND if !workload.metadata.annotations.contains_key(MANAGED_BY) => finding(
            &format!("without {MANAGED_BY}, spec.suspend decides, and this does nothing"),
            "set spec.suspend, and remove this".to_owned(),
        ),
        TTL_AFTER_COMPLETE | TTL_AFTER_FAILED if workload.spec.ttl_seconds_after_finished.is_some() => {
            let message = format!("{} takes precedence, however the Job ends", workload.job_field("ttlSecondsAfterFinished"));
            Some(finding(&message, "remove one of the two".to_owned())?.fix(Fix::TakeOut))
        }
        _ => None,
    }
}

/// Lines that let containers grow that neither request nor limit the resource (X-6).
fn growth(workload: &Advised<'_>) -> Vec<Finding> {
    let (path, rules) = failure_rules(workload);
    let containers = workload.containers();
    let mut found = Vec::new();
    for rule in &rules.0 {
        let concerns =
            |name: &str| rule.matchers.iter().all(|matcher| !matches!(matcher, FailureMatcher::Container(only) if **only != *name));
        let concerned: Vec<&TemplateContainer<'_>> = containers.iter().filter(|container| concerns(container.name())).collect();
        for change in &rule.changes {
            let PodChange::Grow { resource, .. } = change else { continue };
            let resource = resource.name();
            let has = |container: &&TemplateContainer<'_>| {
                ["requests", "limits"].iter().any(|part| !container.field("resources")[part][resource].is_null())
            };
            // A container that there is not is found by `rule-never-matches`.
            let Some(example) = concerned.last().filter(|_| !concerned.iter().any(has)) else { continue };
            let message = match &concerned[..] {
                [only] => format!("container {} neither requests nor limits {resource}, so none of it grows", only.name()),
                _ => format!("no container requests or limits {resource}, so none of it grows"),
            };
            let remedy = format!("set {}.resources.requests.{resource}, or its limit", example.path);
            found.push(Finding::at(&path, message, remedy).line(rule.line - 1));
        }
    }
    found
}

/// Lines on pods that do not start that fail their index, where no index fails by itself: only the pod does (X-7).
fn index_of_pending(workload: &Advised<'_>) -> Vec<Finding> {
    if workload.spec.backoff_limit_per_index.is_some() {
        return Vec::new();
    }
    let (path, rules) = pending_rules(workload);
    let field = workload.job_field("backoffLimitPerIndex");
    let message = format!("no index fails by itself without {field}: only the pod fails, as with `fail`");
    let rules = rules.0.iter().filter(|rule| rule.action == PendingAction::FailIndex);
    rules.map(|rule| Finding::at(&path, &*message, format!("set {field}, or write `fail`")).line(rule.line - 1)).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{annotated, check};

    /// A CronJob with these annotations, and with these of its Jobs.
    fn cron_job(own: &str, of_jobs: &str, spec: &str) -> String {
        format!(
            "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: a\n  annotations: {{{own}}}\nspec:\n  schedule: '@daily'\n{spec}  jobTemplate:\n    \
             metadata:\n      annotations: {{{of_jobs}}}\n    spec:\n      template:\n        spec: {{restartPolicy: Never, containers: [{{name: main, image: \
             i}}]}}\n"
        )
    }

    #[test]
    fn keys_that_are_not_known_are_found() {
        check(
            &RULE,
            &[
                &annotated(&["jobsmith.dev/retry-dealy: 30s"]),
                &annotated(&["jobsmith.dev/backoff: 30s"]),
                &cron_job("jobsmith.dev/calendar: x", "", ""),
            ],
            expect![[r#"
                0: 6:5 Warning metadata.annotations[jobsmith.dev/retry-dealy]: jobsmith has no annotation jobsmith.dev/retry-dealy; did you mean jobsmith.dev/retry-delay? (Move { to: "metadata.annotations[jobsmith.dev/retry-delay]" })
                1: 6:5 Warning metadata.annotations[jobsmith.dev/backoff]: jobsmith has no annotation jobsmith.dev/backoff; after jobsmith.dev/, a Job can have ttl-seconds-after-complete, ttl-seconds-after-failed, on-failure, on-pending, retry-delay, retry-jitter, retry-within, attempt-env, start-rate, hold, resumed-at, ignore
                2: 5:17 Warning metadata.annotations[jobsmith.dev/calendar]: jobsmith has no annotation jobsmith.dev/calendar; after jobsmith.dev/, a CronJob can have managed-by, suspend, spread-seconds, dst, skip-during, delay-during, max-active, pause-after-failures, resumed-at, ignore
            "#]],
        );
        check(
            &RULE,
            &[&annotated(&["jobsmith.dev/ignore: 'logs-lost: kept'", "jobsmith.dev/ignor: logs-lost", "example.com/hold: x"])],
            expect![[""]],
        );
    }

    #[test]
    fn annotations_of_other_objects_are_found() {
        let pods = annotated(&[]).replace("  template:\n", "  template:\n    metadata: {annotations: {jobsmith.dev/retry-delay: 30s}}\n");
        check(
            &RULE,
            &[&cron_job("jobsmith.dev/retry-delay: 30s", "jobsmith.dev/dst: once", ""), &annotated(&["jobsmith.dev/dst: once"]), &pods],
            expect![[r#"
                0: 5:17 Warning metadata.annotations[jobsmith.dev/retry-delay]: jobsmith.dev/retry-delay is for Jobs and has no effect on a CronJob; move it to spec.jobTemplate.metadata.annotations (Move { to: "spec.jobTemplate.metadata.annotations[jobsmith.dev/retry-delay]" })
                0: 10:21 Warning spec.jobTemplate.metadata.annotations[jobsmith.dev/dst]: jobsmith.dev/dst is for CronJobs and has no effect on a Job; move it to metadata.annotations (Move { to: "metadata.annotations[jobsmith.dev/dst]" })
                1: 6:5 Warning metadata.annotations[jobsmith.dev/dst]: jobsmith.dev/dst is for CronJobs and has no effect on a Job; remove it (TakeOut)
                2: 8:30 Warning spec.template.metadata.annotations[jobsmith.dev/retry-delay]: jobsmith.dev/retry-delay is for Jobs and has no effect on a Pod; move it to metadata.annotations (Move { to: "metadata.annotations[jobsmith.dev/retry-delay]" })
            "#]],
        );
        check(&RULE, &[&cron_job("jobsmith.dev/dst: once", "jobsmith.dev/retry-delay: 30s", "")], expect![[""]]);
    }

    #[test]
    fn what_nobody_requests_does_not_grow() {
        let grows = |line: &str| annotated(&[&format!("jobsmith.dev/on-failure: '{line}'")]);
        let with = |manifest: &str, resources: &str| manifest.replace("image: i\n", &format!("image: i\n        resources: {resources}\n"));
        let two = |manifest: &str| manifest.replace("containers:\n", "initContainers: [{name: init, image: x}]\n      containers:\n");
        let memory = grows("reason OOMKilled: retry, memory x2 up to 4Gi, cpu +1");
        check(
            &RULE,
            &[
                &memory,
                &two(&with(&memory, "{requests: {memory: 1Gi}}")),
                &with(&two(&grows("any, container init: retry, memory x2")), "{limits: {memory: 1Gi}}"),
            ],
            expect![[r#"
                0: 6:30 Warning metadata.annotations[jobsmith.dev/on-failure]: container main neither requests nor limits memory, so none of it grows; set spec.template.spec.containers[0].resources.requests.memory, or its limit
                0: 6:30 Warning metadata.annotations[jobsmith.dev/on-failure]: container main neither requests nor limits cpu, so none of it grows; set spec.template.spec.containers[0].resources.requests.cpu, or its limit
                1: 6:30 Warning metadata.annotations[jobsmith.dev/on-failure]: no container requests or limits cpu, so none of it grows; set spec.template.spec.containers[0].resources.requests.cpu, or its limit
                2: 6:30 Warning metadata.annotations[jobsmith.dev/on-failure]: container init neither requests nor limits memory, so none of it grows; set spec.template.spec.initContainers[0].resources.requests.memory, or its limit
            "#]],
        );
        check(
            &RULE,
            &[
                &with(&memory, "{requests: {memory: 1Gi}, limits: {cpu: 1}}"),
                &grows("container other: retry, memory x2"),
                &grows("any: retry, another node"),
            ],
            expect![[""]],
        );
    }

    #[test]
    fn only_the_pod_fails_where_no_index_does() {
        let pending = annotated(&["jobsmith.dev/on-pending: |", "  image 10m: fail", "  any 10m: fail the index"]);
        check(
            &RULE,
            &[&pending],
            expect![[r#"
            0: 8:7 Warning metadata.annotations[jobsmith.dev/on-pending]: no index fails by itself without spec.backoffLimitPerIndex: only the pod fails, as with `fail`; set spec.backoffLimitPerIndex, or write `fail`
        "#]],
        );
        check(
            &RULE,
            &[&pending
                .replace("spec:\n  template", "spec:\n  completionMode: Indexed\n  completions: 1\n  backoffLimitPerIndex: 0\n  template")],
            expect![[""]],
        );
    }

    #[test]
    fn fields_leave_annotations_without_effect() {
        let on_failure = annotated(&["jobsmith.dev/on-failure: 'any: retry'"]);
        let ttl = annotated(&["jobsmith.dev/ttl-seconds-after-failed: '60'"]);
        let managed = "jobsmith.dev/managed-by: x, jobsmith.dev/suspend: 'true'";
        check(
            &RULE,
            &[
                &on_failure.replace("Never", "OnFailure"),
                &ttl.replace("spec:\n  template", "spec:\n  ttlSecondsAfterFinished: 9\n  template"),
                &cron_job(managed, "", ""),
                &cron_job("jobsmith.dev/suspend: 'true'", "", ""),
            ],
            expect![[r#"
                0: 6:30 Warning metadata.annotations[jobsmith.dev/on-failure]: with restartPolicy OnFailure, the kubelet restarts a failed container in its pod: the pod does not fail, and no rule matches; set spec.template.spec.restartPolicy to Never, or give the containers restartPolicyRules (KEP-5307)
                1: 6:44 Warning metadata.annotations[jobsmith.dev/ttl-seconds-after-failed]: spec.ttlSecondsAfterFinished takes precedence, however the Job ends; remove one of the two (TakeOut)
                2: 5:42 Warning metadata.annotations[jobsmith.dev/managed-by]: the CronJob is not suspended, so the built-in controller manages it, and jobsmith leaves it alone; set spec.suspend to true (Add { path: "spec.suspend", value: "true" })
                3: 5:39 Warning metadata.annotations[jobsmith.dev/suspend]: without jobsmith.dev/managed-by, spec.suspend decides, and this does nothing; set spec.suspend, and remove this
            "#]],
        );
        check(&RULE, &[&on_failure, &ttl, &cron_job(managed, "", "  suspend: true\n")], expect![[""]]);
    }
}

//! annotation-without-effect: an annotation of jobsmith, or a part of one, that does nothing because of its key, its place, or a field beside it.
//!
//! Docs: README, "Beyond Kubernetes" (X-1, X-2, X-5…X-11). Values that mean nothing are found in `invalid_annotation.rs`.

use api::CronJob;
use api::annotation::{ATTEMPT_ENV, RETRY_DELAY, RETRY_JITTER, RETRY_WITHIN};
use api::annotation::{DOMAIN, IGNORE, KNOWN, KnownAnnotation, MANAGED_BY, ON_FAILURE, SUSPEND, TTL_AFTER_COMPLETE, TTL_AFTER_FAILED};
use api::annotation::{PendingAction, PodChange};
use api::quantity::Quantity;
use manifest::{Fix, RuleName, Severity, nearest};

use crate::annotations::{OwnAnnotation, concerns, failure_rules, metadata_of, own, path, pending_rules};
use crate::container::{ContainerKind, TemplateContainer};
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::{self, Advised};

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"annotation-without-effect"),
    code: 307,
    severity: Severity::Warning,
    summary: "A jobsmith annotation, or a line of it, has little or no effect, because of its key, its place or a field",
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
    // One without a value asks for nothing: it turns a default off.
    let restarts = workload.restart_policy() == workload::ON_FAILURE && !annotation.value.is_empty();
    match annotation.key {
        ATTEMPT_ENV | RETRY_DELAY | RETRY_JITTER | RETRY_WITHIN if restarts => after_restarts(workload, annotation),
        ON_FAILURE if restarts => finding(
            "with restartPolicy OnFailure, no rule acts: the kubelet restarts failed containers, and a pod that fails as a whole follows Kubernetes' own rules",
            format!("set {} to Never", workload.pod_field("restartPolicy")),
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

/// An annotation about failed pods, where failed containers restart in their pod: it acts only when a pod fails for another reason (X-8…X-11).
fn after_restarts(workload: &Advised<'_>, annotation: &OwnAnnotation<'_>) -> Option<Finding> {
    // A container with a restart policy of its own may fail its pod.
    let restarts =
        |container: &TemplateContainer<'_>| container.role == ContainerKind::Sidecar || container.field("restartPolicy").is_null();
    if !workload.containers().iter().all(restarts) {
        return None;
    }
    let acts = match annotation.key {
        RETRY_DELAY => "this delay follows only if",
        RETRY_JITTER => "jitter is added only if",
        RETRY_WITHIN => "this limit applies only if",
        _ => "the number stays the same unless",
    };
    let message = format!(
        "with restartPolicy OnFailure, the kubelet restarts a failed container in its pod, after a back-off of its own: {acts} the whole pod fails, for example \
         because it is evicted"
    );
    Some(Finding::at(annotation.path(), message, format!("set {} to Never", workload.pod_field("restartPolicy"))))
}

/// Lines that let nothing grow (X-6).
fn growth(workload: &Advised<'_>) -> Vec<Finding> {
    let (path, rules) = failure_rules(workload);
    let containers = workload.containers();
    let mut found = Vec::new();
    for rule in &rules.0 {
        let concerned: Vec<&TemplateContainer<'_>> = containers.iter().filter(|container| concerns(rule, container.name())).collect();
        for change in &rule.changes {
            let PodChange::Grow { resource, up_to, .. } = change else { continue };
            let nothing = nothing_grows(&concerned, resource.name(), up_to.as_ref());
            found.extend(nothing.map(|(message, remedy)| Finding::at(&path, message, remedy).line(rule.line - 1)));
        }
    }
    found
}

/// Why a resource grows in none of these containers, if that is so, and what to do.
fn nothing_grows(containers: &[&TemplateContainer<'_>], resource: &str, up_to: Option<&Quantity>) -> Option<(String, String)> {
    // A container that there is not is found by `rule-never-matches`.
    let example = containers.last()?;
    let amounts = containers.iter().filter_map(|container| {
        let amounts =
            [("limit", "limits"), ("request", "requests")].map(|(what, part)| (what, &container.field("resources")[part][resource]));
        amounts.into_iter().find(|(_, amount)| !amount.is_null()).map(|(what, amount)| (container.name(), what, Quantity::of(amount)))
    });
    let amounts: Vec<(&str, &str, Option<Quantity>)> = amounts.collect();
    if amounts.is_empty() {
        let message = match containers {
            [only] => format!("container {} neither requests nor limits {resource}, so none of it grows", only.name()),
            _ => format!("no container requests or limits {resource}, so none of it grows"),
        };
        return Some((message, format!("set {}.resources.requests.{resource}, or its limit", example.path)));
    }
    let up_to = up_to?;
    if amounts.iter().any(|(.., own)| own.as_ref().is_none_or(|own| own < up_to)) {
        return None;
    }
    let message = match &amounts[..] {
        [(name, what, Some(own))] => {
            let allowed = if own > up_to { format!("more than the {up_to} that") } else { "as much as".to_owned() };
            format!("container {name} already has a {resource} {what} of {own}, {allowed} `up to` allows, so it does not grow")
        }
        _ => {
            format!("every container with a {resource} limit or request already has at least {up_to}, so none grows")
        }
    };
    Some((message, "write more after `up to`, or leave it out".to_owned()))
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
    fn what_is_as_much_as_a_bound_does_not_grow() {
        let grows = |line: &str, resources: &str| {
            let manifest = annotated(&[&format!("jobsmith.dev/on-failure: '{line}'")]);
            manifest.replace("image: i\n", &format!("image: i\n        resources: {resources}\n"))
        };
        let two = |manifest: &str| {
            manifest.replace(
                "containers:\n",
                "initContainers: [{name: init, image: x, resources: {limits: {memory: 2Gi}}}]\n      containers:\n",
            )
        };
        let bounded = "reason OOMKilled: retry, memory x2 up to 1Gi";
        check(
            &RULE,
            &[
                &grows(bounded, "{limits: {memory: 1024Mi}}"),
                &grows(bounded, "{requests: {memory: 64Mi}, limits: {memory: 2Gi}}"),
                &grows("any: retry, cpu +1 up to 2", "{requests: {cpu: 2.5}}"),
                &two(&grows(bounded, "{limits: {memory: 1Gi}}")),
            ],
            expect![[r#"
                0: 6:30 Warning metadata.annotations[jobsmith.dev/on-failure]: container main already has a memory limit of 1024Mi, as much as `up to` allows, so it does not grow; write more after `up to`, or leave it out
                1: 6:30 Warning metadata.annotations[jobsmith.dev/on-failure]: container main already has a memory limit of 2Gi, more than the 1Gi that `up to` allows, so it does not grow; write more after `up to`, or leave it out
                2: 6:30 Warning metadata.annotations[jobsmith.dev/on-failure]: container main already has a cpu request of 2.5, more than the 2 that `up to` allows, so it does not grow; write more after `up to`, or leave it out
                3: 6:30 Warning metadata.annotations[jobsmith.dev/on-failure]: every container with a memory limit or request already has at least 1Gi, so none grows; write more after `up to`, or leave it out
            "#]],
        );
        check(
            &RULE,
            &[
                &grows(bounded, "{requests: {memory: 64Mi}}"),
                &grows("any: retry, memory x2", "{limits: {memory: 1Gi}}"),
                &two(&grows(bounded, "{limits: {memory: 64Mi}}")),
                &two(&grows("container main: retry, memory x2 up to 1Gi", "{limits: {memory: 64Mi}}")),
            ],
            expect![[""]],
        );
    }

    #[test]
    fn what_follows_failed_pods_follows_no_restarts() {
        let all = [
            "jobsmith.dev/retry-delay: 1m",
            "jobsmith.dev/retry-jitter: 20%",
            "jobsmith.dev/retry-within: 2h",
            "jobsmith.dev/attempt-env: TRY",
        ];
        let restarting = annotated(&all).replace("Never", "OnFailure");
        check(
            &RULE,
            &[&restarting],
            expect![[r#"
                0: 9:31 Warning metadata.annotations[jobsmith.dev/attempt-env]: with restartPolicy OnFailure, the kubelet restarts a failed container in its pod, after a back-off of its own: the number stays the same unless the whole pod fails, for example because it is evicted; set spec.template.spec.restartPolicy to Never
                0: 6:31 Warning metadata.annotations[jobsmith.dev/retry-delay]: with restartPolicy OnFailure, the kubelet restarts a failed container in its pod, after a back-off of its own: this delay follows only if the whole pod fails, for example because it is evicted; set spec.template.spec.restartPolicy to Never
                0: 7:32 Warning metadata.annotations[jobsmith.dev/retry-jitter]: with restartPolicy OnFailure, the kubelet restarts a failed container in its pod, after a back-off of its own: jitter is added only if the whole pod fails, for example because it is evicted; set spec.template.spec.restartPolicy to Never
                0: 8:32 Warning metadata.annotations[jobsmith.dev/retry-within]: with restartPolicy OnFailure, the kubelet restarts a failed container in its pod, after a back-off of its own: this limit applies only if the whole pod fails, for example because it is evicted; set spec.template.spec.restartPolicy to Never
            "#]],
        );
        let never = restarting.replace("image: i\n", "image: i\n        restartPolicy: Never\n");
        let turned_off = annotated(&["jobsmith.dev/retry-delay: ''", "jobsmith.dev/on-failure: ''"]).replace("Never", "OnFailure");
        check(&RULE, &[&annotated(&all), &never, &turned_off], expect![[""]]);
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
                0: 6:30 Warning metadata.annotations[jobsmith.dev/on-failure]: with restartPolicy OnFailure, no rule acts: the kubelet restarts failed containers, and a pod that fails as a whole follows Kubernetes' own rules; set spec.template.spec.restartPolicy to Never
                1: 6:44 Warning metadata.annotations[jobsmith.dev/ttl-seconds-after-failed]: spec.ttlSecondsAfterFinished takes precedence, however the Job ends; remove one of the two (TakeOut)
                2: 5:42 Warning metadata.annotations[jobsmith.dev/managed-by]: the CronJob is not suspended, so the built-in controller manages it, and jobsmith leaves it alone; set spec.suspend to true (Add { path: "spec.suspend", value: "true" })
                3: 5:39 Warning metadata.annotations[jobsmith.dev/suspend]: without jobsmith.dev/managed-by, spec.suspend decides, and this does nothing; set spec.suspend, and remove this
            "#]],
        );
        check(&RULE, &[&on_failure, &ttl, &cron_job(managed, "", "  suspend: true\n")], expect![[""]]);
    }
}

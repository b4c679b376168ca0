//! invalid-annotation: the value of an annotation of jobsmith is not valid.
//!
//! Docs: README, "Beyond Kubernetes" (X-0). Annotations that cannot have an effect, whatever their value is, are found in `annotation_without_effect.rs`.

use api::annotation::{KnownAnnotation, TTL_AFTER_COMPLETE, TTL_AFTER_FAILED, WrongAnnotationValue};
use api::{CronJobSpec, Kind};
use manifest::{Position, RuleName, Severity};

use crate::annotations::{OwnAnnotation, own};
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"invalid-annotation"),
    code: 306,
    severity: Severity::Warning,
    summary: "The value of a jobsmith annotation is not valid",
    finder: Finder::Mistake(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let spec = workload.cron_job_spec().cloned().unwrap_or_default();
    own(workload).iter().flat_map(|annotation| findings(annotation, &spec)).collect()
}

fn findings(annotation: &OwnAnnotation<'_>, spec: &CronJobSpec) -> Vec<Finding> {
    let known = KnownAnnotation::of(annotation.key).filter(|known| known.is_for(annotation.of));
    let Some(known) = known else { return Vec::new() };
    let undone = match (known.key, annotation.of) {
        (TTL_AFTER_COMPLETE | TTL_AFTER_FAILED, _) => "do not delete the Job",
        (_, Kind::CronJob) => "start no Jobs",
        _ => "create no pods",
    };
    let follows = format!("jobsmith's controllers {undone} until it is corrected, and Kubernetes' own ignore it");
    let finding = |wrong| match wrong {
        WrongAnnotationValue::NotExpected { value, expected } => {
            Finding::at(annotation.path(), format!("{} cannot be {value:?}: {follows}", known.key), format!("write {expected}"))
        }
        WrongAnnotationValue::Problem(problem) => {
            let part = Position { line: problem.line, column: problem.column, length: problem.length(annotation.value) };
            Finding::at(annotation.path(), format!("{}: {follows}", problem.message), problem.remedy).part(part)
        }
    };
    let problems = known.problems(annotation.value, annotation.of, spec);
    problems.into_iter().map(|invalid| finding(invalid.wrong)).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{annotated, check};

    #[test]
    fn values_that_mean_nothing_are_found_at_their_place() {
        check(
            &RULE,
            &[
                &annotated(&["jobsmith.dev/retry-delay: '30'"]),
                &annotated(&["jobsmith.dev/retry-delay: 30s x1.5 upto 5m"]),
                &annotated(&["jobsmith.dev/retry-delay: '1m, 5, 30m'"]),
                &annotated(&["jobsmith.dev/on-failure: |", "  # Memory.", "  reason OOMKilled: retry, memory x2", "  exit 300: retry"]),
                &annotated(&["jobsmith.dev/on-failure: \"any: retry\\nexit 300: retry\""]),
                &annotated(&["jobsmith.dev/on-failure: >", "  any: rety"]),
                &annotated(&["jobsmith.dev/on-failure: exit 1"]),
                &annotated(&["jobsmith.dev/hold: 'yes'"]),
                &annotated(&["jobsmith.dev/ttl-seconds-after-failed: 7d"]),
            ],
            expect![[r#"
                0: 6:32 Warning metadata.annotations[jobsmith.dev/retry-delay]: `30` has no unit: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
                1: 6:40 Warning metadata.annotations[jobsmith.dev/retry-delay]: `upto` is not expected after the factor: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write `30s x1.5 up to 5m`
                2: 6:36 Warning metadata.annotations[jobsmith.dev/retry-delay]: `5` has no unit: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
                3: 9:12 Warning metadata.annotations[jobsmith.dev/on-failure]: `300` is not an exit code: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write a whole number from 0 to 255
                4: 6:30 Warning metadata.annotations[jobsmith.dev/on-failure]: line 2: `300` is not an exit code: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write a whole number from 0 to 255
                5: 6:30 Warning metadata.annotations[jobsmith.dev/on-failure]: `rety` is not an action: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write retry, fail the index, fail the Job or hold
                6: 6:36 Warning metadata.annotations[jobsmith.dev/on-failure]: the rule has no action: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write one after a colon, as in `exit 137: retry, memory x2 up to 16Gi`
                7: 6:24 Warning metadata.annotations[jobsmith.dev/hold]: jobsmith.dev/hold cannot be "yes": jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write true or false
                8: 6:44 Warning metadata.annotations[jobsmith.dev/ttl-seconds-after-failed]: jobsmith.dev/ttl-seconds-after-failed cannot be "7d": jobsmith's controllers do not delete the Job until it is corrected, and Kubernetes' own ignore it; write a number of seconds
            "#]],
        );
        check(&RULE, &[&annotated(&["jobsmith.dev/retry-delay: 30s", "jobsmith.dev/unheard-of: x", "example.com/a: b"])], expect![[""]]);
    }

    #[test]
    fn each_wrong_line_is_found() {
        check(
            &RULE,
            &[
                &annotated(&["jobsmith.dev/on-failure: |", "  exit 2 retry", "  # Memory.", "  any: retry", "  exit 300: retry"]),
                &annotated(&["jobsmith.dev/on-pending: \"message gpu\\nimage 10m: fail\\nany: fail\""]),
            ],
            expect![[r#"
                0: 7:19 Warning metadata.annotations[jobsmith.dev/on-failure]: the rule has no action: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write `exit 2: retry`
                0: 10:12 Warning metadata.annotations[jobsmith.dev/on-failure]: `300` is not an exit code: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write a whole number from 0 to 255
                1: 6:30 Warning metadata.annotations[jobsmith.dev/on-pending]: line 1: the rule has no action: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write one after a colon, as in `image 10m: fail the Job`
                1: 6:30 Warning metadata.annotations[jobsmith.dev/on-pending]: line 3: the deadline is missing: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write `any 10m`
            "#]],
        );
    }

    #[test]
    fn those_of_cron_jobs_and_of_their_jobs_are_read() {
        let cron_job = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a, annotations: {jobsmith.dev/dst: Once}}\nspec:\n  schedule: '@daily'\n  \
                        jobTemplate:\n    metadata: {annotations: {jobsmith.dev/start-rate: 10/1x}}\n    spec:\n      template:\n        spec: \
                        {restartPolicy: Never, containers: [{name: main, image: i}]}\n";
        let json = r#"{"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "a", "annotations": {"jobsmith.dev/start-rate": "10/1x"}},
            "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "i"}]}}}}"#;
        check(
            &RULE,
            &[cron_job],
            expect![[r#"
                0: 3:53 Warning metadata.annotations[jobsmith.dev/dst]: jobsmith.dev/dst cannot be "Once": jobsmith's controllers start no Jobs until it is corrected, and Kubernetes' own ignore it; write once
                0: 7:58 Warning spec.jobTemplate.metadata.annotations[jobsmith.dev/start-rate]: `x` is not a unit of time: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write a time from 1s to 1h, as in `90s` or `5m`
            "#]],
        );
        check(
            &RULE,
            &[json],
            expect![[r#"
                0: 1:116 Warning metadata.annotations[jobsmith.dev/start-rate]: `x` is not a unit of time: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write a time from 1s to 1h, as in `90s` or `5m`
            "#]],
        );
    }
}

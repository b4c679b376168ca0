//! every-run-refused: a CronJob that the API server accepts although it will refuse every Job of it, or a Job whose pods it will refuse.
//!
//! Docs: CronJob, "Writing a CronJob spec" (A-150, A-161); Jobs, "Completion mode", "Pod template" (A-50, A-70). The Job is made as its controller makes it, so is
//! the metadata of its pods, and both are admitted by the API server of `cluster`.

use api::request::{Cause, Request};
use api::{Kind, run};
use cluster::naming::Names;
use cluster::{ApiServer, Dependence};
use manifest::{RuleName, Severity};
use serde_json::{Value, json};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::run_times::RunTimes;
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"every-run-refused"),
    code: 414,
    severity: Severity::Error,
    summary: "The API server accepts the object, and refuses each of its Jobs or pods",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    let mut server = ApiServer::new(Names::random(0), Dependence::OnOwners);
    if let Some(creation) = next_run(workload, set)
        && let Err(error) = server.execute(&creation, set.now)
    {
        return error.causes.iter().map(|cause| of_job(workload, cause)).collect();
    }
    let refused = server.execute(&first_pod(workload), set.now).err();
    refused.iter().flat_map(|error| &error.causes).map(|cause| of_pod(workload, cause)).collect()
}

/// The request by which the next run of a CronJob is started.
fn next_run(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Option<Request> {
    let mut cron_job = workload.cron_job.filter(|cron_job| !cron_job.metadata.name.is_empty()).cloned()?;
    let next = RunTimes::of(&cron_job, set.now)?.next()?;
    // What the API server has added by then.
    cron_job.metadata.namespace = workload.namespace().into();
    cron_job.metadata.uid = "uid".into();
    Some(run::creation(&cron_job, next, &next.to_string()))
}

/// The request by which a Job's first pod is created, with what of it is not validated with the Job: its finalizers (A-70).
fn first_pod(workload: &Advised<'_>) -> Request {
    let finalizers = workload.document.get(&workload.job_field("template.metadata.finalizers")).unwrap_or(&Value::Null);
    let body = json!({"metadata": {"generateName": "pod-", "finalizers": finalizers}, "spec": {}});
    Request::create(Kind::Pod, workload.namespace(), body.to_string())
}

/// Why each pod is refused, at the field of the template that it has this from.
fn of_pod(workload: &Advised<'_>, Cause { field, message, .. }: &Cause) -> Finding {
    let whose = if workload.cron_job.is_some() { "of this CronJob's Jobs" } else { "of this Job" };
    let path = workload.job_field(&format!("template.{field}"));
    Finding::at(path, format!("every pod {whose} is refused: {field}: {message}"), "correct it: it is validated when a pod is created")
}

/// Why each Job is refused, at the field of the CronJob that it has this from.
fn of_job(workload: &Advised<'_>, Cause { field, message, .. }: &Cause) -> Finding {
    let generated = message.contains(&format!("\"{}-", workload.metadata.name));
    let (path, remedy) = if field == "metadata.name" || generated {
        (
            "metadata.name".to_owned(),
            "shorten the name: a Job is named after its CronJob, plus a hyphen and 8 digits, and pods of Indexed Jobs also have their index",
        )
    } else if let Some(below) = field.strip_prefix("metadata.") {
        let map = format!("spec.jobTemplate.metadata.{below}");
        (entry(workload, &map, message).unwrap_or(map), "correct it: it is validated when a Job is created")
    } else {
        (format!("spec.jobTemplate.{field}"), "correct it: it is validated when a Job is created")
    };
    Finding::at(path, format!("every Job of this CronJob is refused: {field}: {message}"), remedy)
}

/// The path of the entry of a map that a message quotes.
fn entry(workload: &Advised<'_>, map: &str, message: &str) -> Option<String> {
    let quoted = |text: &str| message.contains(&format!("{text:?}"));
    let mut entries = workload.document.get(map)?.as_object()?.iter();
    let (key, _) = entries.find(|(key, value)| quoted(key) || value.as_str().is_some_and(quoted))?;
    Some(format!("{map}[{key}]"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job, job};

    #[test]
    fn cron_jobs_whose_jobs_are_refused_are_found() {
        let daily = cron_job(&["schedule: '@daily'"], &[]);
        let indexed = cron_job(&["schedule: '@daily'"], &["completions: 11", "completionMode: Indexed"]);
        let named = |text: &str, length: usize| text.replace("{name: a}", &format!("{{name: {}}}", "n".repeat(length)));
        let labelled = |metadata: &str| daily.replace("  jobTemplate:\n", &format!("  jobTemplate:\n    metadata: {{{metadata}}}\n"));
        check(
            &RULE,
            &[&named(&indexed, 52), &labelled("labels: {app: web, team: 'a b'}"), &labelled("annotations: {'a b': c}")],
            expect![[r#"
                0: 3:18 Error metadata.name: every Job of this CronJob is refused: metadata.name: Invalid value: "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn-29928960": will not able to create pod with invalid DNS label: nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn-29928960-10; shorten the name: a Job is named after its CronJob, plus a hyphen and 8 digits, and pods of Indexed Jobs also have their index
                1: 7:41 Error spec.jobTemplate.metadata.labels[team]: every Job of this CronJob is refused: metadata.labels: Invalid value: "a b": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'); correct it: it is validated when a Job is created
                2: 7:37 Error spec.jobTemplate.metadata.annotations[a b]: every Job of this CronJob is refused: metadata.annotations: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'); correct it: it is validated when a Job is created
            "#]],
        );
        check(&RULE, &[&named(&daily, 52), &named(&indexed, 51), &labelled("labels: {app: web}"), &daily], expect![[""]]);
    }

    #[test]
    fn jobs_whose_pods_are_refused_are_found() {
        let held = |text: &str, finalizer: &str| {
            let (before, after) = text.split_once("template:\n").unwrap();
            let indent = " ".repeat(before.rsplit('\n').next().unwrap().len() + 2);
            format!("{before}template:\n{indent}metadata: {{finalizers: [{finalizer}]}}\n{after}")
        };
        let (plain, daily) = (job(&[], &[], &[]), cron_job(&["schedule: '@daily'"], &[]));
        check(
            &RULE,
            &[&held(&plain, "example.com/a, hold"), &held(&daily, "hold")],
            expect![[r#"
            0: 6:44 Error spec.template.metadata.finalizers[1]: every pod of this Job is refused: metadata.finalizers[1]: Invalid value: "hold": name is neither a standard finalizer name nor is it fully qualified; correct it: it is validated when a pod is created
            1: 9:33 Error spec.jobTemplate.spec.template.metadata.finalizers[0]: every pod of this CronJob's Jobs is refused: metadata.finalizers[0]: Invalid value: "hold": name is neither a standard finalizer name nor is it fully qualified; correct it: it is validated when a pod is created
        "#]],
        );
        check(&RULE, &[&held(&plain, "example.com/hold"), &plain, &held(&daily, "example.com/hold")], expect![[""]]);
    }
}

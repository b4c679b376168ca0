//! Rules that count pods where containers start again in their pods: what is meant may be the starts.
//!
//! Docs: Jobs, "Handling Pod and container failures". What the language counts is described in `script`.

use script::{ContainerEnd, Rule, Script, Selector};
use serde_json::Value;

/// A note for each rule that has some attempts fail, if all workloads that it may be about have the restartPolicy OnFailure.
pub(super) fn notes(script: &Script, documents: &[&Value]) -> String {
    script.rules.iter().filter_map(|statement| note(&statement.what, documents)).map(|note| format!("note: {note}\n")).collect()
}

fn note(rule: &Rule, documents: &[&Value]) -> Option<String> {
    let Rule { which, course, times } = rule;
    let fails = !matches!(course.ending?, ContainerEnd::Exits { code: 0, .. } | ContainerEnd::Never);
    if which.start.is_some() || !fails || course.concerns_pods() {
        return None;
    }
    let start = Some(which.attempt.clone()?);
    let mut policies =
        documents.iter().filter(|document| may_be_about(which, document)).filter_map(|document| restart_policy(document)).peekable();
    policies.peek()?;
    let meant = Rule { which: Selector { attempt: None, start, ..which.clone() }, course: course.clone(), times: *times };
    policies.all(|policy| policy == "OnFailure").then(|| {
        let (rule, meant) = (rule.to_string(), meant.to_string());
        format!("{rule:?} counts pods, and with restartPolicy OnFailure containers restart in the same pod; to count their starts, write {meant:?}")
    })
}

/// Whether the pods of a CronJob or a Job may be those of a selector, by the names in it.
fn may_be_about(which: &Selector, document: &Value) -> bool {
    let named = if document["kind"] == "CronJob" { &which.cron_job } else { &which.job };
    named.as_ref().is_none_or(|named| document["metadata"]["name"] == *named.name)
}

/// The `restartPolicy` of its pods.
fn restart_policy(document: &Value) -> Option<&str> {
    let spec = if document["kind"] == "CronJob" { &document["spec"]["jobTemplate"]["spec"] } else { &document["spec"] };
    spec["template"]["spec"]["restartPolicy"].as_str()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    fn check(script: &str, policies: &[&str], expected: Expect) {
        let job = |policy: &&str| json!({"kind": "Job", "metadata": {"name": policy.to_lowercase()}, "spec": {"template": {"spec": {"restartPolicy": policy}}}});
        let documents: Vec<Value> = policies.iter().map(job).collect();
        expected.assert_eq(&notes(&Script::parse(script).unwrap(), &documents.iter().collect::<Vec<_>>()));
    }

    #[test]
    fn attempts_that_fail_are_no_starts() {
        check(
            "index 1 attempts 1-2: exit 1\njob onfailure attempt 1: OOMKilled after 2s",
            &["OnFailure"],
            expect![[r#"
                note: "index 1 attempts 1-2: exit 1 after 5s" counts pods, and with restartPolicy OnFailure containers restart in the same pod; to count their starts, write "index 1 starts 1-2: exit 1 after 5s"
                note: "job onfailure attempt 1: OOMKilled after 2s" counts pods, and with restartPolicy OnFailure containers restart in the same pod; to count their starts, write "job onfailure start 1: OOMKilled after 2s"
            "#]],
        );
        for (script, policies) in [
            ("attempts 1-2: exit 1", &["Never"][..]),
            ("attempts 1-2: exit 1", &["OnFailure", "Never"]),
            ("attempts 1-2: exit 1", &[]),
            ("job never attempts 1-2: exit 1", &["OnFailure", "Never"]),
            ("attempt 1: succeed", &["OnFailure"]),
            ("attempt 1 starts 1-2: exit 1\nindex 1: exit 1 twice\nattempt 1: evicted after 1s", &["OnFailure"]),
        ] {
            check(script, policies, expect![[""]]);
        }
    }
}

//! whole-message: a line of an annotation that matches a message only if nothing else is in it.
//!
//! Docs: README, "Beyond Kubernetes" (X-6, X-7). Lines that match nothing whatever messages there are, are found in `rule_never_matches.rs`.

use api::annotation::{FailureMatcher, Glob};
use manifest::{RuleName, Severity};

use crate::annotations::{failure_rules, pending_rules};
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"whole-message"),
    code: 308,
    severity: Severity::Warning,
    summary: "A message without an asterisk has to be the whole message",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let ((path, failures), (pending_path, pending)) = (failure_rules(workload), pending_rules(workload));
    let matchers = failures.0.iter().flat_map(|rule| rule.matchers.iter().map(|matcher| (rule.line, matcher)));
    let messages =
        matchers.filter_map(|(line, matcher)| if let FailureMatcher::Message(message) = matcher { Some((line, message)) } else { None });
    // What a program leaves behind may be as short as that.
    let failures = messages.filter_map(|(line, message)| finding(&path, line, message)).map(|found| found.severity(Severity::Note));
    let pending = pending.0.iter().filter_map(|rule| finding(&pending_path, rule.line, rule.message.as_ref()?));
    failures.chain(pending).collect()
}

/// What to write for a message that has to be whole because it has no asterisk.
fn finding(path: &str, line: usize, message: &Glob) -> Option<Finding> {
    let remedy = format!("write `message {}` if it is a part of the message", message.widened()?);
    let message = "this matches only a message that has nothing else in it, because it has no asterisk";
    Some(Finding::at(path, message, remedy).line(line - 1))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{annotated, check};

    #[test]
    fn messages_without_an_asterisk_are_noticed() {
        let rules = annotated(&[
            "jobsmith.dev/on-failure: |",
            "  message quota exceeded: retry",
            "  exit 3, message \"denied: try later\" at most 2 times: retry",
            "  message *quota*, message *: hold",
            "jobsmith.dev/on-pending: |",
            "  image message denied 10m: fail",
            "  unschedulable message *gpu 1h: fail",
        ]);
        check(
            &RULE,
            &[&rules],
            expect![[r#"
                0: 7:7 Note metadata.annotations[jobsmith.dev/on-failure]: this matches only a message that has nothing else in it, because it has no asterisk; write `message *quota exceeded*` if it is a part of the message
                0: 8:7 Note metadata.annotations[jobsmith.dev/on-failure]: this matches only a message that has nothing else in it, because it has no asterisk; write `message "*denied: try later*"` if it is a part of the message
                0: 11:7 Warning metadata.annotations[jobsmith.dev/on-pending]: this matches only a message that has nothing else in it, because it has no asterisk; write `message *denied*` if it is a part of the message
            "#]],
        );
    }
}

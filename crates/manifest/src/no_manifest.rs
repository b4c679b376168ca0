//! Texts that are no manifests, as people have them from kubectl: cut off, empty, or printed for people. Each has a sentence of its own.
//!
//! Docs: kubectl get, "Output options". What is a manifest and cannot be used is refused in `jobs.rs`.

use serde::de::IgnoredAny;
use serde_json::Deserializer;

use crate::lines::SourceLines;
use crate::{Diagnostic, Position};

/// Names what a text is that cannot be used; `None` if nothing is known of it.
pub(crate) fn named(text: &str) -> Option<Diagnostic> {
    let begins = |message: &str| Diagnostic::error(Position::START, message);
    let end = || SourceLines::of(text).position(text.trim_end().len()..text.len());
    if text.trim().is_empty() {
        return Some(begins("the input is empty").remedy("if it comes from a command, look at the errors of that command"));
    }
    if let Some(printed) = printed(text) {
        return Some(printed);
    }
    if json_ends_early(text) {
        return Some(Diagnostic::error(end(), "the JSON ends early: the rest is cut off").remedy(WHOLE));
    }
    let cut_off = list_without_end(text);
    cut_off.then(|| Diagnostic::error(end(), "the list is cut off: `kind: List`, which follows its items, is missing").remedy(WHOLE))
}

/// Names what kubectl prints for people instead of objects; `None` if this is not all that is there.
pub(crate) fn printed(text: &str) -> Option<Diagnostic> {
    let begins = |message: &str| Diagnostic::error(Position::START, message);
    if text.trim_start().starts_with("No resources found") {
        return Some(nothing_found());
    }
    if names(text) {
        return Some(begins("these are only the names of objects").remedy("use `-o yaml` instead of `-o name`"));
    }
    table(text).then(|| begins("this is a table that kubectl printed").remedy("add `-o yaml` to the command"))
}

/// What to do about a part of an output.
const WHOLE: &str = "get the whole output again";

/// What to do about a list without objects.
pub(crate) fn nothing_found() -> Diagnostic {
    Diagnostic::error(Position::START, "kubectl found nothing")
        .remedy("is the namespace right? Pass it to kubectl with -n, or -A for all namespaces")
}

/// Whether this is what `kubectl get -o name` prints: `job.batch/pi` on each line.
fn names(text: &str) -> bool {
    let name = |line: &str| line.split_once('/').is_some_and(|(kind, name)| !kind.is_empty() && !name.contains('/'));
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    lines.peek().is_some() && lines.all(|line| name(line) && !line.contains([' ', ':']))
}

/// Whether this begins with the head of a table: `NAME  STATUS  AGE`.
fn table(text: &str) -> bool {
    let head = text.trim_start().lines().next().unwrap_or_default();
    let words = head.split_whitespace().count();
    words > 1 && ["NAME", "LAST SEEN"].iter().any(|first| head.starts_with(first)) && !head.contains(|letter: char| letter.is_lowercase())
}

fn json_ends_early(text: &str) -> bool {
    let mut values = Deserializer::from_str(text).into_iter::<IgnoredAny>();
    text.trim_start().starts_with('{') && values.any(|value| value.is_err_and(|error| error.is_eof()))
}

/// Whether this is a list in YAML whose kind is missing: kubectl sorts the fields, and writes it behind the items.
fn list_without_end(text: &str) -> bool {
    let top = |field: &str| text.lines().any(|line| line.starts_with(field));
    top("items:") && !top("kind:") && !top("---")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::objects;

    #[test]
    fn what_kubectl_printed_is_named() {
        let list = "apiVersion: v1\nitems:\n- apiVersion: batch/v1\n  kind: Job\n  metadata:\n    name: pi\n";
        let texts = [
            "",
            " \n",
            "No resources found in team-a namespace.\n",
            "apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: \"\"\n",
            "NAME   STATUS   COMPLETIONS   DURATION   AGE\npi     Failed   0/1           5m         5m\n",
            "NAMESPACE   NAME                 AGE\na           cronjob.batch/pi     5m: x\n",
            "LAST SEEN   TYPE      REASON   OBJECT   MESSAGE\n",
            "job.batch/pi\npod/pi-x7k2p\n",
            "{\n \"apiVersion\": \"batch/v1\",\n \"kind\": \"Job\",\n \"spec\": {",
            "{\"kind\": \"Job\"}\n{\"kind\": \"Jo",
            list,
            &format!("{list}    uid: \"a"),
            &format!("{list}    uid"),
            "{\"kind\": }",
            "NAME: a\n",
        ];
        let named: String = texts.iter().map(|text| format!("{}\n", objects(text).unwrap_err()[0])).collect();
        expect![[r#"
            1:1: the input is empty; if it comes from a command, look at the errors of that command
            1:1: the input is empty; if it comes from a command, look at the errors of that command
            1:1: kubectl found nothing; is the namespace right? Pass it to kubectl with -n, or -A for all namespaces
            1:1: kubectl found nothing; is the namespace right? Pass it to kubectl with -n, or -A for all namespaces
            1:1: this is a table that kubectl printed; add `-o yaml` to the command
            1:1: this is a table that kubectl printed; add `-o yaml` to the command
            1:1: this is a table that kubectl printed; add `-o yaml` to the command
            1:1: these are only the names of objects; use `-o yaml` instead of `-o name`
            4:11: the JSON ends early: the rest is cut off; get the whole output again
            2:13: the JSON ends early: the rest is cut off; get the whole output again
            6:13: the list is cut off: `kind: List`, which follows its items, is missing; get the whole output again
            7:12: the list is cut off: `kind: List`, which follows its items, is missing; get the whole output again
            7:8: the list is cut off: `kind: List`, which follows its items, is missing; get the whole output again
            1:2: kind: the kind is not text; use `kind: Job`
            1:1: kind: the object has no kind; add `kind: Job`
        "#]]
        .assert_eq(&named);
    }
}

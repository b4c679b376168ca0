//! How far both sides agree: counted by request, and the differences by field and kind of error.
//!
//! Docs: API conventions, "Error codes".

use std::collections::{BTreeMap, BTreeSet};

use admission::validation::ErrorKind;
use core_tests::native::Native;
use core_tests::summary::{grouped, print};
use protocol::Session;
use serde_json::Value;

use super::super::{comparable, errors, texts};

/// How many differences are printed.
const SHOWN: usize = 60;
/// What of 10,000 verdicts, and of as many sets of fields with kinds of errors, is alike at least.
const VERDICTS: usize = 9_950;
const SETS: usize = 9_800;

/// What depends on a flag of the API server, whose default hardly a cluster has: `--allow-privileged`.
const BY_POLICY: &str = "disallowed by cluster policy";

/// How often both sides agree.
pub(super) struct Agreement {
    /// What answers `jobsmith step`.
    session: Session<Native>,
    requests: usize,
    /// Requests that upstream cannot decode are not compared.
    undecodable: usize,
    refused: usize,
    same_verdicts: usize,
    same_sets: usize,
    same_texts: usize,
    wrongly_refused: usize,
    admitted: usize,
    same_warnings: usize,
    /// Each with how often it occurs, and a request with it.
    differences: BTreeMap<String, (usize, String)>,
}

impl Agreement {
    pub(super) fn new() -> Self {
        Self {
            session: Session::new(Native::default()),
            requests: 0,
            undecodable: 0,
            refused: 0,
            same_verdicts: 0,
            same_sets: 0,
            same_texts: 0,
            wrongly_refused: 0,
            admitted: 0,
            same_warnings: 0,
            differences: BTreeMap::new(),
        }
    }

    /// Compares the answers to a question.
    pub(super) fn compare(&mut self, question: &Value, theirs: &Value) {
        if !theirs["error"].is_null() {
            self.undecodable += 1;
            return;
        }
        let ours = self.session.serve(&question.to_string());
        let ours: Value = serde_json::from_str(&ours).unwrap_or_else(|error| panic!("{ours}: {error}"));
        assert_eq!(ours["error"], Value::Null, "{question}");
        let operation = question["op"].as_str().expect("it is text");
        let [our_errors, their_errors] = [&ours, theirs].map(|answer| {
            let mut errors = comparable(errors(answer), operation);
            errors.retain(|error| !error.contains(BY_POLICY));
            BTreeSet::from_iter(errors)
        });
        let [our_set, their_set] = [&our_errors, &their_errors].map(|errors| errors.iter().map(|error| field_and_kind(error)).collect());
        self.requests += 1;
        self.refused += usize::from(!their_errors.is_empty());
        self.same_verdicts += usize::from(our_errors.is_empty() == their_errors.is_empty());
        self.wrongly_refused += usize::from(their_errors.is_empty() && !our_errors.is_empty());
        self.same_sets += usize::from(our_set == their_set);
        self.same_texts += usize::from(our_errors == their_errors);
        if our_set == their_set {
            self.differ("text missing", &their_errors, &our_errors, question);
        } else {
            self.differ("missing", &their_set, &our_set, question);
            self.differ(if their_set.is_empty() { "wrongly refused" } else { "too much" }, &our_set, &their_set, question);
        }
        if our_errors.is_empty() && their_errors.is_empty() {
            let [our_warnings, their_warnings] = [&ours, theirs].map(|answer| BTreeSet::from_iter(texts(answer, "warnings")));
            self.admitted += 1;
            self.same_warnings += usize::from(our_warnings == their_warnings);
            self.differ("warning missing", &their_warnings, &our_warnings, question);
            self.differ("warning too much", &our_warnings, &their_warnings, question);
        }
    }

    /// Notes what one side has and the other has not.
    fn differ(&mut self, how: &str, one: &BTreeSet<String>, other: &BTreeSet<String>, question: &Value) {
        for text in one.difference(other) {
            let place: String = text.replace("spec.jobTemplate.spec.", "spec.").chars().filter(|letter| !letter.is_ascii_digit()).collect();
            let (count, _) = self.differences.entry(format!("{how}: {place}")).or_insert_with(|| (0, question.to_string()));
            *count += 1;
        }
    }

    /// Prints how often both agree, and the most frequent differences.
    pub(super) fn print(&self, what: &str) {
        let [requests, refused, wrongly, undecodable] =
            [self.requests, self.refused, self.wrongly_refused, self.undecodable].map(|number| grouped(number as u64));
        let share = |number: usize, of: usize| format!("{:.2} %", 100.0 * number as f64 / of.max(1) as f64);
        let [verdicts, sets, texts] = [self.same_verdicts, self.same_sets, self.same_texts].map(|number| share(number, self.requests));
        let warnings = share(self.same_warnings, self.admitted);
        print(&format!(
            "pod templates: {requests} {what} compared, {refused} of them refused; alike: verdict {verdicts}, set of fields and kinds {sets}, texts {texts}, \
             warnings {warnings}; {wrongly} wrongly refused; {undecodable} not decoded by upstream"
        ));
        let mut differences: Vec<_> = self.differences.iter().collect();
        differences.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (difference, (count, question)) in differences.iter().take(SHOWN) {
            print(&format!("{count:6} {difference}"));
            if std::env::var_os("QUESTIONS").is_some() {
                print(question);
            }
        }
    }

    /// Fails unless both sides agree as often as they should.
    pub(super) fn check(&self) {
        assert_eq!(self.wrongly_refused, 0, "requests that upstream admits are refused");
        assert!(self.same_verdicts * 10_000 >= self.requests * VERDICTS, "verdicts differ");
        assert!(self.same_sets * 10_000 >= self.requests * SETS, "fields or kinds of errors differ");
    }
}

/// An error without what follows its kind: `spec.completions: Invalid value`.
fn field_and_kind(error: &str) -> String {
    let end = |kind: &ErrorKind| error.find(&format!(": {}", kind.text())).map(|at| at + 2 + kind.text().len());
    ErrorKind::ALL.iter().filter_map(end).min().map_or_else(|| error.to_owned(), |end| error[..end].to_owned())
}

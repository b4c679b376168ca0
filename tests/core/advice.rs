//! The pages of the rules of `jobsmith check`: what is bad is found at its line, what is good is not, and what is corrected stays so.
//!
//! Docs: `jobsmith lint`. The claims that are played are seen as they are written in `scenarios.rs`; the conditions themselves are tested beside them, in
//! `crates/advice/src/rules/`.

use std::collections::BTreeSet;

use advice::{RULES, page, rule};
use api::Timestamp;
use check::CheckDepth;
use core_tests::scenarios::pages;
use manifest::{Diagnostic, Repairs, RuleName};

/// What stands in the line of a finding.
const HERE: char = '←';

fn found(text: &str) -> Vec<Diagnostic> {
    let pedantic: Vec<RuleName> = RULES.iter().filter(|rule| rule.is_pedantic()).map(|rule| rule.name).collect();
    check::check(text, CheckDepth::Pedantic(&pedantic), now()).diagnostics
}

/// What is found in an example of a page: that of changes has the object that exists before the one that is applied over it.
fn found_in_example(page: &str, text: &str) -> Vec<Diagnostic> {
    if page != "immutable" {
        return found(text);
    }
    let mut findings = check::check(text, CheckDepth::Mistakes, now());
    let objects = findings.objects.clone();
    findings.compare(&objects[..1], now());
    findings.diagnostics
}

fn now() -> Timestamp {
    "2026-11-26T12:00:00Z".parse().expect("it is a time")
}

#[test]
fn every_rule_has_a_page_and_every_page_a_rule() {
    for rule in &RULES {
        let name = rule.name.as_str();
        let page = page(name).unwrap_or_else(|| panic!("{name} has no page"));
        assert!(page.starts_with(&format!("# {name}\n\n")), "{name}: the page begins otherwise");
    }
    let pages: BTreeSet<String> = pages().iter().map(|page| page.scenarios[0].page.clone()).collect();
    assert_eq!(pages, RULES.iter().map(|rule| rule.name.as_str().to_owned()).collect());
}

#[test]
fn rules_are_in_order_and_have_names_and_numbers_of_their_own() {
    assert!(RULES.is_sorted_by(|one, next| one.code < next.code));
    let names: BTreeSet<&str> = RULES.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names.len(), RULES.len());
}

#[test]
fn pages_show_what_is_found_and_what_is_not() {
    let mut wrong = Vec::new();
    for page in pages() {
        let name = &page.scenarios[0].page;
        let mut bad = 0;
        for scenario in &page.scenarios {
            let text = scenario.own_manifest();
            let marked: Vec<usize> = text.lines().enumerate().filter(|(_, line)| line.contains(HERE)).map(|(at, _)| at + 1).collect();
            let lines: Vec<usize> =
                found_in_example(name, text).iter().filter(|found| found.rule.as_str() == name).map(|found| found.position.line).collect();
            let kind = scenario.claim.split(": ").next().unwrap_or_default();
            bad += usize::from(kind == "Bad");
            if !["Bad", "Good", "Exception"].contains(&kind) || marked.is_empty() == (kind == "Bad") || lines != marked {
                wrong.push(format!("{}:{}: {:?}: found in lines {lines:?}, marked {marked:?}", page.path, scenario.line, scenario.claim));
            }
        }
        if bad == 0 {
            wrong.push(format!("{}: nothing is bad", page.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_corrected_can_be_read_and_has_no_new_findings() {
    let mut corrected = BTreeSet::new();
    for page in pages() {
        for scenario in page.scenarios.iter().filter(|scenario| scenario.claim.starts_with("Bad")) {
            let mut text = scenario.own_manifest().to_owned();
            let before: BTreeSet<&str> = found(&text).iter().map(|found| found.rule.as_str()).collect();
            while let Some((rule, repaired)) = repaired(&text) {
                assert!(rule_count(&repaired, rule) < rule_count(&text, rule), "{rule} is not corrected\n{repaired}");
                text = repaired;
                corrected.insert(rule);
            }
            let after: BTreeSet<&str> = found(&text).iter().map(|found| found.rule.as_str()).collect();
            let new: Vec<_> = after.difference(&before).collect();
            // Of what cannot be read, nothing else is known.
            let unread = ["unreadable", "not-rendered", "duplicate-field"].iter().any(|name| before.contains(name));
            assert!(new.is_empty() || unread, "{new:?} is new after all corrections\n{text}");
        }
    }
    let without: BTreeSet<&str> = [
        "logs-lost",
        "deadline-on-pod",
        "dropped-field",
        "evictable",
        "evictions-count",
        "limit-without-effect",
        "restart-policy-level",
        "rule-never-matches",
        "shell-swallows-term",
        "token-mounted",
        "two-pods-at-once",
        "deadline-under-10",
        "runs-pile-up",
        "every-minute",
        "ttl-against-history",
        "removed-version",
        "exit-code-masked",
    ]
    .into_iter()
    .filter(|name| !corrected.contains(name))
    .collect();
    assert!(without.is_empty(), "never corrected: {without:?}");
}

fn rule_count(text: &str, name: &str) -> usize {
    found(text).iter().filter(|found| found.rule.as_str() == name).count()
}

/// The text after the first correction that can be made, and by which rule.
fn repaired(text: &str) -> Option<(&'static str, String)> {
    let repairs = Repairs::of(text);
    let mut found = found(text).into_iter();
    found.find_map(|found| Some((rule(found.rule.as_str())?.name.as_str(), repairs.repair(&found)?.apply(text)?)))
}

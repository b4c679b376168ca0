//! Noise: how much `jobsmith check` says about the examples of the Kubernetes pages, and about manifests as people publish them.
//!
//! Docs: `jobsmith lint`. In `pages.yaml` are the examples, in `public.yaml` a hundred manifests in the manner of charts, operators and repositories. Each begins
//! with a line that names the rules of its errors and warnings; `UPDATE_EXPECT=1` writes them. Each finding in them was read, and is right.

use std::collections::BTreeMap;
use std::fs;

use check::CheckDepth;
use core_tests::files::root;
use core_tests::summary::print;
use manifest::Severity;

/// What a line begins with that names a manifest and its findings.
const HEAD: &str = "### ";

/// A manifest, and the rules that find something in it.
struct Sample {
    name: String,
    expected: Vec<String>,
    text: String,
}

fn samples(file: &str) -> Vec<Sample> {
    let text = fs::read_to_string(root().join("tests/core/noise").join(file)).expect("it is there");
    let sample = |part: &str| {
        let (head, text) = part.split_once('\n').expect("a manifest follows its head");
        let (name, rules) = head.split_once(':').expect("a head has a name and rules");
        let expected = rules.split(',').map(|rule| rule.trim().to_owned()).filter(|rule| !rule.is_empty()).collect();
        Sample { name: name.to_owned(), expected, text: text.to_owned() }
    };
    text.split(HEAD).skip(1).map(sample).collect()
}

/// The rules of the errors and warnings in a manifest.
fn rules(text: &str) -> Vec<String> {
    let now = "2026-11-26T12:00:00Z".parse().expect("it is a time");
    let found = check::check(text, CheckDepth::Advice, now).diagnostics;
    let counted = found.into_iter().filter(|found| found.severity != Severity::Note);
    counted.map(|found| found.rule.as_str().to_owned()).collect()
}

/// Checks that all samples of a file have the findings that they name; how many each has.
fn counts(file: &str) -> Vec<(String, usize)> {
    let samples = samples(file);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let written = |sample: &Sample| {
            format!("{HEAD}{}: {}", sample.name, rules(&sample.text).join(", ")).trim_end().to_owned() + "\n" + &sample.text
        };
        fs::write(root().join("tests/core/noise").join(file), samples.iter().map(written).collect::<String>()).expect("it can be written");
        return Vec::new();
    }
    let wrong: Vec<String> = samples
        .iter()
        .filter(|sample| rules(&sample.text) != sample.expected)
        .map(|sample| format!("{file}: {}: {:?} instead of {:?}", sample.name, rules(&sample.text), sample.expected))
        .collect();
    assert!(wrong.is_empty(), "{}\n(UPDATE_EXPECT=1 rewrites them)", wrong.join("\n"));
    samples.into_iter().map(|sample| (sample.name, sample.expected.len())).collect()
}

#[test]
fn the_examples_of_the_kubernetes_pages_have_one_warning_at_most() {
    let several: Vec<String> = counts("pages.yaml").into_iter().filter(|(_, count)| *count > 1).map(|(name, _)| name).collect();
    // The only CronJob: it restarts in the pod, and runs each minute without a deadline.
    assert!(several.is_empty() || several == ["hello"], "{several:?}");
}

#[test]
fn what_people_publish_has_few_findings() {
    let mut counts: Vec<usize> = counts("public.yaml").into_iter().map(|(_, count)| count).collect();
    counts.sort_unstable();
    let Some(median) = counts.get(counts.len() / 2) else { return };
    let mut distribution = BTreeMap::<usize, usize>::new();
    counts.iter().for_each(|count| *distribution.entry(*count).or_default() += 1);
    let shown: Vec<String> = distribution.iter().map(|(findings, files)| format!("{findings}: {files}")).collect();
    print(&format!("errors and warnings in {} manifests, as findings: manifests: {}; median {median}", counts.len(), shown.join(", ")));
    assert!(*median <= 2, "{distribution:?}");
}

//! The samples of annotations in the README and in the reference: all of them are read as the controllers read them, and what is wrong is reported as it is
//! shown.
//!
//! Docs: README, "Beyond Kubernetes"; `crates/api/src/annotation/README.md`, whose errors `UPDATE_EXPECT=1` writes. What follows from values is played in
//! `tests/scenarios/`.

use api::annotation::{InvalidAnnotation, KNOWN, KnownAnnotation, WrongAnnotationValue};
use api::{CronJobSpec, Kind, Timestamp};
use check::CheckDepth;
use expect_test::expect_file;

use crate::annotation_examples::Example;

const README: &str = include_str!("../../README.md");
const REFERENCE: &str = include_str!("../../crates/api/src/annotation/README.md");

/// The keys and values of annotations that a text has, which is YAML.
fn annotations(yaml: &str) -> Vec<(String, String)> {
    let documents = manifest::read(yaml).unwrap_or_else(|problem| panic!("{problem:?}\n{yaml}"));
    let entries = documents.iter().flat_map(|document| document.value().as_object().expect("it has keys"));
    entries.map(|(key, value)| (key.clone(), value.as_str().expect("values are texts").to_owned())).collect()
}

fn read(key: &str, value: &str) -> Result<(), InvalidAnnotation> {
    let known = KnownAnnotation::of(key).unwrap_or_else(|| panic!("{key} is not known"));
    known.check(value, *known.kinds.first().unwrap_or(&Kind::Job), &CronJobSpec::default())
}

#[test]
fn wishes_of_the_readme_can_be_read() {
    let (_, chapter) = README.split_once("\n## Beyond Kubernetes\n").expect("there is the chapter");
    let (chapter, _) = chapter.split_once("\n## ").expect("it ends");
    let samples: Vec<&str> = chapter.split('`').filter(|code| code.starts_with("jobsmith.dev/") && code.contains(": ")).collect();
    for sample in &samples {
        for (key, value) in annotations(sample) {
            assert_eq!(read(&key, &value), Ok(()), "{sample}");
        }
    }
    assert!(samples.len() >= 10, "{samples:?}");
}

#[test]
fn the_readme_shows_what_check_reports() {
    let job = "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: work\n  annotations:\n    jobsmith.dev/retry-delay: 1m, 5, 30m\nspec:\n  template:\n    spec:\n      \
               restartPolicy: Never\n      containers: [{name: main, image: 'registry.example/work:1'}]\n";
    let found = check::check(job, CheckDepth::Mistakes, Timestamp::UNIX_EPOCH).diagnostics;
    let shown = manifest::render_with_rules(&found, "work.yaml", job, false);
    let (before, rest) = README.split_once("```text\nwarning[invalid-annotation]").expect("it has a sample");
    let (_, after) = rest.split_once("```").expect("the sample ends");
    expect_file!["../../README.md"].assert_eq(&format!("{before}```text\n{}\n```{after}", shown.trim_end()));
}

#[test]
fn values_of_the_reference_are_read_as_it_says() {
    let (head, sections) = REFERENCE.split_once("\n## ").expect("there are sections");
    let sections: Vec<&str> = sections.split("\n## ").collect();
    let keys: Vec<&str> = sections.iter().map(|section| section.split('`').nth(1).expect("a key is its heading")).collect();
    assert_eq!(keys, KNOWN.iter().map(|known| known.key).collect::<Vec<_>>());
    let shown = keys.iter().zip(&sections).map(|(key, section)| format!("\n## {}", section_as_read(key, section)));
    let shown = shown.collect::<String>();
    expect_file!["../../crates/api/src/annotation/README.md"].assert_eq(&format!("{head}{shown}"));
}

/// A section with the errors that its wrong values have, and with what happens in its example.
fn section_as_read(key: &str, section: &str) -> String {
    let (mut manifest, mut script) = ("", "");
    let blocks = section.split("```").enumerate().map(|(at, block)| match block.split_once('\n') {
        Some(("yaml", example)) if at % 2 == 1 && example.starts_with("apiVersion: ") => {
            manifest = example;
            block.to_owned()
        }
        Some(("script", example)) if at % 2 == 1 => {
            script = example;
            block.to_owned()
        }
        Some(("trace", _)) if at % 2 == 1 => format!("trace\n{}", Example::of(key, manifest, script).trace()),
        Some(("pods", _)) if at % 2 == 1 => format!("pods\n{}", Example::of(key, manifest, script).pods()),
        Some(("yaml", samples)) if at % 2 == 1 => {
            let alone = samples.lines().all(|line| line.starts_with("jobsmith.dev/"));
            let samples = if alone { samples.lines().collect() } else { vec![samples] };
            for (found, value) in samples.into_iter().flat_map(annotations) {
                assert_eq!((&*found, read(&found, &value)), (key, Ok(())), "{value}");
            }
            block.to_owned()
        }
        Some(("text", values)) if at % 2 == 1 && values.starts_with('"') => {
            let values = values.lines().filter(|line| line.starts_with('"'));
            values.fold("text\n".to_owned(), |shown, value| shown + value + "\n    " + &error(key, value.trim_matches('"')) + "\n")
        }
        _ => block.to_owned(),
    });
    blocks.collect::<Vec<_>>().join("```")
}

/// What is wrong with a value of one line.
fn error(key: &str, value: &str) -> String {
    match read(key, value).expect_err("it means nothing").wrong {
        WrongAnnotationValue::NotExpected { expected, .. } => format!("it must be {expected}"),
        WrongAnnotationValue::Problem(problem) => format!("column {}: {}; {}", problem.column, problem.message, problem.remedy),
    }
}

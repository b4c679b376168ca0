//! Advice: what `jobsmith check` and `jobsmith lint` print of rules, and that notes change nothing.
//!
//! Docs: `jobsmith lint --help`. What rules find is tested in `crates/advice`, their pages in `tests/core/advice.rs`.

use core_tests::scenarios::pages;
use serde_json::json;

use super::job;
use crate::program::Folder;

#[test]
fn notes_never_change_the_exit_status() {
    let folder = Folder::new();
    folder.write("job.yaml", job("{name: main, image: 'i:1'}"));
    let ended = folder.run(&["check", "job.yaml", "--strict"]).with_status(0);
    let expected = "note[never-ends]: job.yaml:4:1: spec: this Job never ends if its pod cannot start, for example because its image cannot be pulled; \
                    set spec.activeDeadlineSeconds, for example to 3600\n";
    assert!(ended.stdout.starts_with(expected), "{}", ended.stdout);
    assert_eq!(ended.stderr, "2 notes in 1 Job\n");
    let json = folder.run(&["check", "job.yaml", "-o", "json"]).with_status(0).json();
    assert_eq!((&json["notes"], &json["diagnostics"][0]["severity"]), (&json!(2), &json!("note")));
    let silenced = job("{name: main, image: 'i:1'}")
        .replace("spec:\n  template", "spec: # jobsmith: ignore[never-ends, never-removed] watched\n  template");
    folder.write("job.yaml", silenced);
    assert_eq!(folder.run(&["check", "job.yaml"]).with_status(0).stderr, "no problems in 1 Job; 2 silenced\n");
}

#[test]
fn a_service_in_the_file_is_compared_with_the_pods() {
    let folder = Folder::new();
    let service = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}}\n";
    let job = job("{name: main, image: i}").replace("  template:\n", "  template:\n    metadata: {labels: {app: web}}\n");
    folder.write("all.yaml", format!("{service}---\n{job}"));
    let ended = folder.run(&["check", "all.yaml", "-o", "concise"]).with_status(0);
    assert!(ended.stdout.contains("Service web selects these pods"), "{}", ended.stdout);
}

#[test]
fn the_files_of_a_folder_are_taken_together_and_so_are_those_that_are_named() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("k8s/other")).expect("the folder can be written to");
    let labelled = job("{name: main, image: 'i:1'}").replace("  template:\n", "  template:\n    metadata: {labels: {app: web}}\n");
    folder.write("k8s/job.yaml", &labelled);
    folder.write("k8s/service.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}}\n");
    folder.write("k8s/other/job.yaml", &labelled);
    let found = |arguments: &[&str]| -> Vec<String> {
        let ended = folder.run(&[&["check", "-o", "concise"], arguments].concat()).with_status(0);
        let lines = ended.stdout.lines().filter(|line| line.contains("service-selects-pods"));
        lines.map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(found(&["k8s"]), ["k8s/job.yaml"]);
    assert_eq!(found(&["k8s/other/job.yaml", "k8s/service.yaml"]), ["k8s/other/job.yaml"]);
    assert_eq!(found(&["k8s/job.yaml"]), [""; 0]);
}

#[test]
fn a_job_of_a_kustomization_is_known_by_the_file_beside_it() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("k8s")).expect("the folder can be written to");
    folder.write("k8s/job.yaml", job("{name: main, image: 'i:1'}"));
    let reapplied =
        || folder.run(&["check", "k8s/job.yaml", "-o", "concise"]).with_status(0).stdout.contains("`kubectl apply -k` cannot apply");
    folder.write("k8s/kustomization.yaml", "resources: [service.yaml]\n");
    assert!(!reapplied());
    folder.write("k8s/kustomization.yaml", "resources:\n- ./job.yaml\n");
    assert!(reapplied());
}

#[test]
fn pedantic_rules_are_reported_where_somebody_asks_for_them() {
    let folder = Folder::new();
    let silenced = job("{name: main, image: 'i:1'}").replace("    spec:\n", "    spec: # jobsmith: ignore[token-mounted] kept\n");
    folder.write("job.yaml", silenced);
    let summary = |arguments: &[&str], status| folder.run(&[&["check", "job.yaml"], arguments].concat()).with_status(status).stderr;
    assert_eq!(summary(&["--strict"], 0), "2 notes in 1 Job\n");
    assert_eq!(summary(&["--strict", "--pedantic"], 1), "1 warning and 2 notes in 1 Job; 1 silenced\n");
    assert_eq!(summary(&["--strict", "--pedantic=evictable"], 1), "1 warning and 2 notes in 1 Job\n");
    assert_eq!(summary(&["--strict", "--pedantic=herd"], 0), "2 notes in 1 Job\n");
    let refused = summary(&["--pedantic=evicted"], 2);
    assert!(refused.contains("no rule is called \"evicted\"; pedantic rules are token-mounted, evictable, herd"), "{refused}");
}

#[test]
fn rules_are_listed_and_explained() {
    let folder = Folder::new();
    let list = folder.run(&["lint"]).with_status(0).stdout;
    assert!(list.starts_with("Reading and admission\n  L-001  error     unreadable "), "{list}");
    assert!(list.contains("\n\nSchedules\n  L-401  warning   never-fires "), "{list}");
    let page = folder.run(&["lint", "logs-lost"]).with_status(0).stdout;
    assert!(page.starts_with("# logs-lost\n\nL-101, warning: With OnFailure, "), "{page}");
    let ended = folder.run(&["lint", "log-lost"]).with_status(2);
    assert_eq!(ended.stderr, "error: there is no rule \"log-lost\"; did you mean logs-lost?\n");
    for number in ["L-101", "101", "l-101", "LOGS-LOST"] {
        assert_eq!(folder.run(&["lint", number]).with_status(0).stdout, page, "{number}");
    }
    let listed = |words: &[&str]| {
        let list = folder.run(&[&["lint"], words].concat()).with_status(0).stdout;
        list.lines().filter_map(|line| line.strip_prefix("  L-")?.split_whitespace().nth(2).map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(listed(&["time", "Zone"]), ["utc"]);
    // No rule has this word in its line, but pages have it.
    assert_eq!(listed(&["PIPEFAIL"]), ["exit-code-masked"]);
    let nothing = folder.run(&["lint", "no", "such", "words"]).with_status(2).stderr;
    assert_eq!(nothing, "error: there is no rule \"no such words\"; `jobsmith lint` lists all rules\n");
    let all = folder.run(&["lint", "--all"]).with_status(0).stdout;
    assert_eq!(all.lines().filter(|line| line.starts_with("## ")).count(), list.lines().filter(|line| line.contains("  L-")).count());
}

#[test]
fn code_scanning_gets_the_page_of_a_rule() {
    let folder = Folder::new();
    folder.write("job.yaml", job("{name: main, image: i}").replace("Never", "OnFailure"));
    let sarif = folder.run(&["check", "job.yaml", "-o", "sarif"]).with_status(0).json();
    let rule = &sarif["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!((&rule["id"], &rule["defaultConfiguration"]), (&json!("logs-lost"), &json!({"level": "warning"})));
    assert!(rule["help"]["markdown"].as_str().is_some_and(|page| page.starts_with("# logs-lost\n")), "{rule}");
}

/// What is corrected can be read, has no finding that was not there before, and stays as it is.
#[test]
fn the_bad_examples_of_all_pages_can_be_corrected() {
    let folder = Folder::new();
    let rules = |name: &str| -> Vec<String> {
        let json = folder.run(&["check", name, "-o", "json"]).json();
        json["diagnostics"].as_array().into_iter().flatten().map(|found| found["rule"].as_str().unwrap_or_default().to_owned()).collect()
    };
    for (number, scenario) in
        pages().iter().flat_map(|page| &page.scenarios).filter(|scenario| scenario.claim.starts_with("Bad")).enumerate()
    {
        let name = format!("{number}.yaml");
        folder.write(&name, scenario.own_manifest());
        let before = rules(&name);
        folder.run(&["check", &name, "--fix", "--unsafe-fixes"]);
        let corrected = folder.read(&name);
        let unread = ["unreadable", "not-rendered", "duplicate-field"].iter().any(|rule| before.iter().any(|found| found == rule));
        let after = rules(&name);
        assert!(unread || after.iter().all(|rule| before.contains(rule)), "{}: {before:?} becomes {after:?}\n{corrected}", scenario.claim);
        assert!(after.len() <= before.len() || unread, "{}: {before:?} becomes {after:?}\n{corrected}", scenario.claim);
        folder.run(&["check", &name, "--fix", "--unsafe-fixes"]);
        assert_eq!(folder.read(&name), corrected, "{}", scenario.claim);
    }
}

//! `jobsmith check --against`: what cannot be applied over objects that are there, from files and from commits.
//!
//! Docs: `jobsmith check --help`. Which changes are refused is tested in `crates/check/src/against.rs`.

use std::process::Command;

use expect_test::expect;

use crate::program::Folder;

const OLD: &str = "apiVersion: batch/v1
kind: Job
metadata: {name: migrate}
spec:
  parallelism: 1
  activeDeadlineSeconds: 600
  ttlSecondsAfterFinished: 3600
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: registry.example/migrate:1}]
";

fn new() -> String {
    OLD.replace("migrate:1", "migrate:2").replace("parallelism: 1", "parallelism: 2")
}

#[test]
fn a_field_that_cannot_change_is_an_error_at_its_place() {
    let folder = Folder::new();
    folder.write("old.yaml", OLD);
    folder.write("job.yaml", new());
    let ended = folder.run(&["check", "job.yaml", "--against", "old.yaml", "-o", "concise"]).with_status(1);
    expect![[r#"
        job.yaml:5:16: spec.parallelism: the first pod that succeeds ends this Job: from then on, pods that fail are not replaced; set spec.completions to the number of pods that must succeed, unless the pods take their work from a queue [work-queue]
        job.yaml:11:40: spec.template.spec.containers[0].image: this cannot be changed in a Job that exists: registry.example/migrate:1 → registry.example/migrate:2; create another Job: delete the old one first, or use another name (Helm: make it a hook; Argo CD: Replace=true,Force=true; Flux: force) [immutable]
    "#]]
    .assert_eq(&ended.stdout);
    folder.run(&["check", "old.yaml", "--against", "old.yaml"]).with_status(0);
    folder.write("other.yaml", new().replace("name: migrate}", "name: other}"));
    folder.run(&["check", "other.yaml", "--against", "old.yaml"]).with_status(0);
}

#[test]
fn files_are_compared_with_those_at_a_commit() {
    let folder = Folder::new();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
        let output = Command::new("git").current_dir(folder.path()).args(identity).args(arguments).output().expect("there is git");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    std::fs::create_dir(folder.path().join("k8s")).expect("the folder can be written to");
    git(&["init", "-q"]);
    folder.write("k8s/job.yaml", OLD);
    folder.write("k8s/notes.md", "no manifest");
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    folder.write("k8s/job.yaml", new());
    folder.write("k8s/added.yaml", OLD.replace("name: migrate}", "name: added}"));
    for named in ["k8s", "k8s/job.yaml", "."] {
        let ended = folder.run(&["check", named, "--against", "git:HEAD", "-o", "concise"]).with_status(1);
        assert_eq!(ended.stdout.matches("cannot be changed").count(), 1, "{named}: {}", ended.stdout);
    }
    folder.run(&["check", "k8s/added.yaml", "--against", "git:HEAD"]).with_status(0);
    let unknown = folder.run(&["check", "k8s", "--against", "git:nope"]).with_status(2);
    assert!(unknown.stderr.contains("git cannot show k8s at nope: Not a valid object name nope"), "{}", unknown.stderr);
}

#[test]
fn what_cannot_be_compared_is_named() {
    let folder = Folder::new();
    folder.write("job.yaml", OLD);
    let refused = |against: &str| folder.run(&["check", "job.yaml", "--against", against]).with_status(2).stderr;
    assert!(refused("main").contains("there is no file \"main\"; for a commit, write git:main"));
    assert!(refused("git:").contains("name a commit, as in git:main"));
    assert!(refused("git:--help").contains("\"--help\" is not the name of a commit"));
    assert!(refused("git:HEAD").contains("git cannot show job.yaml at HEAD: not a git repository"));
}

#[test]
fn an_older_version_knows_fewer_fields() {
    let folder = Folder::new();
    folder.write("job.yaml", OLD.replace("spec:\n  parallelism", "spec:\n  scheduling: {schedulingPolicy: {basic: {}}}\n  parallelism"));
    folder.run(&["check", "job.yaml"]).with_status(0);
    let ended = folder.run(&["check", "job.yaml", "--kubernetes", "1.36", "-o", "concise"]).with_status(1);
    assert!(
        ended.stdout.contains("job.yaml:5:3: spec.scheduling: unknown field \"scheduling\": it is new in Kubernetes v1.37"),
        "{}",
        ended.stdout
    );
}

#[test]
fn what_would_be_different_stands_below() {
    let folder = Folder::new();
    folder.write("old.yaml", OLD);
    folder.write("job.yaml", OLD.replace("activeDeadlineSeconds: 600", "backoffLimit: 10"));
    let ended = folder.run(&["check", "job.yaml", "--against", "old.yaml"]).with_status(0);
    let start = ended.stdout.find("\nmigrate  ").expect("there is a paragraph");
    expect![[r#"
        migrate  up to 11 attempts, 50m30s of waiting between them; no deadline
                 before: up to 6 of 7 attempts within its deadline of 10m, 5m10s of waiting between them
                 if it fails: the pods of all 11 attempts stay for 1h
                 before: the pods of all 6 attempts stay for 1h
                 if a node is drained: the pod counts as a failed attempt

    "#]]
    .assert_eq(&ended.stdout[start + 1..]);
    let same = folder.run(&["check", "old.yaml", "--against", "old.yaml"]).with_status(0).stdout;
    assert!(same.contains("migrate  ") && !same.contains("before: "), "{same}");
}

#[test]
fn a_comment_on_a_pull_request_has_tables() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("k8s")).expect("the folder can be written to");
    folder.write("old.yaml", OLD);
    folder.write("k8s/job.yaml", new().replace("activeDeadlineSeconds: 600", "backoffLimit: 10"));
    let ended = folder.run(&["check", "k8s", "--against", "old.yaml", "-o", "markdown"]).with_status(1);
    assert_eq!(ended.stderr, "");
    expect![[r#"
        **jobsmith check**: 1 error, 1 warning and 1 note in 1 Job

        | Where | Level | What is wrong, and what to do | Rule |
        |---|---|---|---|
        | <code>k8s/job.yaml:4</code> | note | spec: this Job never ends if its pod cannot start, for example because its image cannot be pulled; set spec.activeDeadlineSeconds, for example to 3600 | <code>never-ends</code> |
        | <code>k8s/job.yaml:5</code> | warning | spec.parallelism: the first pod that succeeds ends this Job: from then on, pods that fail are not replaced; set spec.completions to the number of pods that must succeed, unless the pods take their work from a queue | <code>work-queue</code> |
        | <code>k8s/job.yaml:11</code> | error | spec.template.spec.containers\[0\].image: this cannot be changed in a Job that exists: registry.example/migrate:1 → registry.example/migrate:2; create another Job: delete the old one first, or use another name (Helm: make it a hook; Argo CD: Replace=true,Force=true; Flux: force) | <code>immutable</code> |

        | Object | What it will do |
        |---|---|
        | <code>migrate</code> | 2 pods at a time; after the first success, no more pods are started<br>if pods fail: up to 12 attempts, 27m of waiting between them; no deadline<br>  before: up to 6 of 7 attempts within its deadline of 10m, 5m10s of waiting between them<br>if it fails: the pods of all 12 attempts stay for 1h<br>  before: the pods of all 6 attempts stay for 1h<br>if a node is drained: the pod counts as a failed attempt |
    "#]]
    .assert_eq(&ended.stdout);
}

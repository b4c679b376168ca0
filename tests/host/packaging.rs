//! What others take of the program: the component as a file, completions, man pages, and the program as a plugin of kubectl.
//!
//! Docs: `jobsmith component --help`, `jobsmith completions --help`. What is in the component itself is tested in `component.rs`.

use std::os::unix::fs::symlink;
use std::process::Command;

use core_tests::built::{binary, component_path};

use crate::program::Folder;

#[test]
fn the_component_is_exported_as_it_is() {
    let (folder, built) = (Folder::new(), std::fs::read(component_path()).expect("it is built"));
    let exported = folder.run(&["component", "export", "controllers.wasm"]).with_status(0);
    assert_eq!(exported.stderr, format!("wrote controllers.wasm: {} bytes\n", built.len()));
    assert!(std::fs::read(folder.path().join("controllers.wasm")).expect("it was written") == built);
    folder.run(&["component", "export", "-"]).with_status(0);
    assert!(std::fs::read(folder.path().join("stdout")).expect("it was written") == built);
    let refused = folder.run(&["component", "export", "missing/controllers.wasm"]).with_status(2).stderr;
    assert!(refused.starts_with("error: cannot write missing/controllers.wasm: "), "{refused}");
}

#[test]
fn what_is_in_a_component_is_shown() {
    let folder = Folder::new();
    let inspected = folder.run(&["component", "inspect"]).with_status(0).stdout;
    let version = folder.run(&["--version"]).with_status(0).stdout;
    let sha256 = version.split_once("sha256:").and_then(|(_, rest)| rest.lines().next()).expect("the version names it");
    for line in ["Kubernetes  v1.37", "licence     Apache-2.0", &format!("sha256      {sha256}"), "imports     none"] {
        assert!(inspected.lines().any(|shown| shown == line), "{line} in {inspected}");
    }
    let wit = folder.run(&["component", "inspect", "--wit"]).with_status(0).stdout;
    assert!(inspected.ends_with(&wit), "the WIT is the second part");
    assert_eq!(wit, include_str!("../../crates/component/wit/controllers.wit"), "with its documentation and its world");

    let plugin = component_path().with_file_name("pod_labeler.wasm");
    let other = folder.run(&["component", "inspect", plugin.to_str().expect("the path is text")]).with_status(0).stdout;
    assert!(other.ends_with(&wit), "somebody else's controllers have the same interface");
    folder.write("job.yaml", "kind: Job");
    let refused = folder.run(&["component", "inspect", "job.yaml"]).with_status(2).stderr;
    assert_eq!(refused, "error: job.yaml is not a jobsmith component: it is not a WebAssembly component\n");
}

#[test]
fn completions_and_man_pages_know_the_commands() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = folder.run(&["completions", shell]).with_status(0).stdout;
        assert!(["simulate", "respect-policy"].iter().all(|word| script.contains(word)), "{shell}: {script}");
    }
    folder.run(&["man", "pages"]).with_status(0);
    for page in ["jobsmith.1", "jobsmith-explain.1", "jobsmith-component-inspect.1"] {
        assert!(folder.read(&format!("pages/{page}")).contains(".SH NAME"), "{page}");
    }
    let page = folder.read("pages/jobsmith-wait.1");
    let examples = "\n.SH EXAMPLES\n.nf\n  jobsmith wait job/pi\n  jobsmith wait job/pi \\-n team\\-a \\-\\-timeout 10m";
    assert!(page.contains(examples) && page.contains("\n.SH \"EXIT STATUS\"\n.nf\n  0  all Jobs are Complete"), "{page}");
    let page = folder.read("pages/jobsmith-run.1");
    let kept = "\n.nf\n  at 5s: suspend\n  at 9s: resume\n";
    assert!(page.contains(kept) && page.contains(".fi\nWith several Jobs, name one:"), "{page}");
    assert!(page.contains("\n.SH SYNOPSIS\n.nf\njobsmith run [OPTIONS] <FILE>...\n.fi\n"), "{page}");
}

#[test]
fn under_another_name_it_is_a_plugin_of_kubectl() {
    let folder = Folder::new();
    let plugin = folder.path().join("kubectl-why");
    symlink(binary(), &plugin).expect("the folder can be written to");
    let help = folder.start_by(Command::new(&plugin).arg("--help")).end().with_status(0).stdout;
    assert!(help.contains("Usage: kubectl why [OPTIONS] ") && help.contains("  kubectl why job/pi\n"), "{help}");
    assert!(!help.contains("jobsmith explain"), "{help}");
    let unreachable = folder.start_by(Command::new(&plugin).args(["job/pi", "--kubeconfig", "missing"])).end().with_status(2).stderr;
    assert!(unreachable.contains("missing"), "{unreachable}");
}

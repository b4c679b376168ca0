//! The release archive for Linux: the program as one static file, with completions and man pages; and the manifest by which krew installs it for kubectl.
//!
//! Docs: Krew, "Writing Plugin Manifests"; Kubernetes, "Extend kubectl with plugins".

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::json;

use super::{Packages, notices, run_tool, sbom, sha256, write_json};
use crate::cargo;
use crate::workspace::{Workspace, print_line};

/// What the archive says of itself.
const README: &str = include_str!("archive.md");
/// Statically linked, so that it runs on any Linux.
pub(super) const TARGET: &str = "x86_64-unknown-linux-musl";
/// Shells, and how they want the file with the completions to be called.
const SHELLS: [(&str, &str); 4] =
    [("bash", "jobsmith.bash"), ("fish", "jobsmith.fish"), ("powershell", "jobsmith.ps1"), ("zsh", "_jobsmith")];

/// Writes the archive and the manifest.
pub(super) fn write(packages: &Packages) -> anyhow::Result<()> {
    let name = format!("jobsmith-{}-linux-amd64", packages.version);
    let folder = packages.folder.join(&name);
    fill(packages, &folder)?;
    let archive = packages.folder.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    // The same files make the same archive.
    tar.args(["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--use-compress-program=gzip -n -9"]);
    run_tool(tar.arg("--create").arg("--file").arg(&archive).arg("--directory").arg(&packages.folder).arg(&name), "GNU tar")?;
    fs::remove_dir_all(&folder)?;
    write_json(&packages.folder.join("why.krew.yaml"), &krew(&name, &sha256(&fs::read(&archive)?), packages))
}

/// Puts into a folder what the archive has: the program under both of its names, and what is read about it.
fn fill(packages: &Packages, folder: &Path) -> anyhow::Result<()> {
    let completions = folder.join("completions");
    fs::create_dir_all(&completions)?;
    let program = folder.join("jobsmith");
    fs::copy(static_program(packages.workspace)?, &program)?;
    // The names of functions and lines are more than half of it.
    run_tool(Command::new("strip").arg(&program), "strip, from binutils")?;
    symlink("jobsmith", folder.join("kubectl-why"))?;
    for file in ["LICENSE", "CHANGELOG.md"] {
        fs::copy(packages.workspace.root.join(file), folder.join(file))?;
    }
    fs::write(folder.join("README.md"), README.replace("VERSION", packages.version).replace("SOURCE", packages.source))?;
    copy_examples(&packages.workspace.root.join("tests/examples"), &folder.join("examples"))?;
    let parts = sbom::static_program(packages.workspace)?;
    write_json(&folder.join("jobsmith.cdx.json"), &sbom::bill("jobsmith", &fs::read(&program)?, &parts))?;
    fs::write(folder.join("THIRD-PARTY-LICENSES"), notices::text(packages.workspace, &parts)?)?;
    for (shell, file) in SHELLS {
        let script = Command::new(&program).args(["completions", shell]).output()?;
        ensure!(script.status.success(), "`jobsmith completions {shell}` failed");
        fs::write(completions.join(file), script.stdout)?;
    }
    run_tool(Command::new(&program).arg("man").arg(folder.join("man")), "the program")
}

/// The manifests among the examples.
fn copy_examples(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let file = entry?.path();
        if let (Some(name), Some("yaml")) = (file.file_name(), file.extension().and_then(|extension| extension.to_str())) {
            fs::copy(&file, to.join(name))?;
        }
    }
    Ok(())
}

/// Builds the program for [`TARGET`].
fn static_program(workspace: &Workspace) -> anyhow::Result<std::path::PathBuf> {
    print_line("building the static program; the first time this takes a few minutes");
    run_tool(Command::new("rustup").args(["target", "add", TARGET]), "rustup")?;
    let mut build = cargo::cargo(workspace);
    build.env("CC_x86_64_unknown_linux_musl", "musl-gcc").args([
        "build",
        "--profile=dist",
        "--package=jobsmith",
        "--all-features",
        "--bin",
        "jobsmith",
        "--target",
        TARGET,
    ]);
    run_tool(build.arg("--target-dir").arg(&workspace.target), "musl-gcc, from the package musl-tools")?;
    let program = workspace.target.join(TARGET).join("dist/jobsmith");
    let linked = Command::new("ldd").arg(&program).output().context("cannot start ldd")?;
    let printed = [linked.stdout, linked.stderr].concat();
    let printed = String::from_utf8_lossy(&printed);
    ensure!(
        printed.contains("statically linked") || printed.contains("not a dynamic executable"),
        "the program is not statically linked: {printed}"
    );
    Ok(program)
}

/// The manifest; JSON is YAML.
fn krew(name: &str, sha256: &str, packages: &Packages) -> serde_json::Value {
    let platform = json!({
        "selector": {"matchLabels": {"os": "linux", "arch": "amd64"}},
        "uri": format!("{}/releases/download/v{}/{name}.tar.gz", packages.source, packages.version),
        "sha256": sha256,
        "bin": "kubectl-why",
        "files": [{"from": format!("{name}/jobsmith"), "to": "kubectl-why"}, {"from": format!("{name}/LICENSE"), "to": "."}],
    });
    json!({
        "apiVersion": "krew.googlecontainertools.github.com/v1alpha2",
        "kind": "Plugin",
        "metadata": {"name": "why"},
        "spec": {
            "version": format!("v{}", packages.version),
            "homepage": packages.source,
            "shortDescription": "Explain what a Job or CronJob is waiting for",
            "description": "Shows what Kubernetes' controllers decide about a Job or CronJob right now, what each failed pod counted as, what happens next and when, \
                            and for a CronJob what happened at its last scheduled times. It writes nothing to the cluster.",
            "platforms": [platform],
        },
    })
}

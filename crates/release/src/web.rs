//! Builds the playground: the module of the crate `browser`, the component for the browser, and the page around them.
//!
//! Docs: `web/package.json`. The component comes from `crates/xtask/src/component.rs`; `web/build/controllers.mjs` makes of it what a browser
//! can load.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use wasm_bindgen_cli_support::Bindgen;

use crate::rust::TARGET;
use crate::sources::newest;
use crate::workspace::{Workspace, print_line, written_at};
use crate::{cargo, component};

/// The oldest Node on which all tools of the page run.
const NODE: u32 = 20;

/// Builds the page into `target/web`, unless it is newer than all that it is made of.
pub(crate) fn build(workspace: &Workspace) -> anyhow::Result<()> {
    require_node()?;
    component::build(workspace)?;
    let module = build_module(workspace)?;
    let (web, generated) = (workspace.web(), workspace.generated());
    install(&web)?;
    if is_up_to_date(workspace, &module)? {
        return Ok(());
    }
    bind(&module, &generated)?;
    let mut script = Command::new("node");
    script.arg("build/controllers.mjs").arg(workspace.component()).arg(&generated).arg(env!("CARGO_PKG_VERSION"));
    run(script.current_dir(&web))?;
    let folder = format!("--outDir={}", workspace.page().display());
    run(Command::new("npm").args(["run", "--silent", "--if-present", "build", "--", &folder, "--emptyOutDir"]).current_dir(&web))
}

fn require_node() -> anyhow::Result<()> {
    let advice = format!("the playground is built with Node {NODE} or later: install it, with npm, and try again");
    let output = Command::new("node").arg("--version").output().context(advice.clone())?;
    let version = String::from_utf8_lossy(&output.stdout).trim().trim_start_matches('v').to_owned();
    let major: u32 = version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or_default();
    ensure!(major >= NODE, "this is Node {version}; {advice}");
    Ok(())
}

/// Installs what the page's lock file names, unless it is there.
fn install(web: &Path) -> anyhow::Result<()> {
    if written_at(&web.join("node_modules/.package-lock.json")) >= written_at(&web.join("package-lock.json")) {
        return Ok(());
    }
    print_line("installing the tools of the page");
    run(Command::new("npm").args(["ci", "--silent"]).current_dir(web))
}

/// Whether the page is newer than its sources, the scenarios of its gallery, the component, and the module.
fn is_up_to_date(workspace: &Workspace, module: &Path) -> anyhow::Result<bool> {
    let sources = newest(&workspace.web())?.max(newest(&workspace.root.join("tests/scenarios"))?);
    let built = written_at(&workspace.component()).max(written_at(module));
    Ok(written_at(&workspace.page().join("index.html")) > sources.max(built))
}

/// Builds the crate `browser` as a module; returns where it is.
fn build_module(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let flags = [("CARGO_ENCODED_RUSTFLAGS", component::neutral_paths(workspace)?.join("\x1f"))];
    cargo::build(workspace, &["--package=browser", "--lib", "--profile=browser", "--target", TARGET], &flags)?;
    Ok(workspace.target.join(TARGET).join("browser/browser.wasm"))
}

/// Writes the module as a browser loads it, with the JavaScript around it.
fn bind(module: &Path, generated: &Path) -> anyhow::Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).typescript(true).remove_name_section(true).remove_producers_section(true);
    bindgen.web(true)?.generate(generated).with_context(|| format!("cannot generate the JavaScript for {}", module.display()))
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let shown = format!("{command:?}");
    let status = command.status().with_context(|| format!("cannot start {shown}"))?;
    ensure!(status.success(), "{shown} failed");
    Ok(())
}

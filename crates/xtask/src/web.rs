//! Builds the playground: the modules of the crate `browser`, the component for the browser, and the page around them.
//!
//! Docs: `web/package.json`. The component comes from `component.rs`; what becomes of it for JavaScript is done by `web/build/controllers.mjs`.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};
use wasm_bindgen_cli_support::Bindgen;

use crate::component::{self, TARGET};
use crate::workspace::{Workspace, say, written_at};
use crate::{cargo, order};

/// The oldest Node on which all tools of the page run.
const NODE: u32 = 20;

/// The modules of the crate `browser`; the page loads those after the first when they are wanted.
const MODULES: [&str; 3] = ["cluster", "recording", "yaml"];

/// The files that run below the page from the first moment on.
const BELOW: [&str; 4] = ["cluster.js", "cluster_bg.wasm", "controllers.js", "controllers.core.wasm"];

/// Builds the page into `target/web`.
pub(crate) fn build(workspace: &Workspace) -> anyhow::Result<()> {
    require_node()?;
    component::build(workspace)?;
    let (web, generated) = (workspace.web(), workspace.generated());
    install(&web)?;
    modules(workspace, &generated)?;
    let mut script = Command::new("node");
    script.arg("build/controllers.mjs").arg(workspace.component()).arg(&generated).arg(env!("CARGO_PKG_VERSION"));
    run(script.current_dir(&web))?;
    measure(&generated)?;
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
    say("installing the tools of the page");
    run(Command::new("npm").args(["ci", "--silent"]).current_dir(web))
}

/// The modules of the crate `browser`, with the JavaScript around them.
fn modules(workspace: &Workspace, generated: &Path) -> anyhow::Result<()> {
    let flags = [("CARGO_ENCODED_RUSTFLAGS", component::neutral_paths(workspace)?.join("\x1f"))];
    cargo::build(workspace, &["--package=browser", "--bins", "--profile=browser", "--target", TARGET], &flags)?;
    for name in MODULES {
        let module = workspace.target.join(TARGET).join("browser").join(name).with_extension("wasm");
        let mut bindgen = Bindgen::new();
        bindgen.input_path(&module).out_name(name).typescript(true).remove_name_section(true).remove_producers_section(true);
        bindgen.web(true)?.generate(generated).with_context(|| format!("no JavaScript comes of {}", module.display()))?;
        let bound = generated.join(format!("{name}_bg.wasm"));
        let ordered = order::ordered(&fs::read(&bound)?).with_context(|| format!("{} is not what it is to be", bound.display()))?;
        fs::write(&bound, ordered).with_context(|| format!("{} cannot be written", bound.display()))?;
    }
    Ok(())
}

/// Tells how large the files below the page are.
fn measure(generated: &Path) -> anyhow::Result<()> {
    let mut all = 0;
    let mut sizes = Vec::new();
    for name in BELOW {
        let size = component::gzip(&fs::read(generated.join(name))?)?.len();
        all += size;
        sizes.push(format!("{name} {size}"));
    }
    say(&format!("below the page: {all} bytes after gzip: {}", sizes.join(", ")));
    Ok(())
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let told = format!("{command:?}");
    let status = command.status().with_context(|| format!("{told} does not start"))?;
    ensure!(status.success(), "{told} failed");
    Ok(())
}

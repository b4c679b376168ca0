//! Builds the playground: the modules of the crate `browser`, the component for the browser, and the page around them.
//!
//! Docs: `web/package.json`. The component comes from `component.rs`; what becomes of it for JavaScript is done by `web/build/controllers.mjs`.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};
use wasm_bindgen_cli_support::Bindgen;

use crate::component;
use crate::rust::{self, TARGET};
use crate::workspace::{Workspace, say, written_at};
use crate::{cargo, order, pack};

/// The oldest Node on which all tools of the page run.
const NODE: u32 = 20;

/// The modules of the crate `browser`; the page loads those after the first when they are wanted.
const MODULES: [&str; 3] = ["cluster", "recording", "yaml"];

/// Has the standard library compiled anew, for size, and panics be traps: what a panic would say is a fifteenth of what is loaded. A session says it
/// again in the program, where it is the same.
const SMALL: [&str; 5] = [
    "-Zbuild-std=std",
    "-Zbuild-std-features=optimize_for_size",
    "-Zpanic-immediate-abort",
    "--config",
    "profile.browser.panic=\"immediate-abort\"",
];

/// How the names of the files begin that are loaded before anything is seen, and at most how many bytes they may have together after gzip.
const FIRST: [&str; 6] =
    ["index.html", "assets/index-", "assets/page-", "assets/worker-", "assets/cluster_bg-", "assets/controllers.core-"];
const LIMIT: usize = 450_000;

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
    let folder = format!("--outDir={}", workspace.page().display());
    run(Command::new("npm").args(["run", "--silent", "--if-present", "build", "--", &folder, "--emptyOutDir"]).current_dir(&web))?;
    measure(&workspace.page())
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
    let arguments = ["--package=browser", "--bins", "--profile=browser", "--target", TARGET];
    let neutral = component::neutral_paths(workspace)?.join("\x1f");
    // What only nightly releases do else, this one does if it is told so.
    let environment = [("CARGO_ENCODED_RUSTFLAGS", format!("{neutral}\x1f-Zlocation-detail=none")), ("RUSTC_BOOTSTRAP", "1".to_owned())];
    let small = rust::add_source().and_then(|()| cargo::build(workspace, &[&arguments[..], &SMALL].concat(), &environment));
    if let Err(error) = small {
        say(&format!("{error:#}: the page takes the standard library as it is, and becomes a twentieth larger"));
        cargo::build(workspace, &arguments, &[("CARGO_ENCODED_RUSTFLAGS", neutral)])?;
    }
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

/// Tells how large the first load is, if it is not too large.
fn measure(page: &Path) -> anyhow::Result<()> {
    let mut all = 0;
    let mut sizes = Vec::new();
    for path in pack::files(page)? {
        let name = path.strip_prefix(page)?.display().to_string();
        if FIRST.iter().any(|first| name.starts_with(first)) {
            let size = component::gzip(&fs::read(&path)?)?.len();
            all += size;
            sizes.push(format!("{name} {size}"));
        }
    }
    ensure!(all <= LIMIT, "the first load of the page has {all} bytes after gzip; {LIMIT} are allowed: {}", sizes.join(", "));
    say(&format!("the first load of the page: {all} bytes after gzip: {}", sizes.join(", ")));
    Ok(())
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let told = format!("{command:?}");
    let status = command.status().with_context(|| format!("{told} does not start"))?;
    ensure!(status.success(), "{told} failed");
    Ok(())
}

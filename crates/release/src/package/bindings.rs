//! The packages of the bindings, each built by the tools of its own language.
//!
//! Docs: `host/bindings/README.md`; PyPA, "The wheel format"; npm, "npm-pack"; Maven, "POM Reference"; Go, "Go Modules Reference".

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

use super::{Make, Packages, run_tool};
use crate::sources::{files, newest};
use crate::workspace::{Workspace, written_at};

/// The largest package for npm, in bytes: pages load what is in it.
const NPM_LIMIT: u64 = 570_000;

/// What each binding carries and Git ignores: the component, the bill of what is in it, its licence, and the licences of its parts.
const CARRIED: [[&str; 4]; 4] = [
    ["go/controllers.wasm", "go/controllers.cdx.json", "go/LICENSE", "go/THIRD-PARTY-LICENSES"],
    [
        "java/src/main/resources/dev/jobsmith/controllers.wasm",
        "java/src/main/resources/META-INF/controllers.cdx.json",
        "java/src/main/resources/META-INF/LICENSE",
        "java/src/main/resources/META-INF/THIRD-PARTY-LICENSES",
    ],
    ["node/controllers.wasm", "node/controllers.cdx.json", "node/LICENSE", "node/THIRD-PARTY-LICENSES"],
    ["python/jobsmith/controllers.wasm", "python/jobsmith/controllers.cdx.json", "python/LICENSE", "python/THIRD-PARTY-LICENSES"],
];

/// Builds the packages that tests install, in a folder of their own, where a source is newer than the package.
pub(crate) fn for_tests(workspace: &Workspace) -> anyhow::Result<()> {
    const PARTS: [(&str, Make); 4] = [("go", go), ("java", java), ("node", node), ("python", python)];
    let packages = Packages::new(workspace, workspace.test_packages())?;
    fs::create_dir_all(&packages.folder)?;
    super::component_files(&packages)?;
    for (language, make) in PARTS {
        if !up_to_date(&packages, language)? {
            make(&packages)?;
        }
    }
    Ok(())
}

/// Copies what each binding carries to where it looks for it.
pub(super) fn complete(packages: &Packages) -> anyhow::Result<()> {
    let licence = fs::read(packages.workspace.root.join("LICENSE"))?;
    let bill = serde_json::to_vec(&packages.bill)?;
    for places in CARRIED {
        for (place, content) in places.into_iter().zip([&*packages.component, &bill, &licence, packages.notices.as_bytes()]) {
            let path = packages.workspace.bindings().join(place);
            if fs::read(&path).is_ok_and(|before| before == content) {
                continue;
            }
            fs::create_dir_all(path.parent().expect("it lies in a folder"))?;
            fs::write(&path, content).with_context(|| format!("{} cannot be written", path.display()))?;
        }
    }
    Ok(())
}

pub(super) fn python(packages: &Packages) -> anyhow::Result<()> {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--wheel-dir"]).arg(&packages.folder);
    run_tool(pip.arg(source(packages.workspace, "python")), "Python 3.10 with pip")
}

pub(super) fn node(packages: &Packages) -> anyhow::Result<()> {
    let folder = source(packages.workspace, "node");
    // npm prints the name of what it packed.
    let npm =
        |arguments: &[&str]| run_tool(Command::new("npm").args(arguments).current_dir(&folder).stdout(Stdio::null()), "Node 20 with npm");
    npm(&["ci", "--silent"])?;
    npm(&["run", "--silent", "build"])?;
    npm(&["pack", "--silent", "--pack-destination", &packages.folder.to_string_lossy()])?;
    let size = fs::metadata(package(packages, "node"))?.len();
    ensure!(size <= NPM_LIMIT, "the package for npm is {size} bytes; the limit is {NPM_LIMIT}");
    Ok(())
}

pub(super) fn java(packages: &Packages) -> anyhow::Result<()> {
    let folder = source(packages.workspace, "java");
    run_tool(
        Command::new("mvn").args(["-q", "-B", "-Dstyle.color=never", "clean", "package", "-DskipTests"]).current_dir(&folder),
        "Java 17 with Maven",
    )?;
    let jar = package(packages, "java");
    fs::copy(folder.join("target").join(jar.file_name().expect("it is a file")), &jar)?;
    fs::copy(folder.join("pom.xml"), jar.with_extension("pom"))?;
    Ok(())
}

/// A Go module is its folder.
pub(super) fn go(packages: &Packages) -> anyhow::Result<()> {
    let (from, to) = (source(packages.workspace, "go"), package(packages, "go"));
    if to.exists() {
        fs::remove_dir_all(&to)?;
    }
    for file in files(&from)?.iter().filter(|file| file.file_name().is_none_or(|name| name != ".gitignore")) {
        let path = to.join(file.strip_prefix(&from)?);
        fs::create_dir_all(path.parent().expect("it lies in a folder"))?;
        fs::copy(file, path)?;
    }
    Ok(())
}

/// The sources of a binding.
fn source(workspace: &Workspace, language: &str) -> PathBuf {
    workspace.bindings().join(language)
}

/// The package of a binding.
fn package(packages: &Packages, language: &str) -> PathBuf {
    packages.folder.join(match language {
        "python" => format!("jobsmith-{}-py3-none-any.whl", packages.version),
        "node" => format!("jobsmith-controllers-{}.tgz", packages.version),
        "java" => format!("controllers-{}.jar", packages.version),
        folder => folder.to_owned(),
    })
}

fn up_to_date(packages: &Packages, language: &str) -> anyhow::Result<bool> {
    let package = package(packages, language);
    Ok(written_at(&package) > newest(&source(packages.workspace, language))?)
}

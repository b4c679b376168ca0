//! Where things are, and how progress is printed.
//!
//! Docs: `README.md`. What is built into these places is in `component.rs` and `program.rs`.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context as _;

/// The places of one checkout.
pub(crate) struct Workspace {
    /// The folder with the workspace's `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// Cargo's target directory, which may lie elsewhere.
    pub(crate) target: PathBuf,
}

impl Workspace {
    /// The checkout that this program was started from.
    pub(crate) fn current() -> anyhow::Result<Self> {
        let package = std::env::var_os("CARGO_MANIFEST_DIR").context("this is to be started as `cargo xtask`")?;
        let root = Path::new(&package).ancestors().nth(2).context("xtask lies two folders below the workspace")?;
        let program = std::env::current_exe().context("the path of this program")?;
        let target = program.ancestors().nth(2).context("Cargo puts programs two folders below its target directory")?;
        Ok(Self { root: root.to_owned(), target: target.to_owned() })
    }

    /// The component, where the host's `include_bytes!` looks for it.
    pub(crate) fn component(&self) -> PathBuf {
        self.root.join("target/component/controllers.wasm")
    }

    /// The same, compiled for this kind of machine.
    pub(crate) fn precompiled(&self) -> PathBuf {
        self.component().with_extension("cwasm")
    }

    /// The playground's page, packed where the host's `include_bytes!` looks for it; empty if it was not built.
    pub(crate) fn pack(&self) -> PathBuf {
        self.component().with_file_name("page.pack")
    }

    /// The playground's page, built.
    pub(crate) fn page(&self) -> PathBuf {
        self.root.join("target/web")
    }

    /// The sources of the playground's page.
    pub(crate) fn web(&self) -> PathBuf {
        self.root.join("web")
    }

    /// The bindings of other languages.
    pub(crate) fn bindings(&self) -> PathBuf {
        self.root.join("host/bindings")
    }

    /// The packages that are made of all of it.
    pub(crate) fn packages(&self) -> PathBuf {
        self.root.join("target/packages")
    }

    /// Those that tests install.
    pub(crate) fn test_packages(&self) -> PathBuf {
        self.root.join("target/bindings/packages")
    }

    /// What the page imports that is generated.
    pub(crate) fn generated(&self) -> PathBuf {
        self.web().join("src/generated")
    }

    /// The programs of `tests/upstream`, built around the code of one version of Kubernetes.
    pub(crate) fn upstream(&self, kubernetes: &str) -> PathBuf {
        self.root.join("target/upstream").join(kubernetes)
    }

    /// A program that was built.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.target.join("release").join(name)
    }
}

/// Prints a line on standard error, beside the output of the programs that are started.
#[expect(clippy::print_stderr, reason = "the one place that does")]
pub(crate) fn print_line(message: &str) {
    eprintln!("{message}");
}

/// When a file was last written; `None` if it is not there.
pub(crate) fn written_at(file: &Path) -> Option<SystemTime> {
    file.metadata().and_then(|metadata| metadata.modified()).ok()
}

//! Where things are, and how progress is printed.
//!
//! Docs: `README.md`. What is built into these places is in `component.rs` and `program.rs`.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context as _;

/// How programs are compiled: the profiles in the workspace's `Cargo.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// For every day: compiled in minutes.
    Release,
    /// What is shipped and measured: as fast as it gets.
    Dist,
}

impl Profile {
    /// Its name in `Cargo.toml`, and of its folder in the target directory.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Dist => "dist",
        }
    }
}

/// The places of one checkout.
pub struct Workspace {
    /// The folder with the workspace's `Cargo.toml`.
    pub root: PathBuf,
    /// Cargo's target directory, which may lie elsewhere.
    pub target: PathBuf,
}

impl Workspace {
    /// The checkout that this program was started from.
    pub fn current() -> anyhow::Result<Self> {
        let package = std::env::var_os("CARGO_MANIFEST_DIR").context("start this as `cargo xtask`")?;
        let root = Path::new(&package).ancestors().nth(2).context("xtask lies two folders below the workspace")?;
        let program = std::env::current_exe().context("the path of this program")?;
        let target = program.ancestors().nth(2).context("Cargo puts programs two folders below its target directory")?;
        Ok(Self { root: root.to_owned(), target: target.to_owned() })
    }

    /// The component, where the host's `include_bytes!` looks for it.
    pub fn component(&self) -> PathBuf {
        self.root.join("target/component/controllers.wasm")
    }

    /// The same, compiled for this kind of machine.
    pub fn precompiled(&self) -> PathBuf {
        self.component().with_extension("cwasm")
    }

    /// The playground's page, packed where the host's `include_bytes!` looks for it; empty if it was not built.
    pub fn pack(&self) -> PathBuf {
        self.component().with_file_name("page.pack")
    }

    /// The playground's page, built.
    pub fn page(&self) -> PathBuf {
        self.root.join("target/web")
    }

    /// The sources of the playground's page.
    pub fn web(&self) -> PathBuf {
        self.root.join("web")
    }

    /// The bindings of other languages.
    pub fn bindings(&self) -> PathBuf {
        self.root.join("host/bindings")
    }

    /// The packages that are made of all of it.
    pub fn packages(&self) -> PathBuf {
        self.root.join("target/packages")
    }

    /// Those that tests install.
    pub fn test_packages(&self) -> PathBuf {
        self.root.join("target/bindings/packages")
    }

    /// What the page imports that is generated.
    pub fn generated(&self) -> PathBuf {
        self.web().join("src/generated")
    }

    /// The programs of `tests/upstream`, built around the code of one version of Kubernetes.
    pub fn upstream(&self, kubernetes: &str) -> PathBuf {
        self.root.join("target/upstream").join(kubernetes)
    }

    /// A program that was built.
    #[must_use]
    pub fn program(&self, profile: Profile, name: &str) -> PathBuf {
        self.target.join(profile.name()).join(name)
    }
}

/// Prints a line on standard error, beside the output of the programs that are started.
#[expect(clippy::print_stderr, reason = "the one place that does")]
pub fn print_line(message: &str) {
    eprintln!("{message}");
}

/// When a file was last written; `None` if it is not there.
pub fn written_at(file: &Path) -> Option<SystemTime> {
    file.metadata().and_then(|metadata| metadata.modified()).ok()
}

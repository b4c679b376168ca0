//! Manifests as they are given on the command line: read, checked and, where something is wrong, shown with its place.
//!
//! Docs: Jobs, "Writing a Job spec". YAML and positions are the business of the crate `manifest`, what the API server refuses that of `api`.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use api::Text;
use api::request::ApiError;
use jobsmith::scenario;
use manifest::{Diagnostic, Manifest, Severity};

use super::output;

/// A file that was read.
pub(crate) struct Source {
    /// Its name, as it was given.
    pub(crate) name: String,
    /// Its text.
    pub(crate) text: String,
}

/// A Job to be run.
pub(crate) struct Input {
    /// Which of the sources it comes from.
    pub(crate) source: usize,
    /// Its manifest.
    pub(crate) manifest: Manifest,
}

/// The files of a command line and the Jobs in them.
pub(crate) struct Inputs {
    /// The files.
    pub(crate) sources: Vec<Source>,
    /// The Jobs, in order.
    pub(crate) jobs: Vec<Input>,
}

/// Something is wrong with the input, and was said.
#[derive(Debug)]
pub(crate) struct BadInput;

impl Source {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &Path) -> Result<Self, BadInput> {
        let (name, bytes) = if path == Path::new("-") {
            let mut bytes = Vec::new();
            ("standard input".to_owned(), std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes))
        } else {
            (path.display().to_string(), std::fs::read(path))
        };
        let read = bytes.map_err(|error| error.to_string());
        match read.and_then(|bytes| String::from_utf8(bytes).map_err(|error| format!("it is no text: {error}"))) {
            Ok(text) => Ok(Self { name, text }),
            Err(reason) => {
                output::error(&format!("{name} cannot be read: {reason}"));
                Err(BadInput)
            }
        }
    }

    /// Shows what is wrong with the file.
    pub(crate) fn complain(&self, diagnostics: &[Diagnostic]) {
        output::complain(&manifest::render(diagnostics, &self.name, &self.text, output::colour()));
    }
}

impl Inputs {
    /// Reads all Jobs of all files. What is wrong with any of them is shown.
    pub(crate) fn read(paths: &[PathBuf]) -> Result<Self, BadInput> {
        let mut inputs = Self { sources: Vec::new(), jobs: Vec::new() };
        let mut bad = false;
        for path in paths {
            let Ok(source) = Source::read(path) else {
                bad = true;
                continue;
            };
            match manifest::jobs(&source.text) {
                Ok(manifests) => {
                    let source = inputs.sources.len();
                    inputs.jobs.extend(manifests.into_iter().map(|manifest| Input { source, manifest }));
                }
                Err(diagnostics) => {
                    source.complain(&diagnostics);
                    bad = true;
                }
            }
            inputs.sources.push(source);
        }
        if bad { Err(BadInput) } else { Ok(inputs) }
    }

    /// The Jobs as the API server is given them.
    pub(crate) fn manifests(&self) -> Vec<Text> {
        self.jobs.iter().map(|input| input.manifest.document.value().to_string().into()).collect()
    }

    /// Shows why the API server refuses one of the Jobs.
    pub(crate) fn refuse(&self, job: usize, error: &ApiError) {
        if let Some(Input { source, manifest }) = self.jobs.get(job) {
            self.sources[*source].complain(&scenario::refusals(manifest, error));
        }
    }

    /// Shows something that one of the Jobs asks for and does not get, or that is wrong with it; `path` is that of the field.
    pub(crate) fn complain(&self, job: usize, severity: Severity, path: &str, message: &str, remedy: Option<&str>) {
        let Some(Input { source, manifest }) = self.jobs.get(job) else { return };
        let located = manifest::locate(&manifest.document, path, message);
        let remedy = remedy.map(str::to_owned).or(located.remedy);
        self.sources[*source].complain(&[Diagnostic { severity, remedy, ..located }]);
    }

    /// The line of a field in the manifest of the Job of this name, if the field itself stands there.
    pub(crate) fn line(&self, job: &str, field: &str) -> Option<usize> {
        let named = |input: &&Input| input.manifest.document.value()["metadata"]["name"] == job;
        let document = &self.jobs.iter().find(named)?.manifest.document;
        let written = field.split('.').try_fold(document.value(), |value, name| value.get(name)).is_some();
        written.then(|| document.position(field).line)
    }
}

//! Manifests as they are given on the command line: read, checked and, where something is wrong, shown with its place.
//!
//! Docs: Jobs, "Writing a Job spec". YAML and positions are the business of the crate `manifest`, what the API server refuses that of `admission`.

use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use advice::{AdviceRule, ObjectSet, Origin};
use api::{DEFAULT_NAMESPACE, Text, Timestamp};
use contract::ObjectRef;
use manifest::{Diagnostic, Document, FileReading, ManifestObject, PodOfOthers};
use script::ObjectName;

use super::output;

/// A duration that was given as an option and may begin with days, as in `30d` and `1d12h`.
pub(crate) fn long_duration(text: &str) -> Result<std::time::Duration, String> {
    let length = api::duration::parse_with_days(text).and_then(|length| length.try_into().ok());
    length.ok_or_else(|| with_unit(text, api::duration::GRAMMAR_WITH_DAYS))
}

/// The name of a Job in the input, with its namespace or without.
pub(crate) fn job_name(text: &str) -> Result<ObjectName, String> {
    ObjectName::parse(text.strip_prefix("job/").unwrap_or(text)).ok_or_else(|| "write NAME or NAMESPACE/NAME".to_owned())
}

/// How to write a text that is not a length of time: a number in seconds, all else by the grammar.
pub(crate) fn with_unit(text: &str, grammar: &str) -> String {
    match text.parse::<u64>() {
        Ok(number) => format!("add the unit: \"{number}s\""),
        Err(_) => grammar.to_owned(),
    }
}

/// A file that was read.
pub(crate) struct InputFile {
    /// Its name, as it was given.
    pub(crate) name: String,
    /// Its text.
    pub(crate) text: String,
}

/// An object of a file.
pub(crate) struct Input<T> {
    /// Which of the sources it comes from.
    pub(crate) source: usize,
    /// What was read.
    pub(crate) object: T,
}

/// The files of a command line and the objects in them: manifests of CronJobs and Jobs, or also pods that a cluster has of them.
pub(crate) struct Inputs<T> {
    /// The files.
    pub(crate) sources: Vec<InputFile>,
    /// The objects, in order.
    pub(crate) objects: Vec<Input<T>>,
    /// The pods that were left out, because they are of no Job among the objects.
    pub(crate) others: Vec<Input<PodOfOthers>>,
}

/// Something is wrong with the input, and was printed.
#[derive(Debug)]
pub(crate) struct BadInput;

/// Why a file was not read.
pub(crate) enum UnreadFile {
    /// It cannot be read at all: what is wrong, and what to do.
    Missing(String),
    /// It is not text: what could be read of it, and where that ends.
    NotText(InputFile, Box<Diagnostic>),
}

impl UnreadFile {
    /// Prints why; `place` is where the file is named, if it is in another one.
    pub(crate) fn complain(self, place: &str) {
        match self {
            Self::Missing(reason) => output::error(&format!("{place}{reason}")),
            Self::NotText(file, problem) => file.complain(&[*problem]),
        }
    }
}

impl InputFile {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &Path) -> Result<Self, BadInput> {
        Self::load(path).map_err(|unread| {
            unread.complain("");
            BadInput
        })
    }

    /// The same without printing what is wrong.
    pub(crate) fn load(path: &Path) -> Result<Self, UnreadFile> {
        let (name, bytes) = if path == Path::new("-") {
            let mut bytes = Vec::new();
            ("standard input".to_owned(), io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes))
        } else {
            (path.display().to_string(), std::fs::read(path))
        };
        let bytes = bytes.map_err(|error| {
            #[expect(clippy::wildcard_enum_match_arm, reason = "there are forty of them, and more to come")]
            let remedy = match error.kind() {
                ErrorKind::NotFound => "check the name",
                ErrorKind::IsADirectory => "pass the files in it",
                ErrorKind::PermissionDenied => "give this user permission to read it",
                _ => "pass a file that can be read",
            };
            UnreadFile::Missing(format!("cannot read {name}: {error}; {remedy}"))
        })?;
        if let Some(text) = utf16(&bytes) {
            return Ok(Self { name, text });
        }
        if let Some(text) = unmarked_utf16(&bytes) {
            let remedy = "save the file as UTF-8".to_owned();
            let problem = Diagnostic::at_letter(1, 1, "this is UTF-16 without a byte order mark".to_owned(), remedy);
            return Err(UnreadFile::NotText(Self { name, text }, Box::new(problem)));
        }
        String::from_utf8(bytes).map(|text| Self { name: name.clone(), text }).map_err(|error| Self::refuse_bytes(name, &error))
    }

    /// The same file by a name that begins with no `./`: what shows annotations compares it with names in the repository.
    pub(crate) fn without_dot(self) -> Self {
        let name = self.name.strip_prefix("./").unwrap_or(&self.name).to_owned();
        Self { name, ..self }
    }

    /// Puts another text in the place of the file at once, so that an interruption or a full disk leaves it as it was. Its permissions stay, and so do
    /// links to it.
    ///
    /// # Errors
    /// If that is not possible, or the file is not in UTF-8.
    pub(crate) fn replace(&self, path: &Path, text: &str) -> io::Result<()> {
        let path = path.canonicalize()?;
        if utf16(&std::fs::read(&path)?).is_some() {
            return Err(io::Error::other("it is in UTF-16: save it as UTF-8 first"));
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let beside = path.with_file_name(name);
        let written = std::fs::write(&beside, text)
            .and_then(|()| std::fs::set_permissions(&beside, std::fs::metadata(&path)?.permissions()))
            .and_then(|()| std::fs::rename(&beside, &path));
        if written.is_err() {
            let _ = std::fs::remove_file(&beside);
        }
        written
    }

    /// Where a file stops being text.
    fn refuse_bytes(name: String, error: &FromUtf8Error) -> UnreadFile {
        let source = Self { name, text: String::from_utf8_lossy(error.as_bytes()).into_owned() };
        let before = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
        let (lines, last) = (before.matches('\n').count(), before.rsplit('\n').next().unwrap_or_default());
        let (column, remedy) = (last.chars().count() + 1, "save the file as UTF-8".to_owned());
        UnreadFile::NotText(source, Box::new(Diagnostic::at_letter(lines + 1, column, "this is not valid UTF-8".to_owned(), remedy)))
    }

    /// Shows what is wrong with the file, with an empty line behind each part of it.
    pub(crate) fn complain(&self, diagnostics: &[Diagnostic]) {
        if diagnostics.is_empty() {
            return;
        }
        output::complain(&(manifest::render(diagnostics, &self.name, &self.text, output::colour(&io::stderr())) + "\n"));
    }
}

impl<T> Inputs<T> {
    /// Reads all objects of all files. What is wrong with any of them is shown.
    pub(crate) fn read(paths: &[PathBuf], read: impl Fn(&str) -> Result<Vec<T>, Vec<Diagnostic>>) -> Result<Self, BadInput> {
        Self::of(paths.iter().map(|path| InputFile::read(path)), read)
    }

    /// Reads all objects of texts, some of which may be missing because their files could not be read.
    pub(crate) fn of(
        texts: impl IntoIterator<Item = Result<InputFile, BadInput>>,
        read: impl Fn(&str) -> Result<Vec<T>, Vec<Diagnostic>>,
    ) -> Result<Self, BadInput> {
        let mut inputs = Self { sources: Vec::new(), objects: Vec::new(), others: Vec::new() };
        let mut bad = false;
        for source in texts {
            let Ok(source) = source else {
                bad = true;
                continue;
            };
            match read(&source.text) {
                Ok(objects) => {
                    let source = inputs.sources.len();
                    inputs.objects.extend(objects.into_iter().map(|object| Input { source, object }));
                }
                Err(diagnostics) => {
                    source.complain(&check::with_refusals(&FileReading::of(&source.text), diagnostics));
                    bad = true;
                }
            }
            inputs.sources.push(source);
        }
        if bad { Err(BadInput) } else { Ok(inputs) }
    }

    /// Shows what is wrong with one of the objects, in the order of the places.
    pub(crate) fn complain(&self, object: usize, mut diagnostics: Vec<Diagnostic>) {
        diagnostics.sort_by_key(|diagnostic| (diagnostic.position.line, diagnostic.position.column));
        if let Some(Input { source, .. }) = self.objects.get(object) {
            self.sources[*source].complain(&diagnostics);
        }
    }
}

impl Inputs<ManifestObject> {
    /// Shows what the API server refuses of all objects; `found` is what it refused of one of them.
    pub(crate) fn complain_of_all(&self, object: usize, found: Vec<Diagnostic>) {
        for (at, source) in self.sources.iter().enumerate() {
            let of_source = self.objects.get(object).filter(|input| input.source == at).map(|_| found.clone()).unwrap_or_default();
            source.complain(&check::with_refusals(&FileReading::of(&source.text), of_source));
        }
    }

    /// Leaves out the pods that are of no Job among the objects; shows what they are if there is nothing else.
    pub(crate) fn leave_out_pods_of_others(&mut self) -> Result<(), BadInput> {
        let others = manifest::pods_of_others(&self.objects.iter().map(|input| &input.object).collect::<Vec<_>>());
        for (input, pod) in std::mem::take(&mut self.objects).into_iter().zip(others) {
            match pod {
                Some(object) => self.others.push(Input { source: input.source, object }),
                None => self.objects.push(input),
            }
        }
        let pods: Vec<&PodOfOthers> = self.others.iter().map(|input| &input.object).collect();
        let Some(error) = manifest::only_pods_of_others(&pods).filter(|_| self.objects.is_empty()) else { return Ok(()) };
        self.sources[self.others[0].source].complain(&[error]);
        Err(BadInput)
    }

    /// The objects as the API server is given them, or has them.
    pub(crate) fn texts(&self) -> Vec<Text> {
        self.objects.iter().map(|input| input.object.document().value().to_string().into()).collect()
    }

    /// When the last thing happened by what was `recorded`, objects and Events, and by the pods that were left out, or the beginning of virtual time.
    pub(crate) fn last_moment(&self, recorded: &[Text]) -> Timestamp {
        let others = self.others.iter().map(|input| input.object.document.value().to_string().into());
        play::beginning(&recorded.iter().cloned().chain(others).collect::<Vec<_>>())
    }

    /// The Events among the sources, which are read for them once more.
    pub(crate) fn events(&self) -> Vec<Text> {
        self.sources.iter().flat_map(|source| manifest::events(&source.text)).map(|event| event.to_string().into()).collect()
    }

    /// The line of a field in the manifest of an object, if the field itself stands there.
    pub(crate) fn line(&self, object: &ObjectRef, field: &str) -> Option<usize> {
        let named = |document: &&Document| {
            let (kind, metadata) = (&document.value()["kind"], &document.value()["metadata"]);
            let namespace = metadata["namespace"].as_str().unwrap_or(DEFAULT_NAMESPACE);
            (kind, &metadata["name"], namespace) == (&(*object.kind).into(), &(*object.name).into(), &*object.namespace)
        };
        let document = self.objects.iter().map(|input| input.object.document()).find(named)?;
        document.get(field).map(|_| document.position(field).line)
    }

    /// Warns about schedules that have no run after a time, about limits without effect and selectors that overlap, about Jobs that are
    /// missing and counted, and about objects that are not played.
    pub(crate) fn warn(&self, after: Timestamp) {
        let set = ObjectSet::new(self.objects.iter().map(|input| (&input.object, Origin::File)), [], after);
        for (at, warning) in set.findings(&(0..self.objects.len()), AdviceRule::is_mistake) {
            self.complain(at, vec![warning]);
        }
        for (at, source) in self.sources.iter().enumerate() {
            let objects: Vec<&ManifestObject> = self.objects.iter().filter(|input| input.source == at).map(|input| &input.object).collect();
            let others: Vec<&PodOfOthers> = self.others.iter().filter(|input| input.source == at).map(|input| &input.object).collect();
            let passed_over = manifest::passed_over(&FileReading::of(&source.text), &others);
            let found: Vec<Diagnostic> = manifest::missing(&objects).into_iter().chain(passed_over).collect();
            if !found.is_empty() {
                source.complain(&found);
            }
        }
    }
}

/// The text in UTF-16, as PowerShell's `>` writes it: with a byte order mark.
fn utf16(bytes: &[u8]) -> Option<String> {
    match bytes {
        [0xff, 0xfe, text @ ..] => decoded_utf16(text, u16::from_le_bytes),
        [0xfe, 0xff, text @ ..] => decoded_utf16(text, u16::from_be_bytes),
        _ => None,
    }
}

/// The text in UTF-16 without a byte order mark, which begins with letters of ASCII, as manifests do.
fn unmarked_utf16(bytes: &[u8]) -> Option<String> {
    match bytes {
        [1..=0x7f, 0, 1..=0x7f, 0, ..] => decoded_utf16(bytes, u16::from_le_bytes),
        [0, 1..=0x7f, 0, 1..=0x7f, ..] => decoded_utf16(bytes, u16::from_be_bytes),
        _ => None,
    }
}

fn decoded_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, []) = bytes.as_chunks() else { return None };
    String::from_utf16(&pairs.iter().copied().map(unit).collect::<Vec<_>>()).ok()
}

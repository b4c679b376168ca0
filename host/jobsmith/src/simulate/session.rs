//! What is given to `jobsmith simulate`: manifests; sessions of the playground and claims of scenario files, which have manifests and a script.
//!
//! Docs: `web/src/session.ts` is the form of a session, and `tests/scenarios/README.md` that of a scenario file, which `../test/mod.rs` tests. Links hold the same: `host/jobsmith/src/playground/link.rs`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use api::Duration;
use manifest::ManifestObject;
use play::scenario::{FencedBlock, Scenario};
use script::Script;
use serde::Deserialize;
use serde_json::Value;

use super::super::input::{BadInput, InputFile, Inputs};
use super::super::output;
use super::super::scenario_file::{ScenarioFile, has_words, load_manifest};
use super::{Arguments, parse, read_script};

/// The version of the form that this program knows.
const VERSION: u64 = 1;

/// The parts of a saved session that are played.
#[derive(Deserialize)]
struct Saved {
    version: u64,
    manifest: String,
    script: String,
    /// How far its CronJobs were played, in milliseconds since the beginning.
    until: Option<i64>,
    /// Whether there is another session beside it.
    #[serde(default)]
    beside: Value,
}

/// What is played.
pub(super) struct SessionInput {
    pub(super) inputs: Inputs<ManifestObject>,
    /// Where each source of the inputs is, if it is a file with nothing but manifests.
    pub(super) paths: Vec<Option<PathBuf>>,
    pub(super) script: Script,
    /// How far sessions were played that have CronJobs.
    pub(super) until: Option<Duration>,
    /// The claim that was chosen of a scenario file.
    pub(super) claim: Option<String>,
}

/// What is read of files, one after the other.
#[derive(Default)]
struct Reading {
    texts: Vec<Result<InputFile, BadInput>>,
    paths: Vec<Option<PathBuf>>,
    scripts: Vec<InputFile>,
    until: Option<Duration>,
    claim: Option<String>,
}

/// Reads all objects of manifests, sessions and scenarios, and what happens to them: rules of the command line come before the others.
pub(super) fn read(arguments: &Arguments) -> Result<SessionInput, BadInput> {
    let mut reading = Reading::default();
    for path in arguments.files() {
        let read = match path.extension().and_then(OsStr::to_str) {
            Some("md") => reading.scenario(path, arguments.claim.as_deref()),
            Some("jobsmith") => reading.session(path),
            _ => {
                reading.add(InputFile::read(path), Some(path.clone()).filter(|path| path.as_os_str() != "-"));
                Ok(())
            }
        };
        if let Err(bad) = read {
            reading.add(Err(bad), None);
        }
    }
    let Reading { texts, paths, scripts, until, claim } = reading;
    let mut inputs = Inputs::of(texts, manifest::objects)?;
    inputs.leave_out_pods_of_others()?;
    let mut script = read_script("--script", &arguments.script, arguments.script_file.as_deref())?;
    script.append(parse(scripts)?);
    Ok(SessionInput { inputs, paths, script, until, claim })
}

impl Reading {
    fn add(&mut self, text: Result<InputFile, BadInput>, path: Option<PathBuf>) {
        self.texts.push(text);
        self.paths.push(path);
    }

    /// Reads a session of the playground; the longest one counts.
    fn session(&mut self, path: &Path) -> Result<(), BadInput> {
        let source = InputFile::read(path)?;
        let Saved { manifest, script, until, beside, .. } = saved(&source.text).map_err(|message| {
            output::error(&format!("{}: {message}", source.name));
            BadInput
        })?;
        if !beside.is_null() {
            output::complain(&format!("note: {} compares two sessions; this simulates the one that was selected\n", source.name));
        }
        self.until = self.until.max(until.map(Duration::from_millis));
        self.scripts.push(InputFile { name: format!("{} (script)", source.name), text: script });
        self.add(Ok(InputFile { name: format!("{} (manifest)", source.name), text: manifest }), None);
        Ok(())
    }

    /// Reads the only claim of a scenario file, or the one with these words.
    fn scenario(&mut self, path: &Path, words: Option<&str>) -> Result<(), BadInput> {
        let file = ScenarioFile::read(path)?;
        let claim = only_claim(&file, words).map_err(|error| {
            output::error(&error);
            BadInput
        })?;
        for (line, manifest) in file.manifests(claim) {
            let text = load_manifest(&manifest).map_err(|unread| {
                unread.complain(&format!("{}:{line}: ", file.source.name));
                BadInput
            });
            self.add(text, Some(manifest));
        }
        if let Some(block) = &claim.manifest {
            self.add(Ok(in_place(&file, block)), None);
        }
        self.scripts.extend(claim.script.as_ref().map(|block| in_place(&file, block)));
        self.claim = Some(claim.claim.clone());
        Ok(())
    }
}

/// The claim that is meant, or why that is not clear.
fn only_claim<'f>(file: &'f ScenarioFile, words: Option<&str>) -> Result<&'f Scenario, String> {
    let named: Vec<&Scenario> = file.claims.iter().filter(|claim| words.is_none_or(|words| has_words(claim, words))).collect();
    let name = &file.source.name;
    match (named.as_slice(), words) {
        ([only], _) => Ok(only),
        ([], _) => Err(format!("{name} has no claim with these words; its claims are:{}", list(&file.claims))),
        (_, Some(_)) => Err(format!("{name} has several claims with these words; write more words with --claim:{}", list(named))),
        (_, None) => Err(format!(
            "{name} has several claims: choose one with --claim WORDS, or test all with `jobsmith test {name}`:{}",
            list(named)
        )),
    }
}

/// The headings of claims, a line each.
fn list<'s>(claims: impl IntoIterator<Item = &'s Scenario>) -> String {
    claims.into_iter().map(|claim| format!("\n  {}: {}", claim.line, claim.claim)).collect()
}

/// A block of a scenario file as a text in which its lines have the numbers that they have in the file.
fn in_place(file: &ScenarioFile, block: &FencedBlock) -> InputFile {
    InputFile { name: file.source.name.clone(), text: "\n".repeat(block.line - 1) + &block.text }
}

/// Reads a session from JSON.
///
/// # Errors
/// What is wrong with the text, and what to do.
fn saved(text: &str) -> Result<Saved, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        if text.trim_start().starts_with('{') {
            format!("the file is damaged: {error}; save the session again in the playground")
        } else {
            NO_SESSION.to_owned()
        }
    })?;
    match value["version"].as_u64() {
        Some(version) if version > VERSION => Err(format!(
            "a newer version of the playground saved this session (format {version}, and this program reads {VERSION}); update jobsmith"
        )),
        _ => serde_json::from_value(value).ok().filter(|saved: &Saved| saved.version == VERSION).ok_or_else(|| NO_SESSION.to_owned()),
    }
}

/// What is said of a file that is something else.
const NO_SESSION: &str = "this is not a playground session; if it is a manifest, name it .yaml, and if it is a scenario file, .md";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_has_a_manifest_and_a_script() {
        let session =
            r#"{"version": 1, "manifest": "kind: Job\n", "script": "pods: succeed after 1s\n", "cursor": 3, "title": "A", "until": 90000}"#;
        let read = saved(session).map(|saved| (saved.manifest, saved.script, saved.until, saved.beside.is_null()));
        assert_eq!(read, Ok(("kind: Job\n".to_owned(), "pods: succeed after 1s\n".to_owned(), Some(90_000), true)));
    }

    #[test]
    fn what_is_no_session_is_refused() {
        let check = |text: &str, expected: &str| assert_eq!(saved(text).err().as_deref(), Some(expected), "{text}");
        check("", NO_SESSION);
        check("kind: Job\n", NO_SESSION);
        check("[]", NO_SESSION);
        check(r#"{"kind": "Job"}"#, NO_SESSION);
        check(r#"{"version": 1, "manifest": "kind: Job"}"#, NO_SESSION);
        check(
            r#"{"version": 2, "sessions": []}"#,
            "a newer version of the playground saved this session (format 2, and this program reads 1); update jobsmith",
        );
        check(
            r#"{"version": 1, "manifest": "kind"#,
            "the file is damaged: EOF while parsing a string at line 1 column 32; save the session again in the playground",
        );
    }
}

//! What is given to `jobsmith simulate` besides scenario files: manifests, and sessions of the playground, which have a manifest and a script.
//!
//! Docs: `web/src/session.ts` is the form of a session. Links hold the same: `host/jobsmith/src/playground/link.rs`.

use std::path::{Path, PathBuf};

use api::Duration;
use manifest::ManifestObject;
use script::Script;
use serde::Deserialize;
use serde_json::Value;

use super::super::input::{BadInput, InputFile, Inputs};
use super::super::output;
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
    pub(super) script: Script,
    /// How far sessions were played that have CronJobs.
    pub(super) until: Option<Duration>,
}

/// Reads all objects of manifests and sessions, and what happens to them: rules of the command line come before those of sessions.
pub(super) fn read(arguments: &Arguments, files: &[PathBuf]) -> Result<SessionInput, BadInput> {
    let (mut scripts, mut until) = (Vec::new(), None);
    let texts: Vec<_> = files.iter().map(|path| read_file(path, &mut scripts, &mut until)).collect();
    let mut inputs = Inputs::of(texts, manifest::objects)?;
    inputs.leave_out_pods_of_others()?;
    let mut script = read_script("--script", &arguments.script, arguments.script_file.as_deref())?;
    script.append(parse(scripts)?);
    Ok(SessionInput { inputs, script, until })
}

/// Reads the manifest of a file; the script of a session goes to the others, and the longest session counts.
fn read_file(path: &Path, scripts: &mut Vec<InputFile>, longest: &mut Option<Duration>) -> Result<InputFile, BadInput> {
    let source = InputFile::read(path)?;
    if path.extension().is_none_or(|extension| extension != "jobsmith") {
        return Ok(source);
    }
    let Saved { manifest, script, until, beside, .. } = saved(&source.text).map_err(|message| {
        output::error(&format!("{}: {message}", source.name));
        BadInput
    })?;
    if !beside.is_null() {
        output::complain(&format!("note: {} compares two sessions; this simulates the one that was selected\n", source.name));
    }
    *longest = (*longest).max(until.map(Duration::from_millis));
    scripts.push(InputFile { name: format!("{} (script)", source.name), text: script });
    Ok(InputFile { name: format!("{} (manifest)", source.name), text: manifest })
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

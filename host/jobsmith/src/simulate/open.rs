//! `jobsmith simulate --open`: the playground with what would be simulated.
//!
//! Docs: `jobsmith simulate --help`. The page itself is served in `../playground/mod.rs`.

use std::path::Path;

use play::scenario::Scenario;

use super::super::input::{BadInput, InputFile};
use super::super::playground::{self, LinkedSession, Opening};
use super::super::{CommandEnd, output};
use super::{Arguments, claims, is_scenario, session};

/// Opens in the playground what would be played.
pub(super) fn open(arguments: &Arguments, page: &'static [u8]) -> anyhow::Result<CommandEnd> {
    let scenario = arguments.files().find(is_scenario);
    let session = match scenario {
        Some(path) if arguments.files().count() > 1 => {
            output::error(&format!("--open takes a scenario file only by itself: leave out {}, or the other files", path.display()));
            Err(BadInput)
        }
        Some(path) => claim(path),
        None => session(arguments),
    };
    let Ok(session) = session else { return Ok(CommandEnd::BadInput) };
    playground::open(page, 0, Some(Opening::Session(session)), true)
}

/// The session of manifests and rules.
fn session(arguments: &Arguments) -> Result<LinkedSession, BadInput> {
    let session::SessionInput { inputs, script, .. } = session::read(arguments, &arguments.files().cloned().collect::<Vec<_>>())?;
    let manifests: Vec<&str> = inputs.sources.iter().map(|source| &*source.text).collect();
    Ok(LinkedSession::new(manifests.join("\n---\n"), script.to_string()))
}

/// The session of the first claim of a scenario file.
fn claim(path: &Path) -> Result<LinkedSession, BadInput> {
    let source = InputFile::read(path)?;
    let claims = claims::read(&source)?;
    let Scenario { manifest, script, .. } = &claims[0];
    Ok(LinkedSession::new(manifest.text.clone(), script.as_ref().map(|block| block.text.clone()).unwrap_or_default()))
}

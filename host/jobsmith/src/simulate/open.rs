//! `jobsmith simulate --open`: the playground with what would be simulated.
//!
//! Docs: `jobsmith simulate --help`. The page itself is served in `../playground/mod.rs`.

use super::super::CommandEnd;
use super::super::playground::{self, LinkedSession, Opening};
use super::{Arguments, session};

/// Opens in the playground what would be played.
pub(super) fn open(arguments: &Arguments, page: &'static [u8]) -> anyhow::Result<CommandEnd> {
    let Ok(session::SessionInput { inputs, script, .. }) = session::read(arguments) else { return Ok(CommandEnd::BadInput) };
    // The manifest of a claim is behind as many empty lines as there are lines before it in its file.
    let manifests: Vec<&str> = inputs.sources.iter().map(|source| source.text.trim_start_matches('\n')).collect();
    let session = LinkedSession::new(manifests.join("\n---\n"), script.to_string());
    playground::open(page, 0, Some(Opening::Session(session)), true)
}

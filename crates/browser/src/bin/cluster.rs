//! The module that the page loads first: sessions on the cluster in memory, and what is wrong with the texts that they begin with.
//!
//! Docs: `web/src/worker.ts` calls it. What a session answers is in `../lib.rs`.

use browser::{Guest, Playing, changes, check, json, playing};
use js_sys::Function;
use wasm_bindgen::prelude::wasm_bindgen;

fn main() {}

/// What is wrong with a manifest, or what the API server refuses of it: a JSON list of diagnostics.
#[wasm_bindgen]
#[must_use]
pub fn check(manifest: &str) -> String {
    json(&check::manifest(manifest))
}

/// What cannot be understood in a script: a JSON list of diagnostics.
#[wasm_bindgen(js_name = checkScript)]
#[must_use]
pub fn check_script(script: &str) -> String {
    json(&check::script(script).err().unwrap_or_default())
}

/// The actions of the script language that make one manifest out of another, and what is wrong with it: JSON.
#[wasm_bindgen]
#[must_use]
pub fn changes(before: &str, after: &str) -> String {
    json(&changes::changes(before, after))
}

/// The rules and actions of a script as JSON; those of the empty one if it cannot be understood.
#[wasm_bindgen(js_name = readScript)]
#[must_use]
pub fn read_script(script: &str) -> String {
    json(&check::lines(&check::script(script).unwrap_or_default()))
}

/// Begins a session. `manager` makes an instance of the component and answers with its interface `manager`; it is called again if one traps.
///
/// # Errors
/// What is wrong with the manifest or the script: a JSON list of diagnostics.
#[wasm_bindgen]
pub fn play(manager: Function, manifest: &str, script: &str) -> Result<Playing, String> {
    playing::Playing::new(Guest::new(manager)?, manifest, script).map(Playing::from).map_err(|found| json(&found))
}

//! The module that the page loads when somebody opens a recording of `jobsmith controller --record`.
//!
//! Docs: `web/src/worker.ts` calls it. What a session answers is in `../lib.rs`.

use browser::{Guest, Playing, json, playing};
use js_sys::Function;
use manifest::Diagnostic;
use wasm_bindgen::prelude::wasm_bindgen;

fn main() {}

/// Opens a recording, to be gone through. `manager` makes an instance of the component and answers with its interface `manager`; it is called
/// again if one traps.
///
/// # Errors
/// Why it is none: a JSON list of diagnostics.
#[wasm_bindgen]
pub fn open(manager: Function, recording: String) -> Result<Playing, String> {
    let opened = playing::Playing::open(recording, |configuration| Guest::configured(manager, configuration));
    opened.map(Playing::from).map_err(|reason| {
        let (message, remedy) =
            (format!("this is no recording that can be gone through: {reason}"), "open a file that `jobsmith controller --record` wrote");
        json(&[Diagnostic::at_letter(1, 1, message, remedy.to_owned())])
    })
}

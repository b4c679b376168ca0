//! The module that the page loads when somebody looks at an object: it writes YAML.
//!
//! Docs: `web/src/worker.ts` calls it.

use wasm_bindgen::prelude::wasm_bindgen;

fn main() {}

/// JSON as YAML, in the form that people know from `kubectl get -o yaml`.
///
/// # Errors
/// Why it is no JSON.
#[wasm_bindgen]
pub fn write(json: &str) -> Result<String, String> {
    serde_json::from_str(json).map(|value| manifest::write(&value)).map_err(|error| error.to_string())
}

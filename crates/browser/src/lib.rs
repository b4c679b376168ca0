//! The cluster in memory, the script language and the reader of manifests, for a page in a browser: what is exported here is called from JavaScript.
//!
//! Docs: `web/src/protocol.ts` has the shapes of all JSON that crosses; `web/src/worker.ts` calls it. A session is in `playing.rs`, the
//! controllers' component behind JavaScript in `guest.rs`, what is wrong with texts in `check.rs`, an edit as actions in `changes.rs`.
//! Only here and in `guest.rs` is JavaScript known.

mod border;
pub mod changes;
pub mod check;
mod guest;
mod history;
mod job_view;
pub mod playing;
mod pod_view;
pub mod step_view;
mod wit;

use api::Kind;
use js_sys::Function;
use manifest::Diagnostic;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use self::guest::Guest;

/// Lists what is wrong with a manifest, and what the API server refuses of it: JSON diagnostics.
#[wasm_bindgen(js_name = check)]
#[must_use]
pub fn check_manifest(manifest: &str) -> String {
    json(&check::manifest(manifest))
}

/// Lists what cannot be understood in a script: JSON diagnostics.
#[wasm_bindgen(js_name = checkScript)]
#[must_use]
pub fn check_script(script: &str) -> String {
    json(&check::script(script).err().unwrap_or_default())
}

/// Returns the rules and actions of a script as JSON; those of the empty one if it cannot be understood.
#[wasm_bindgen(js_name = readScript)]
#[must_use]
pub fn read_script(script: &str) -> String {
    json(&check::lines(&check::script(script).unwrap_or_default()))
}

/// Returns the actions of the script language that turn one manifest into another, and what is wrong with it: JSON.
#[wasm_bindgen(js_name = changes)]
#[must_use]
pub fn changes_between(before: &str, after: &str) -> String {
    json(&changes::changes(before, after))
}

/// Writes JSON as YAML, in the form that people know from `kubectl get -o yaml`.
///
/// # Errors
/// Why it is not JSON.
#[wasm_bindgen]
pub fn yaml(json: &str) -> Result<String, String> {
    serde_json::from_str(json).map(|value| manifest::write(&value)).map_err(|error| error.to_string())
}

/// Starts a session. `manager` makes an instance of the component and returns its interface `manager`; it is called again if one traps.
///
/// # Errors
/// What is wrong with the manifest or the script: a JSON list of diagnostics.
#[wasm_bindgen]
pub fn play(manager: Function, manifest: &str, script: &str) -> Result<Playing, String> {
    playing::Playing::new(Guest::new(manager)?, manifest, script).map(Playing).map_err(|found| json(&found))
}

/// Opens a recording of `jobsmith controller --record`. `manager` is as in `play`.
///
/// # Errors
/// Why it is not a recording: a JSON list of diagnostics.
#[wasm_bindgen]
pub fn open(manager: Function, recording: String) -> Result<Playing, String> {
    let opened = playing::Playing::open(recording, |configuration| Guest::configured(manager, configuration));
    opened.map(Playing).map_err(|reason| {
        let (message, remedy) =
            (format!("this is no recording that can be gone through: {reason}"), "open a file that `jobsmith controller --record` wrote");
        json(&[Diagnostic::at_letter(1, 1, message, remedy.to_owned())])
    })
}

/// A session that is being played: the controllers behind JavaScript, and all that has happened so far.
#[wasm_bindgen]
pub struct Playing(playing::Playing);

#[wasm_bindgen]
impl Playing {
    /// Plays at most so many further moments; returns the steps in them as JSON.
    pub fn run(&mut self, moments: usize) -> String {
        json(&self.0.run(moments))
    }

    /// Lists the objects that exist after a step as JSON: each with its kind, namespace, name and version.
    #[must_use]
    pub fn objects(&self, step: usize) -> String {
        json(&self.0.objects(step))
    }

    /// Returns an object after a step as JSON; empty if it is not there.
    #[must_use]
    pub fn object(&self, step: usize, kind: &str, namespace: &str, name: &str) -> String {
        let kind = Kind::ALL.into_iter().find(|known| known.name() == kind);
        kind.and_then(|kind| self.0.object(step, kind, namespace, name)).map(|object| object.to_string()).unwrap_or_default()
    }

    /// Returns the objects after a step as `kubectl get jobs,pods -o json` prints them.
    #[must_use]
    pub fn list(&self, step: usize) -> String {
        self.0.list(step)
    }

    /// Returns the trace so far as `jobsmith simulate` prints it, with `all` as it does with `--why`.
    #[must_use]
    pub fn trace(&self, all: bool) -> String {
        self.0.trace(all)
    }
}

/// Returns the JSON of something that crosses to JavaScript.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("all maps that cross have text keys")
}

//! The cluster in memory, the script language and the reader of manifests, for a page in a browser: what it exports is called from JavaScript.
//!
//! Docs: `web/src/protocol.ts` has the shapes of all JSON that crosses. A session is in `playing.rs`, the controllers' component behind
//! JavaScript in `guest.rs`, what is wrong with texts in `check.rs`, an edit as actions in `changes.rs`. Only here and in `guest.rs` is
//! JavaScript known.

mod border;
pub mod changes;
pub mod check;
mod guest;
mod history;
mod job_view;
pub mod playing;
mod pod_view;
pub mod step_view;

use api::Kind;
use js_sys::Function;
use manifest::Diagnostic;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use self::guest::Guest;

/// Makes a panic an error of JavaScript that says what the panic said.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

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

/// A session that is being played: the controllers behind JavaScript, and all that has happened so far.
#[wasm_bindgen]
pub struct Playing(playing::Playing<Guest>);

#[wasm_bindgen]
impl Playing {
    /// Begins a session. `manager` makes an instance of the component and answers with its interface `manager`; it is called again if one traps.
    ///
    /// # Errors
    /// What is wrong with the manifest or the script: a JSON list of diagnostics.
    #[wasm_bindgen(constructor)]
    pub fn new(manager: Function, manifest: &str, script: &str) -> Result<Playing, String> {
        playing::Playing::new(Guest::new(manager)?, manifest, script).map(Self).map_err(|found| json(&found))
    }

    /// Opens a recording of `jobsmith controller --record`, to be gone through.
    ///
    /// # Errors
    /// Why it is none: a JSON list of diagnostics.
    pub fn open(manager: Function, recording: String) -> Result<Playing, String> {
        let opened = playing::Playing::open(recording, |configuration| Guest::configured(manager, configuration));
        opened.map(Self).map_err(|reason| {
            let (message, remedy) = (
                format!("this is no recording that can be gone through: {reason}"),
                "open a file that `jobsmith controller --record` wrote",
            );
            json(&[Diagnostic::at_letter(1, 1, message, remedy.to_owned())])
        })
    }

    /// Plays at most so many further moments; answers with the steps in them as JSON.
    pub fn run(&mut self, moments: usize) -> String {
        json(&self.0.run(moments))
    }

    /// The objects that exist after a step, as JSON: each with its kind, namespace, name and version.
    #[must_use]
    pub fn objects(&self, step: usize) -> String {
        json(&self.0.objects(step))
    }

    /// An object after a step as YAML; empty if it is not there.
    #[must_use]
    pub fn yaml(&self, step: usize, kind: &str, namespace: &str, name: &str) -> String {
        let kind = Kind::ALL.into_iter().find(|known| known.name() == kind);
        kind.and_then(|kind| self.0.yaml(step, kind, namespace, name)).unwrap_or_default()
    }

    /// The objects after a step as `kubectl get jobs,pods -o yaml` prints them.
    #[must_use]
    pub fn list(&self, step: usize) -> String {
        self.0.list(step)
    }

    /// What happened so far as `jobsmith simulate` tells it, with `all` as it tells it with `--why`.
    #[must_use]
    pub fn trace(&self, all: bool) -> String {
        self.0.trace(all)
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("what is told has text keys only")
}

//! The cluster in memory, the script language and the reader of manifests, for a page in a browser: what it exports is called from JavaScript.
//!
//! Docs: `web/src/protocol.ts` has the shapes of all JSON that crosses. Three modules are made of it, so that nobody loads more than is
//! wanted: `bin/cluster.rs` plays, `bin/recording.rs` opens recordings, `bin/yaml.rs` writes objects. A session is in `playing.rs`, the
//! controllers' component behind JavaScript in `guest.rs`, what is wrong with texts in `check.rs`, an edit as actions in `changes.rs`.
//! Only in the modules, here and in `guest.rs` is JavaScript known.

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
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

pub use self::guest::Guest;

/// A session that is being played: the controllers behind JavaScript, and all that has happened so far.
#[wasm_bindgen]
pub struct Playing(playing::Playing);

impl From<playing::Playing> for Playing {
    fn from(playing: playing::Playing) -> Self {
        Self(playing)
    }
}

#[wasm_bindgen]
impl Playing {
    /// Plays at most so many further moments; answers with the steps in them as JSON.
    pub fn run(&mut self, moments: usize) -> String {
        json(&self.0.run(moments))
    }

    /// The objects that exist after a step, as JSON: each with its kind, namespace, name and version.
    #[must_use]
    pub fn objects(&self, step: usize) -> String {
        json(&self.0.objects(step))
    }

    /// An object after a step as JSON; empty if it is not there.
    #[must_use]
    pub fn object(&self, step: usize, kind: &str, namespace: &str, name: &str) -> String {
        let kind = Kind::ALL.into_iter().find(|known| known.name() == kind);
        kind.and_then(|kind| self.0.object(step, kind, namespace, name)).map(|object| object.to_string()).unwrap_or_default()
    }

    /// The objects after a step as `kubectl get jobs,pods -o json` prints them.
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

/// What is told to JavaScript.
///
/// # Panics
/// If it has maps whose keys are no texts.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("what is told has text keys only")
}

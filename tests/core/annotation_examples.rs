//! The examples of the reference of annotations: each is played, and the lines are shown that have to do with the annotation.
//!
//! Docs: `crates/api/src/annotation/README.md`, whose examples are read in `annotations.rs`. Whole traces are in `tests/scenarios/`.

use api::annotation::{MANAGED_BY, SUSPEND};
use api::{Duration, Kind, Text, attempt, time};
use controllers::Config;
use core_tests::native::Native;
use play::trace::Transcript;
use play::{Play, start};
use script::Script;

use crate::continuing;

/// What lines have that are shown: a rule of an annotation, pods that are created or that ended, and Jobs that begin or fail.
const SHOWN: [&str; 8] =
    [" (X-", " ● Creating ", " ● Starting Job ", " ○ Retrying ", " Failed with ", " Succeeded ", ": Failed: ", " gone"];

/// An example that is played to its end.
pub(crate) struct Example {
    play: Play<Native>,
    trace: String,
}

impl Example {
    /// Plays an example of an annotation. Those that concern the controller's own name are played by one that is called so.
    pub(crate) fn of(key: &str, manifest: &str, script: &str) -> Self {
        assert!(manifest.contains(key) || script.contains(key), "the example of {key} does not have it");
        let mut config = Config::default();
        if [MANAGED_BY, SUSPEND].contains(&key) {
            config.cronjob.name = "example.com/jobsmith".into();
        }
        let script = Script::parse(script).unwrap_or_else(|problem| panic!("{key}: {problem:?}"));
        let documents: Vec<Text> =
            manifest::read(manifest).expect(key).iter().map(|document| document.value().to_string().into()).collect();
        let mut play = Play::new(Native::new(config), &script, &documents, start()).unwrap_or_else(|refused| panic!("{key}: {refused:?}"));
        let mut transcript = Transcript::new(start());
        let steps = continuing::played(&mut play, time::after(start(), Duration::from_hours(24 * 400)));
        let lines = steps.iter().flat_map(|step| &step.entries).filter_map(|entry| transcript.line(entry, false));
        let trace = lines.filter(|line| SHOWN.iter().any(|shown| line.contains(shown))).map(|line| line + "\n").collect();
        Self { play, trace }
    }

    /// What happened, in lines.
    pub(crate) fn trace(&self) -> &str {
        &self.trace
    }

    /// The pods that there are at the end, each with the number of its attempt.
    pub(crate) fn pods(&self) -> String {
        let pods = self
            .play
            .server()
            .objects(Kind::Pod)
            .map(|stored| serde_json::from_str::<serde_json::Value>(&stored.json()).expect("it is JSON"));
        let line = |pod: serde_json::Value| {
            let metadata = &pod["metadata"];
            format!(
                "{} {}: {}\n",
                metadata["name"].as_str().unwrap_or_default(),
                attempt::ATTEMPT,
                metadata["annotations"][attempt::ATTEMPT]
            )
        };
        pods.map(line).collect()
    }
}

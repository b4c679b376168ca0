//! Writes claims of scenario files: what was played, with what was seen of it.
//!
//! Docs: `scenario.rs` is the format. `jobsmith simulate --save` and the playground write claims; they are played in `claim.rs`.

use api::Duration;
use contract::Manager;
use manifest::Diagnostic;
use script::{Action, Script, TimedAction};

use crate::Bounds;
use crate::claim::{Refused, endless, play, script_problem};
use crate::scenario::{read, write};

/// What a claim is written of.
#[derive(Debug, Clone, Copy)]
pub struct ClaimDraft<'d> {
    /// The claim: its heading.
    pub claim: &'d str,
    /// The paths of files with manifests, as the scenario file is to have them, each with its text.
    pub files: &'d [(String, String)],
    /// The manifests that the claim has itself.
    pub manifest: &'d str,
    /// What pods do and what happens.
    pub script: &'d str,
    /// When the play ends, unless the script ends it before.
    pub end: Option<Duration>,
}

/// A scenario file with one claim and what is seen of it, as the playground saves it. A CronJob never ends: with one, the script ends the play
/// at `until`, unless it does so itself.
///
/// # Errors
/// What is wrong with the manifest or the script, or what a scenario cannot have.
pub fn scenario_file(
    claim: &str,
    manifest: &str,
    script: &str,
    until: Duration,
    manager: impl Manager,
    bounds: Bounds,
) -> Result<String, Vec<Diagnostic>> {
    let objects = manifest::workloads(manifest)?;
    let parsed = Script::parse(script).map_err(|error| vec![script_problem(error)])?;
    let end = endless(objects.iter(), &parsed).then_some(until);
    let draft = ClaimDraft { claim, files: &[], manifest, script, end };
    let written = draft.written(manager, bounds).map_err(|refused| refused.here)?;
    Ok(format!("# {claim}\n\n{written}"))
}

impl ClaimDraft<'_> {
    /// The claim with what is expected of it: how each Job ends and how many pods there are, the whole trace, and the whole status.
    ///
    /// # Errors
    /// What is wrong with its manifests or its script, or what a scenario cannot have.
    pub fn written(&self, manager: impl Manager, bounds: Bounds) -> Result<String, Refused> {
        let end = self.end.map(|after| format!("{}\n", TimedAction { after, action: Action::End }));
        let script = match (self.script.trim_end(), &end) {
            ("", end) => end.clone().unwrap_or_default(),
            (script, Some(end)) => format!("{script}\n{end}"),
            (script, None) => script.to_owned(),
        };
        let paths: String = self.files.iter().map(|(path, _)| format!("{path}\n")).collect();
        let (files, yaml) = (("files", &*paths), ("yaml", self.manifest));
        let mut blocks: Vec<(&str, &str)> =
            [files, yaml, ("script", &script)].into_iter().filter(|(_, text)| !text.trim().is_empty()).collect();
        let scenarios = read(&write(self.claim, &blocks)).map_err(|misshapen| {
            let problem = Diagnostic::at_letter(misshapen.line, 1, misshapen.message, String::new());
            Refused { here: vec![problem], files: Vec::new() }
        })?;
        let texts: Vec<&str> = self.files.iter().map(|(_, text)| &**text).collect();
        let played = play(&scenarios[0], &texts, manager, bounds)?;
        blocks.extend([("expect", &*played.summary), ("trace exact", &played.trace), ("status exact", &played.status)]);
        Ok(write(self.claim, &blocks))
    }
}

//! Writes claims of scenario files: what was played, with what was seen of it.
//!
//! Docs: `scenario.rs` is the format. `jobsmith simulate --save` and the playground write claims; they are played in `claim.rs`.

use api::Duration;
use contract::Manager;
use manifest::Diagnostic;
use script::{Action, Script, TimedAction};

use crate::Bounds;
use crate::claim::{RefusedClaim, endless, play, script_problem};
use crate::scenario::{read, write};

/// How many lines of a trace are written at most.
const LONGEST_TRACE: usize = 1000;

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
    let objects = manifest::workloads_among_others(manifest)?;
    let parsed = Script::parse(script).map_err(|error| vec![script_problem(error)])?;
    let end = endless(objects.iter(), &parsed).then_some(until);
    let draft = ClaimDraft { claim, files: &[], manifest, script, end };
    let written = draft.written(manager, bounds).map_err(|refused| refused.here)?;
    Ok(format!("# {claim}\n\n{written}"))
}

impl ClaimDraft<'_> {
    /// The claim with what is expected of it: how each Job ends and how many pods there are, the whole trace unless it is longer than anybody reads, and the
    /// whole status.
    ///
    /// # Errors
    /// What is wrong with its manifests or its script, what a scenario cannot have, or why it would not go as expected: rules without effect, and a play
    /// that runs away.
    pub fn written(&self, manager: impl Manager, bounds: Bounds) -> Result<String, RefusedClaim> {
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
            RefusedClaim { here: vec![problem], files: Vec::new() }
        })?;
        let texts: Vec<&str> = self.files.iter().map(|(_, text)| &**text).collect();
        let played = play(&scenarios[0], &texts, manager, bounds)?;
        let trace = (played.trace.lines().count() <= LONGEST_TRACE).then_some(&*played.trace);
        let mut here = played.idle_rules.clone();
        // A trace that has all states these.
        let unstated = played.stopped.iter().chain(played.undone.iter().filter(|_| trace.is_none()));
        here.extend(unstated.map(|what| Diagnostic::at_letter(1, 1, what.to_string(), String::new())));
        if !here.is_empty() {
            return Err(RefusedClaim { here, files: Vec::new() });
        }
        blocks.push(("expect", &played.summary));
        blocks.extend(trace.map(|trace| ("trace exact", trace)));
        blocks.push(("status exact", &played.status));
        Ok(write(self.claim, &blocks))
    }
}

//! Plays the claims of scenario files, and compares what is seen with what is expected.
//!
//! Docs: `scenario.rs` is the format. `jobsmith simulate` and the playground play claims, and the tests all of `tests/scenarios`.

use api::{Duration, Job, Text};
use contract::Manager;
use manifest::{Diagnostic, ManifestObject, refusals};
use serde_json::{Map, Value};

use crate::scenario::{FencedBlock, Scenario, read, rewrite, write};
use crate::trace::{Entry, Transcript};
use crate::{Bounds, LONGEST, Play, Unplayable, start};
use script::{Action, Ambiguous, Script, ScriptError, TimedAction};

/// What was seen of a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// Everything that happened.
    pub entries: Vec<Entry>,
    /// The trace as lines, without what is minor.
    pub trace: String,
    /// The status of the Jobs that are left: of one alone, or of several under their names; as YAML, without the times of conditions.
    pub status: String,
    /// What actions did not do, each with why.
    pub undone: Vec<Text>,
    /// The rules of the script without effect, each with why.
    pub idle_rules: Vec<Diagnostic>,
}

/// Reads the manifests and the script of a claim.
///
/// # Errors
/// What is wrong with them, with positions in the scenario file.
pub fn parse(scenario: &Scenario) -> Result<(Vec<ManifestObject>, Script), Vec<Diagnostic>> {
    let manifests = manifest::workloads(&scenario.manifest.text).map_err(|found| shifted(found, &scenario.manifest))?;
    let script = scenario.script.as_ref().map_or(Ok(Script::default()), read_script)?;
    if endless(&manifests, &script) {
        let problem = Diagnostic::at_letter(1, 1, "a claim with a CronJob never ends".to_owned(), END.to_owned());
        return Err(shifted(vec![problem], scenario.script.as_ref().unwrap_or(&scenario.manifest)));
    }
    Ok((manifests, script))
}

/// Plays a claim to its end, or to its bounds.
///
/// # Errors
/// What is wrong with its manifest or script, or what the API server refuses, with positions in the scenario file.
pub fn play(scenario: &Scenario, manager: impl Manager, bounds: Bounds) -> Result<Played, Vec<Diagnostic>> {
    let (manifests, script) = parse(scenario)?;
    let documents: Vec<Text> = manifests.iter().map(|manifest| manifest.document().value().to_string().into()).collect();
    let mut play = Play::new(manager, &script, &documents, start()).map_err(|unplayable| match (unplayable, &scenario.script) {
        (Unplayable::Object { place, error }, _) => shifted(refusals(manifests[place].document(), &error), &scenario.manifest),
        (Unplayable::Script(ambiguous), Some(block)) => shifted(vec![ambiguity(ambiguous)], block),
        (Unplayable::Script(_), None) => unreachable!("an empty script is not ambiguous"),
    })?;
    play.bounds = bounds;
    let mut transcript = Transcript::new(start());
    let (mut entries, mut trace) = (Vec::new(), String::new());
    while let Some(moment) = play.next_moment(api::time::after(start(), LONGEST)) {
        for entry in moment.into_iter().flat_map(|step| step.entries) {
            trace.extend(transcript.line(&entry, false).map(|line| line + "\n"));
            entries.push(entry);
        }
    }
    let idle = play.unmatched_rules().into_iter().map(|(line, why)| Diagnostic::at_letter(line, 1, why, String::new())).collect();
    let idle_rules = scenario.script.as_ref().map(|block| shifted(idle, block)).unwrap_or_default();
    Ok(Played { entries, trace, status: status(play.jobs()), undone: play.undone().to_vec(), idle_rules })
}

/// A scenario file with one claim and what is seen of it, as `UPDATE_EXPECT=1` writes it. A CronJob never ends: with one, the script ends the play
/// at `until`, unless it does so itself.
///
/// # Errors
/// What is wrong with the manifest or the script, or what a scenario cannot have.
pub fn written(
    claim: &str,
    manifest: &str,
    script: &str,
    until: Duration,
    manager: impl Manager,
    bounds: Bounds,
) -> Result<String, Vec<Diagnostic>> {
    let manifests = manifest::workloads(manifest)?;
    let parsed = Script::parse(script).map_err(|error| vec![script_problem(error)])?;
    let end = TimedAction { after: until, action: Action::End };
    let script = if endless(&manifests, &parsed) { format!("{}\n{end}\n", script.trim_end()) } else { script.to_owned() };
    let empty = write(claim, manifest, &script);
    let scenarios = read(&empty).expect("what is written is read");
    let played = play(&scenarios[0], manager, bounds)?;
    let blocks = [(&scenarios[0].trace, played.trace), (&scenarios[0].status, played.status)];
    Ok(rewrite(&empty, blocks.into_iter().filter_map(|(block, text)| Some((block.as_ref()?.place.clone(), text))).collect()))
}

/// What helps where a claim has no end.
const END: &str = "end it in its script, as in \"at 12m: end\"";

/// Whether there is a CronJob, and the script does not end the play.
fn endless(manifests: &[ManifestObject], script: &Script) -> bool {
    let cron_job = |manifest: &ManifestObject| matches!(manifest, ManifestObject::CronJob(_));
    manifests.iter().any(cron_job) && script.actions.iter().all(|statement| statement.what.action != Action::End)
}

/// The status of a Job alone, or of several under their names, as YAML. When conditions changed is in the trace.
fn status<'a>(jobs: impl Iterator<Item = &'a Job>) -> String {
    let written = |job: &Job| {
        let mut status = serde_json::to_value(&job.status).expect("a status has text keys only");
        for condition in status.get_mut("conditions").and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut) {
            condition.retain(|field, _| !["lastProbeTime", "lastTransitionTime"].contains(&field.as_str()));
        }
        status
    };
    let statuses: Map<String, Value> = jobs.map(|job| (job.metadata.name.to_string(), written(job))).collect();
    match statuses.len() {
        0 => String::new(),
        1 => statuses.values().map(manifest::write).collect(),
        _ => manifest::write(&Value::Object(statuses)),
    }
}

fn read_script(block: &FencedBlock) -> Result<Script, Vec<Diagnostic>> {
    Script::parse(&block.text).map_err(|error| shifted(vec![script_problem(error)], block))
}

/// What cannot be understood in a script, at its place.
#[must_use]
pub fn script_problem(error: ScriptError) -> Diagnostic {
    let ScriptError { line, column, message, remedy } = error;
    Diagnostic::at_letter(line, column, message, remedy)
}

/// A statement that may be about several objects, at its place in the script.
#[must_use]
pub fn ambiguity(Ambiguous { statement, message, remedy }: Ambiguous) -> Diagnostic {
    Diagnostic::at_letter(statement.line, statement.column, message, remedy)
}

/// Diagnostics of a block, with positions in the whole file.
fn shifted(mut diagnostics: Vec<Diagnostic>, block: &FencedBlock) -> Vec<Diagnostic> {
    for diagnostic in &mut diagnostics {
        diagnostic.position.line += block.line - 1;
    }
    diagnostics
}

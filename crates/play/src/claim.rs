//! Plays the claims of scenario files, and compares what is seen with what is expected.
//!
//! Docs: `scenario.rs` is the format. `jobsmith test` and the playground play claims, and the tests all of `tests/scenarios`. Claims are written in
//! `written.rs`.

use api::{Job, Text};
use contract::Manager;
use manifest::{Diagnostic, ManifestObject, refusals};
use script::{Action, Ambiguous, Assertion, ObjectName, Script, ScriptError, Statement};
use serde_json::{Map, Value};

use crate::observed::Observed;
use crate::scenario::{FencedBlock, Scenario};
use crate::stated::{self, Stated};
use crate::trace::{Clock, Entry, Transcript};
use crate::unmet::{Observation, UnmetAssertion};
use crate::{Bounds, LONGEST, Play, Unplayable, namespaces, start};

/// What was seen of a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// Everything that happened.
    pub entries: Vec<Entry>,
    /// The trace as lines, without what is minor.
    pub trace: String,
    /// The status of the Jobs that are left: of one alone, or of several under their names; as YAML, without the times of conditions.
    pub status: String,
    /// The same of each, by its name.
    statuses: Map<String, Value>,
    /// The last status of each Job that finished, by its name, whether it is left or not.
    last_statuses: Map<String, Value>,
    /// The assertions that are not met.
    pub unmet: Vec<UnmetAssertion>,
    /// How each Job ended, as assertions, and how many there were.
    pub(crate) summary: String,
    /// What actions did not do, each with why.
    pub undone: Vec<Text>,
    /// Why the play went no further, if it went too far.
    pub stopped: Option<Text>,
    /// The rules of the script without effect, each with why.
    pub idle_rules: Vec<Diagnostic>,
}

/// How a block differs from what was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference<'s> {
    /// What the block is: `trace` or `status`.
    pub kind: &'static str,
    /// The block.
    pub block: &'s FencedBlock,
    /// What was to be seen by it.
    pub expected: String,
    /// What was seen instead.
    pub seen: String,
    /// What the block is to have, so that it is seen.
    pub rewritten: String,
    /// Why it can never be seen, or what to do first.
    pub note: Option<String>,
}

/// What is wrong with a claim: in the scenario file, and in files that it names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RefusedClaim {
    /// In the scenario file, with positions there.
    pub here: Vec<Diagnostic>,
    /// In files, by their places among those of the claim.
    pub files: Vec<(usize, Vec<Diagnostic>)>,
}

/// The manifests, the script and the assertions of a claim.
#[derive(Debug)]
struct ParsedClaim {
    /// The objects, each with the place of its file, or `None` if it is in the scenario file.
    objects: Vec<(Option<usize>, ManifestObject)>,
    script: Script,
    assertions: Vec<Statement<Assertion>>,
}

/// Reads what a claim has; `files` are the texts of the files that it names, in their order.
///
/// # Errors
/// What is wrong with it.
fn parse(scenario: &Scenario, files: &[impl AsRef<str>]) -> Result<ParsedClaim, RefusedClaim> {
    let (mut refused, mut objects) = (RefusedClaim::default(), Vec::new());
    for (place, text) in files.iter().enumerate() {
        match manifest::workloads_among_others(text.as_ref()) {
            Ok(found) => objects.extend(found.into_iter().map(|object| (Some(place), object))),
            Err(found) => refused.files.push((place, found)),
        }
    }
    let mut own = |block: &Option<FencedBlock>, read: &mut dyn FnMut(&str) -> Result<(), Vec<Diagnostic>>| {
        let Some(block) = block else { return };
        if let Err(found) = read(&block.text) {
            refused.here.extend(shifted(found, block));
        }
    };
    own(&scenario.manifest, &mut |text| {
        objects.extend(manifest::workloads_among_others(text)?.into_iter().map(|object| (None, object)));
        Ok(())
    });
    let (mut script, mut assertions) = (Script::default(), Vec::new());
    own(&scenario.script, &mut |text| Script::parse(text).map(|read| script = read).map_err(|error| vec![script_problem(error)]));
    own(&scenario.expect, &mut |text| {
        assertions = Assertion::parse(text).map_err(|error| vec![script_problem(error)])?;
        if assertions.is_empty() { Err(vec![no_assertion()]) } else { Ok(()) }
    });
    own(&scenario.status, &mut |text| manifest::read(text).map(|_| ()).map_err(|problem| vec![problem]));
    if refused == RefusedClaim::default() && endless(objects.iter().map(|(_, object)| object), &script) {
        let problem = Diagnostic::at_letter(1, 1, "a claim with a CronJob never ends".to_owned(), END.to_owned());
        match scenario.script.as_ref().or(scenario.manifest.as_ref()).or(scenario.files.as_ref()) {
            Some(block) => refused.here.extend(shifted(vec![problem], block)),
            None => refused.here.push(problem),
        }
    }
    if refused == RefusedClaim::default() { Ok(ParsedClaim { objects, script, assertions }) } else { Err(refused) }
}

/// Plays a claim to its end, or to its bounds; `files` are the texts of the files that it names, in their order.
///
/// # Errors
/// What is wrong with it, or what the API server refuses.
pub fn play(scenario: &Scenario, files: &[impl AsRef<str>], manager: impl Manager, bounds: Bounds) -> Result<Played, RefusedClaim> {
    let ParsedClaim { objects, script, assertions } = parse(scenario, files)?;
    let documents: Vec<Text> = objects.iter().map(|(_, object)| object.document().value().to_string().into()).collect();
    let mut play =
        Play::new(manager, &script, &documents, start()).map_err(|unplayable| unplayable_claim(unplayable, scenario, &objects))?;
    play.bounds = bounds;
    let (mut transcript, mut observed) = (Transcript::new(start()), Observed::default());
    let (mut entries, mut trace) = (Vec::new(), String::new());
    while let Some(moment) = play.next_moment(api::time::after(start(), LONGEST)) {
        for step in moment {
            observed.observe(&step);
            for entry in step.entries {
                trace.extend(transcript.line(&entry, false).map(|line| line + "\n"));
                entries.push(entry);
            }
        }
    }
    let idle = play.unmatched_rules().into_iter().map(|(line, why)| Diagnostic::at_letter(line, 1, why, String::new())).collect();
    let idle_rules = scenario.script.as_ref().map(|block| shifted(idle, block)).unwrap_or_default();
    let observation = Observation { observed: &observed, clock: Clock { start: start() }, end: play.now() };
    let mut unmet = observation.unmet(&assertions);
    let before = scenario.expect.as_ref().map_or(0, |block| block.line - 1);
    unmet.iter_mut().for_each(|unmet| unmet.place.0 += before);
    let statuses = named_statuses(play.jobs(), namespaces(play.server()).collect());
    let finished = || observed.jobs.iter().filter(|job| job.finish.is_some()).filter_map(|job| job.last.job());
    let last_statuses = named_statuses(finished(), observed.namespaces.iter().collect());
    let (undone, stopped) = (play.undone().to_vec(), play.stopped().cloned());
    let (status, summary) = (status(&statuses), observation.summary());
    Ok(Played { entries, trace, status, statuses, last_statuses, unmet, summary, undone, stopped, idle_rules })
}

impl Played {
    /// How the trace and the status of a claim differ from what was seen; `exact`: both state everything, whether they say so or not.
    #[must_use]
    pub fn differences<'s>(&self, scenario: &'s Scenario, exact: bool) -> Vec<Difference<'s>> {
        let whole = |block: &FencedBlock| block.exact || exact;
        let trace = |block: &FencedBlock| match block.text.trim() {
            "" if !whole(block) => all_of(&self.trace),
            _ if whole(block) => Stated::whole(&block.text, &self.trace),
            _ => stated::lines(&block.text, &self.trace),
        };
        let status = |block: &FencedBlock| match block.text.trim() {
            "" if !whole(block) => all_of(&self.status),
            _ if whole(block) => stated::whole_status(&block.text, &self.status),
            _ => stated::fields(&block.text, &self.statuses, &self.last_statuses),
        };
        let trace = scenario.trace.as_ref().map(|block| ("trace", block, trace(block)));
        let status = scenario.status.as_ref().map(|block| ("status", block, status(block)));
        let differing = trace.into_iter().chain(status).filter(|(_, _, stated)| stated.expected != stated.seen || stated.note.is_some());
        differing
            .map(|(kind, block, Stated { expected, seen, rewritten, note })| Difference { kind, block, expected, seen, rewritten, note })
            .collect()
    }

    /// What did not go as the script has it, a sentence each, unless the trace of the claim states that.
    pub fn mishaps(&self, scenario: &Scenario, exact: bool) -> impl Iterator<Item = String> {
        let trace = scenario.trace.as_ref();
        let all = trace.is_some_and(|block| block.exact || exact);
        let stopped = self.stopped.iter().map(|reason| format!("the simulation stops: {reason}"));
        let mishaps = self.undone.iter().map(ToString::to_string).chain(stopped);
        mishaps.filter(move |mishap| !all && !trace.is_some_and(|block| block.text.contains(&format!("! {mishap}"))))
    }
}

/// What an empty block is to have, unless nothing was seen: it states nothing, and is refused as it is.
fn all_of(seen: &str) -> Stated {
    let note = "the block is empty, and so it states nothing: --update writes what happens into it";
    Stated { note: (!seen.is_empty()).then(|| note.to_owned()), ..Stated::whole("", seen) }
}

/// What helps where a claim has no end.
const END: &str = "end it in its script, as in \"at 12m: end\"";

/// Whether there is a CronJob, and the script does not end the play.
pub(crate) fn endless<'o>(mut objects: impl Iterator<Item = &'o ManifestObject>, script: &Script) -> bool {
    let cron_job = |object: &ManifestObject| matches!(object, ManifestObject::CronJob(_));
    objects.any(cron_job) && script.actions.iter().all(|statement| statement.what.action != Action::End)
}

/// Why a claim cannot be played, where that is written.
fn unplayable_claim(unplayable: Unplayable, scenario: &Scenario, objects: &[(Option<usize>, ManifestObject)]) -> RefusedClaim {
    let (here, files) = match unplayable {
        Unplayable::Object { place, error } => {
            let (file, object) = &objects[place];
            let found = refusals(object.document(), &error);
            match (file, &scenario.manifest) {
                (Some(file), _) => (Vec::new(), vec![(*file, found)]),
                (None, Some(block)) => (shifted(found, block), Vec::new()),
                (None, None) => (found, Vec::new()),
            }
        }
        Unplayable::Script(ambiguous) => {
            let found = vec![ambiguity(ambiguous)];
            (scenario.script.as_ref().map(|block| shifted(found, block)).unwrap_or_default(), Vec::new())
        }
    };
    RefusedClaim { here, files }
}

/// The status of each Job by its name; of several of the same name, the last one's. When conditions changed is in the trace.
fn named_statuses<'j>(jobs: impl Iterator<Item = &'j Job>, namespaces: Vec<&Text>) -> Map<String, Value> {
    let status = |job: &Job| {
        let mut status = serde_json::to_value(&job.status).expect("a status has text keys only");
        for condition in status.get_mut("conditions").and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut) {
            condition.retain(|field, _| !["lastProbeTime", "lastTransitionTime"].contains(&field.as_str()));
        }
        status
    };
    let name = |job: &Job| ObjectName::among(&job.metadata.namespace, &job.metadata.name, namespaces.iter().copied()).to_string();
    jobs.map(|job| (name(job), status(job))).collect()
}

/// The status of a Job alone, or of several under their names, as YAML.
fn status(statuses: &Map<String, Value>) -> String {
    match statuses.len() {
        0 => String::new(),
        1 => statuses.values().map(manifest::write).collect(),
        _ => manifest::write(&Value::Object(statuses.clone())),
    }
}

/// That a block of assertions has none.
fn no_assertion() -> Diagnostic {
    let remedy = "write one a line, as in \"Complete within 10m\" or \"at most 8 pods\"";
    Diagnostic::at_letter(1, 1, "the block expects nothing".to_owned(), remedy.to_owned())
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

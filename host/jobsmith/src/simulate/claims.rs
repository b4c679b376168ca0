//! Scenario files: each claim is played by itself, and compared with what the file expects.
//!
//! Docs: scenario files are described in `play::scenario`. Manifests are played in `mod.rs`.

use std::ops::Range;
use std::path::{Path, PathBuf};

use api::Text;
use host_embed::Guest;
use manifest::Diagnostic;
use play::scenario::{FencedBlock, Scenario, rewrite};
use play::trace::Transcript;
use play::{Bounds, claim};
use serde_json::json;

use super::super::ending::{self, OutputFormat};
use super::super::input::{BadInput, InputFile};
use super::super::{CommandEnd, output};
use super::Arguments;
use super::difference::difference;
use super::watch::print;

/// A scenario file that was read.
pub(super) struct ScenarioFile {
    path: PathBuf,
    source: InputFile,
    claims: Vec<Scenario>,
}

/// Texts for some blocks of a scenario file, each with its place.
type NewTexts = Vec<(Range<usize>, String)>;

/// Reads scenario files; what is wrong with any of them, or with the manifest or the script of a claim, is printed.
pub(super) fn read_files<'p>(paths: impl Iterator<Item = &'p PathBuf>) -> Result<Vec<ScenarioFile>, BadInput> {
    let files: Vec<Result<ScenarioFile, BadInput>> = paths.map(|path| read_file(path)).collect();
    files.into_iter().collect()
}

fn read_file(path: &Path) -> Result<ScenarioFile, BadInput> {
    let source = InputFile::read(path)?;
    let claims = read(&source)?;
    let wrong: Vec<Diagnostic> = claims.iter().filter_map(|scenario| claim::parse(scenario).err()).flatten().collect();
    source.complain(&wrong);
    if wrong.is_empty() { Ok(ScenarioFile { path: path.to_owned(), source, claims }) } else { Err(BadInput) }
}

/// Plays a claim after the other, and compares with what is expected, or writes that with `--update`.
pub(super) fn play_file(
    arguments: &Arguments,
    file: &ScenarioFile,
    guest: &mut impl FnMut() -> anyhow::Result<Guest>,
) -> anyhow::Result<CommandEnd> {
    let (mut end, mut texts) = (CommandEnd::Reached, NewTexts::new());
    for scenario in &file.claims {
        end = end.or(play_claim(arguments, &file.source, scenario, guest()?, &mut texts));
        if ending::cut_short().is_some() {
            break;
        }
    }
    if !texts.is_empty()
        && let Err(error) = file.source.replace(&file.path, &rewrite(&file.source.text, texts))
    {
        output::error(&format!("cannot write {}: {error}", file.source.name));
        return Ok(CommandEnd::BadInput);
    }
    Ok(end)
}

fn play_claim(arguments: &Arguments, source: &InputFile, scenario: &Scenario, guest: Guest, texts: &mut NewTexts) -> CommandEnd {
    let shows_all = arguments.output.for_people() && !arguments.quiet;
    let played = match claim::play(scenario, guest, Bounds::default()) {
        Ok(played) => played,
        Err(diagnostics) => {
            source.complain(&diagnostics);
            return CommandEnd::BadInput;
        }
    };
    if shows_all {
        output::text(&format!("## {}\n", scenario.claim));
    }
    if !arguments.quiet {
        print(arguments, &mut Transcript::new(play::start()), played.entries.iter());
    }
    if shows_all {
        output::text(&format!("\n{}\n", played.status));
    }
    let blocks = [("trace", scenario.trace.as_ref(), &played.trace), ("status", scenario.status.as_ref(), &played.status)];
    let differing = blocks.into_iter().filter_map(|(name, block, seen)| Some((name, block.filter(|block| block.text != *seen)?, seen)));
    let differing: Vec<(&str, &FencedBlock, &String)> = differing.collect();
    if arguments.update {
        texts.extend(differing.iter().map(|(_, block, seen)| (block.place.clone(), (*seen).clone())));
    } else {
        differing.iter().for_each(|(name, block, seen)| complain(source, name, block, seen));
    }
    source.complain(&played.idle_rules);
    let undone = undone(source, scenario, &played.undone);
    let expects = scenario.trace.is_some() || scenario.status.is_some();
    if !expects {
        output::error(&format!(
            "{}: {:?} expects nothing: add an empty block `trace` or `status`, and pass --update",
            source.name, scenario.claim
        ));
    }
    let good = expects && (differing.is_empty() || arguments.update) && !undone && played.idle_rules.is_empty();
    let changed = !differing.is_empty() && arguments.update;
    report(arguments, source, scenario, if changed { "updated" } else { "went as expected" }, good);
    if good { CommandEnd::Reached } else { CommandEnd::Failed }
}

/// Prints how a claim went, on a line; people see above what is wrong.
fn report(arguments: &Arguments, source: &InputFile, Scenario { claim, line, .. }: &Scenario, how: &str, good: bool) {
    if arguments.output == OutputFormat::Json {
        let line = json!({"type": "scenario", "file": source.name, "line": line, "claim": claim, "asExpected": good});
        output::text(&format!("{line}\n"));
    } else if good {
        output::text(&format!("{}:{line}: {claim:?} {how}\n{}", source.name, if arguments.quiet { "" } else { "\n" }));
    }
}

/// Whether an action was not carried out, in a claim whose trace does not expect it; prints it.
fn undone(source: &InputFile, scenario: &Scenario, undone: &[Text]) -> bool {
    let unexpected = if scenario.trace.is_some() { &[] } else { undone };
    for message in unexpected {
        output::error(&format!("{}: {:?}: {message}", source.name, scenario.claim));
    }
    !unexpected.is_empty()
}

/// Prints how a block differs from what was seen.
fn complain(source: &InputFile, name: &str, block: &FencedBlock, seen: &str) {
    let same = block.text.lines().zip(seen.lines()).take_while(|(expected, seen)| expected == seen).count();
    let line = block.line + same;
    output::error(&format!("{}:{line}: the {name} differs from here on (- expected, + played); --update rewrites it", source.name));
    output::complain(&difference(&block.text, seen));
}

/// Reads the claims of a scenario file; what is wrong with it is printed.
pub(super) fn read(source: &InputFile) -> Result<Vec<Scenario>, BadInput> {
    play::scenario::read(&source.text).map_err(|misshapen| {
        output::error(&format!("{}: {misshapen}", source.name));
        BadInput
    })
}

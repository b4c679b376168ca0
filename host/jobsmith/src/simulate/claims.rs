//! Scenario files: each claim is played by itself, and compared with what the file expects.
//!
//! Docs: scenario files are described in `play::scenario`. Manifests are played in `mod.rs`.

use std::path::Path;

use api::Text;
use host_embed::Guest;
use play::scenario::{FencedBlock, Scenario};
use play::trace::Transcript;
use play::{Bounds, claim};

use super::super::ending;
use super::super::input::{BadInput, InputFile};
use super::super::{CommandEnd, output};
use super::Arguments;
use super::watch::print;

/// How many lines are shown on each side of a difference.
const NEIGHBOURS: usize = 3;

/// Plays a claim after the other, and compares with what is expected.
pub(super) fn play_file(
    arguments: &Arguments,
    path: &Path,
    guest: &mut impl FnMut() -> anyhow::Result<Guest>,
) -> anyhow::Result<CommandEnd> {
    let Ok(source) = InputFile::read(path) else { return Ok(CommandEnd::BadInput) };
    let Ok(claims) = read(&source) else { return Ok(CommandEnd::BadInput) };
    let mut end = CommandEnd::Reached;
    for scenario in &claims {
        end = end.or(play_claim(arguments, &source, scenario, guest()?));
        if ending::cut_short().is_some() {
            break;
        }
    }
    Ok(end)
}

fn play_claim(arguments: &Arguments, source: &InputFile, scenario: &Scenario, guest: Guest) -> CommandEnd {
    let played = match claim::play(scenario, guest, Bounds::default()) {
        Ok(played) => played,
        Err(diagnostics) => {
            source.complain(&diagnostics);
            return CommandEnd::BadInput;
        }
    };
    if arguments.output.for_people() {
        output::text(&format!("## {}\n", scenario.claim));
    }
    print(arguments, &mut Transcript::new(play::start()), played.entries.iter());
    if arguments.output.for_people() {
        output::text(&format!("\n{}\n", played.status));
    }
    let trace = as_expected(source, scenario.trace.as_ref(), &played.trace, "trace");
    let status = as_expected(source, scenario.status.as_ref(), &played.status, "status");
    source.complain(&played.idle_rules);
    let undone = undone(source, scenario, &played.undone);
    let expects = scenario.trace.is_some() || scenario.status.is_some();
    if !expects {
        output::error(&format!("{}: {:?} expects nothing: add a block `trace` or a block `status`", source.name, scenario.claim));
    }
    if expects && trace && status && !undone && played.idle_rules.is_empty() { CommandEnd::Reached } else { CommandEnd::Failed }
}

/// Whether an action was not carried out, in a claim whose trace does not expect it; prints it.
fn undone(source: &InputFile, scenario: &Scenario, undone: &[Text]) -> bool {
    let unexpected = if scenario.trace.is_some() { &[] } else { undone };
    for message in unexpected {
        output::error(&format!("{}: {:?}: {message}", source.name, scenario.claim));
    }
    !unexpected.is_empty()
}

/// Whether a block is as it was seen; prints where it is not, and the lines there.
fn as_expected(source: &InputFile, block: Option<&FencedBlock>, seen: &str, name: &str) -> bool {
    let Some(block) = block else { return true };
    if block.text == seen {
        return true;
    }
    let same = block.text.lines().zip(seen.lines()).take_while(|(expected, seen)| expected == seen).count();
    let line = block.line + same;
    output::error(&format!("{}:{line}: the {name} differs from here on (- expected, + played)", source.name));
    output::complain(&difference(&block.text, seen, same));
    false
}

/// Where two texts diverge after `same` equal lines: the last of those, and the next lines of each.
fn difference(expected: &str, seen: &str, same: usize) -> String {
    let from = |sign: char, text: &str, first: usize, lines: usize| -> String {
        let shown = text.lines().skip(first).take(lines).map(|line| format!("  {sign} {line}\n")).collect::<String>();
        if shown.is_empty() { format!("  {sign} (the end)\n") } else { shown }
    };
    let before = same.min(NEIGHBOURS);
    let common = if before > 0 { from(' ', seen, same - before, before) } else { String::new() };
    format!("{common}{}{}", from('-', expected, same, NEIGHBOURS), from('+', seen, same, NEIGHBOURS))
}

/// Reads the claims of a scenario file; what is wrong with it is printed.
pub(super) fn read(source: &InputFile) -> Result<Vec<Scenario>, BadInput> {
    play::scenario::read(&source.text).map_err(|misshapen| {
        output::error(&format!("{}: {misshapen}", source.name));
        BadInput
    })
}

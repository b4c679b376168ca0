//! `jobsmith test`: plays the claims of scenario files, and compares what happens with what they expect.
//!
//! Docs: `tests/scenarios/README.md` is the format. Which files there are is found in `test/files.rs`, a claim is played in `test/result.rs`, the forms of
//! output are in `test/format.rs`.

mod difference;
mod files;
mod format;
mod help;
mod result;

use std::ops::{ControlFlow, Range};
use std::path::PathBuf;

use host_embed::Component;
use play::scenario::{Scenario, rewrite};

use self::files::TestFile;
use self::format::TestFormat;
use self::help::HELP;
use self::result::{ClaimResult, ClaimStatus};
use super::input::BadInput;
use super::{CommandEnd, configuration, ending, output, parallel};

/// The arguments of `jobsmith test`.
#[derive(clap::Args)]
#[command(after_help = HELP, override_usage = "jobsmith test [OPTIONS] <FILE|DIR>…")]
pub(crate) struct Arguments {
    /// Scenario files, or folders with them: files that end in .md and have a block `files`, `script`, `expect`, `trace` or `status`
    #[arg(required = true, value_name = "FILE|DIR")]
    files: Vec<PathBuf>,

    /// Test only the claims whose headings have these words
    #[arg(short, long, value_name = "WORDS")]
    claim: Option<String>,

    /// Compare every trace and status whole, as if `exact` were written behind each
    #[arg(long)]
    exact: bool,

    /// Write what happens into the blocks `trace` and `status`, in place of what they state: everything into empty and exact ones; assertions stay as they are
    #[arg(long)]
    update: bool,

    /// List the claims, and test none
    #[arg(long, conflicts_with_all = ["exact", "update", "quiet", "output", "config", "defaults"])]
    list: bool,

    #[command(flatten)]
    configuration: configuration::Arguments,

    /// Print only the claims that fail, and the summary
    #[arg(short, long, conflicts_with = "output")]
    quiet: bool,

    /// What to print
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value = "full")]
    output: TestFormat,
}

/// How many claims there were of each kind.
#[derive(Default)]
struct Total {
    files: usize,
    passed: usize,
    failed: usize,
    updated: usize,
}

/// Tests all claims, and prints how they went.
pub(crate) fn run(arguments: &Arguments, component: &Component) -> anyhow::Result<CommandEnd> {
    if arguments.configuration.guest(component)?.is_err() {
        return Ok(CommandEnd::BadInput);
    }
    let (files, mut all) = files::read(&arguments.files, arguments.claim.as_deref());
    let claims: Vec<(&TestFile, usize)> = files.iter().flat_map(|file| (0..file.claims.len()).map(move |claim| (file, claim))).collect();
    if claims.is_empty() && all.is_ok() {
        output::error(&nothing_to_test(arguments));
        return Ok(CommandEnd::BadInput);
    }
    if arguments.list {
        output::text(&claims.iter().map(|(file, claim)| listed(file, *claim)).collect::<String>());
        return Ok(ended(&all, &[]));
    }
    let mut written = Vec::new();
    let test = |at: usize| {
        let (file, claim) = claims[at];
        arguments.configuration.another(component).map(|guest| result::test(file, &file.claims[claim], guest, arguments.exact))
    };
    let (mut results, mut failure, mut printed) = (Vec::new(), None, false);
    parallel::in_order(claims.len(), test, |at, result| {
        let result = match result {
            Ok(result) if arguments.update => result.updated(),
            Ok(result) => result,
            Err(error) => {
                failure = Some(error);
                return ControlFlow::Break(());
            }
        };
        if !(arguments.quiet && result.passed()) {
            output::text(&arguments.output.line(&result));
            printed = true;
        }
        results.push(result);
        let (file, claim) = claims[at];
        if arguments.update && claim + 1 == file.claims.len() {
            match update(file, &results[results.len() - file.claims.len()..]) {
                Ok(claims) => written.extend((claims > 0).then_some((file, claims))),
                Err(bad) => all = Err(bad),
            }
        }
        if output::reader_gone() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if let Some(error) = failure {
        return Err(error);
    }
    output::text(&arguments.output.report(&files, &results));
    let total = Total::of(&files, &results);
    match arguments.output {
        _ if results.is_empty() => {}
        TestFormat::Full => output::text(&format!("{}{}", if printed { "\n" } else { "" }, total.summary())),
        TestFormat::Concise | TestFormat::Github => output::complain(&total.summary()),
        TestFormat::Json | TestFormat::Junit => {}
    }
    if arguments.update {
        output::complain(&what_was_written(&written));
    }
    Ok(ending::cut_short().unwrap_or_else(|| ended(&all, &results)))
}

/// Why there is nothing to test, and what to do.
fn nothing_to_test(arguments: &Arguments) -> String {
    match &arguments.claim {
        Some(words) => format!("no claim has the words {words:?} in its heading: leave out --claim, or write other words"),
        None => "there are no scenario files here: a scenario file ends in .md and has claims with a block ```expect, ```trace or ```status; `jobsmith simulate FILE --save \
                 NAME.md` writes one"
            .to_owned(),
    }
}

/// A claim in a line, with its place.
fn listed(file: &TestFile, claim: usize) -> String {
    let Scenario { line, claim, .. } = &file.claims[claim];
    format!("{}:{line}: {claim}\n", file.file.source.name)
}

/// Writes what happened in the claims of a file into it, and returns in how many of them.
fn update(file: &TestFile, results: &[ClaimResult<'_>]) -> Result<usize, BadInput> {
    let texts: Vec<(Range<usize>, String)> = results.iter().flat_map(|result| result.rewritten.iter().cloned()).collect();
    if texts.is_empty() {
        return Ok(0);
    }
    let source = &file.file.source;
    source.replace(&file.file.path, &rewrite(&source.text, texts)).map_err(|error| {
        output::error(&format!("cannot write {}: {error}", source.name));
        BadInput
    })?;
    Ok(results.iter().filter(|result| !result.rewritten.is_empty()).count())
}

/// Which files were written, and how many claims in each.
fn what_was_written(written: &[(&TestFile, usize)]) -> String {
    let line = |(file, claims): &(&TestFile, usize)| format!("rewrote {} in {}\n", output::number(*claims, "claim"), file.file.source.name);
    if written.is_empty() { "nothing was written\n".to_owned() } else { written.iter().map(line).collect() }
}

/// How the command ends: what cannot be tested counts most.
fn ended(all: &Result<(), BadInput>, results: &[ClaimResult<'_>]) -> CommandEnd {
    let any = |status| results.iter().any(|result| result.status == status);
    match all {
        Err(BadInput) => CommandEnd::BadInput,
        Ok(()) if any(ClaimStatus::Untestable) => CommandEnd::BadInput,
        Ok(()) if any(ClaimStatus::Failed) => CommandEnd::Failed,
        Ok(()) => CommandEnd::Reached,
    }
}

impl Total {
    fn of(files: &[TestFile], results: &[ClaimResult<'_>]) -> Self {
        let mut total = Self { files: files.iter().filter(|file| !file.claims.is_empty()).count(), ..Self::default() };
        for result in results {
            match result.status {
                ClaimStatus::Passed => total.passed += 1,
                ClaimStatus::Updated => total.updated += 1,
                ClaimStatus::Failed | ClaimStatus::Untestable => total.failed += 1,
            }
        }
        total
    }

    /// As in `1 claim failed, 3 passed in 2 files`, of at least one claim.
    fn summary(&self) -> String {
        let counts = [(self.failed, "failed"), (self.updated, "updated"), (self.passed, "passed")];
        let mut counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let first = counts.next().map(|(count, what)| format!("{} {what}", output::number(count, "claim"))).unwrap_or_default();
        let more: String = counts.map(|(count, what)| format!(", {count} {what}")).collect();
        format!("{first}{more} in {}\n", output::number(self.files, "file"))
    }
}

#[cfg(test)]
mod tests {
    use super::Total;

    #[test]
    fn the_summary_counts_claims() {
        assert_eq!(Total { files: 2, passed: 3, failed: 1, updated: 0 }.summary(), "1 claim failed, 3 passed in 2 files\n");
        assert_eq!(Total { files: 1, passed: 0, failed: 0, updated: 2 }.summary(), "2 claims updated in 1 file\n");
    }
}

//! `jobsmith lint`: the rules of `jobsmith check`, and the page of each.
//!
//! Docs: `jobsmith lint --help`. The rules and their pages are in the crate `advice`; what is found by them is printed in `check/`.

use advice::{AdviceRule, RULES, page, rule};

use super::check::level;
use super::{CommandEnd, output};

/// The arguments of `jobsmith lint`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The name of a rule, as `check` prints it; without it, all rules are listed
    #[arg(value_name = "RULE")]
    rule: Option<String>,

    /// Print the pages of all rules, as one Markdown document
    #[arg(long, conflicts_with = "rule")]
    all: bool,
}

const EXAMPLES: &str = "\
Errors are what the API server refuses or will refuse, warnings are about what probably does not do what you mean, and notes are worth knowing. What pedantic rules find is reported as
warnings with `jobsmith check --pedantic`, and not without.

  jobsmith lint
  jobsmith lint logs-lost
  jobsmith lint --all > rules.md

Exit status: 0 success, 2 there is no rule of this name";

/// Prints the page of a rule, or all rules.
pub(crate) fn run(arguments: &Arguments) -> CommandEnd {
    let Some(name) = &arguments.rule else {
        output::text(&if arguments.all { pages() } else { list() });
        return CommandEnd::Reached;
    };
    let Some(rule) = rule(name) else {
        let meant = manifest::nearest(name, RULES.iter().map(|rule| rule.name.as_str()));
        let remedy = meant.map_or_else(|| "`jobsmith lint` lists all rules".to_owned(), |meant| format!("did you mean {meant}?"));
        output::error(&format!("there is no rule {name:?}; {remedy}"));
        return CommandEnd::BadInput;
    };
    output::text(&explained(rule));
    CommandEnd::Reached
}

/// All rules, by chapter, a line each.
fn list() -> String {
    let widest = RULES.iter().map(|rule| rule.name.as_str().len()).max().unwrap_or_default();
    let line = |rule: &AdviceRule| {
        let (number, level, name) = (rule.number(), level_of(rule), rule.name.as_str());
        format!("  {number}  {level:<8}  {name:<widest$}  {}\n", rule.summary)
    };
    let chapters = RULES.chunk_by(|one, next| one.chapter() == next.chapter());
    let listed = chapters.map(|rules| format!("{}\n{}", rules[0].chapter(), rules.iter().map(line).collect::<String>()));
    listed.collect::<Vec<_>>().join("\n")
}

/// The page of a rule, with its number and level below its heading.
fn explained(rule: &AdviceRule) -> String {
    let page = page(rule.name.as_str()).unwrap_or_default();
    let (heading, rest) = page.split_once('\n').unwrap_or((page, ""));
    format!("{heading}\n\n{}, {}: {}.\n{rest}", rule.number(), level_of(rule), rule.summary)
}

/// How bad it is what a rule finds, or that it is only reported where somebody asks for it.
fn level_of(rule: &AdviceRule) -> &'static str {
    if rule.is_pedantic() { "pedantic" } else { level(rule.severity) }
}

/// The pages of all rules below one heading.
fn pages() -> String {
    let deeper = |page: String| {
        let mut code = false;
        let line = |line: &str| {
            code ^= line.starts_with("```");
            if line.starts_with('#') && !code { format!("#{line}\n") } else { format!("{line}\n") }
        };
        page.lines().map(line).collect::<String>()
    };
    let pages = RULES.iter().map(|rule| deeper(explained(rule)));
    format!("# Rules of jobsmith check\n\n{}", pages.collect::<Vec<_>>().join("\n"))
}

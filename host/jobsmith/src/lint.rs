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
    /// The name of a rule, as `check` prints it, or its number; or words to look for in the rules and their pages. Without them, all rules are listed
    #[arg(value_name = "RULE|WORDS")]
    rule: Vec<String>,

    /// Print the pages of all rules, as one Markdown document
    #[arg(long, conflicts_with = "rule")]
    all: bool,
}

const EXAMPLES: &str = "\
Errors are what the API server refuses or will refuse, warnings are about what probably does not do what you mean, and notes are worth knowing. What pedantic rules find is reported as
warnings with `jobsmith check --pedantic`, and not without.

  jobsmith lint
  jobsmith lint logs-lost
  jobsmith lint L-407
  jobsmith lint time zone                # the rules that have these words
  jobsmith lint --all > rules.md

Exit status: 0 success, 2 there is no such rule";

/// Prints the page of a rule, or rules with some words, or all rules.
pub(crate) fn run(arguments: &Arguments) -> CommandEnd {
    let words: Vec<&str> = arguments.rule.iter().flat_map(|words| words.split_whitespace()).collect();
    let (found, meant) = match words[..] {
        [] => {
            output::text(&if arguments.all { pages() } else { list(|_| true) });
            return CommandEnd::Reached;
        }
        [word] => (named(word), manifest::nearest(word, RULES.iter().map(|rule| rule.name.as_str()))),
        _ => (None, None),
    };
    let with_words = || list(|rule| has_words(&in_line(rule), &words));
    let with_words_in_page = || list(|rule| has_words(&explained(rule), &words));
    let shown = match (found, meant) {
        (Some(rule), _) => explained(rule),
        (None, Some(_)) => String::new(),
        (None, None) => Some(with_words()).filter(|rules| !rules.is_empty()).unwrap_or_else(with_words_in_page),
    };
    if shown.is_empty() {
        let remedy = meant.map_or_else(|| "`jobsmith lint` lists all rules".to_owned(), |meant| format!("did you mean {meant}?"));
        output::error(&format!("there is no rule {:?}; {remedy}", words.join(" ")));
        return CommandEnd::BadInput;
    }
    output::text(&shown);
    CommandEnd::Reached
}

/// The rule of this name or number: `utc`, `L-407`, `407`.
fn named(word: &str) -> Option<&'static AdviceRule> {
    let word = word.to_ascii_lowercase();
    let number = word.trim_start_matches("l-").trim_start_matches('l').parse::<u16>().ok();
    rule(&word).or_else(|| RULES.iter().find(|rule| Some(rule.code) == number))
}

/// Whether a text has all of these words, in capital letters or not.
fn has_words(text: &str, words: &[&str]) -> bool {
    let text = text.to_lowercase();
    words.iter().all(|word| text.contains(&word.to_lowercase()))
}

/// The rules that are wanted, by chapter, a line each.
fn list(wanted: impl Fn(&AdviceRule) -> bool) -> String {
    let rules: Vec<&AdviceRule> = RULES.iter().filter(|rule| wanted(rule)).collect();
    let chapters = rules.chunk_by(|one, next| one.chapter() == next.chapter());
    let listed = chapters.map(|rules| format!("{}\n{}", rules[0].chapter(), rules.iter().map(|rule| in_line(rule)).collect::<String>()));
    listed.collect::<Vec<_>>().join("\n")
}

/// A rule in a line: its number, level and name, and what it finds.
fn in_line(rule: &AdviceRule) -> String {
    let widest = RULES.iter().map(|rule| rule.name.as_str().len()).max().unwrap_or_default();
    let (number, level, name) = (rule.number(), level_of(rule), rule.name.as_str());
    format!("  {number}  {level:<8}  {name:<widest$}  {}\n", rule.summary)
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

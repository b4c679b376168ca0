//! Slips of rules: what people write who know other systems, and what to write instead.
//!
//! Docs: README, "Beyond Kubernetes". Messages that need quotes are in `unquoted.rs`.

use super::part::{AnnotationPart, AnnotationProblem};

/// What is written, and what is meant.
const MEANT: [(&str, &str); 27] = [
    ("->", ":"),
    ("=>", ":"),
    ("exit codes ", "exit "),
    ("exit code ", "exit "),
    ("exit: ", "exit "),
    ("exit=", "exit "),
    ("exit != 0", "exit 1-255"),
    ("reason: ", "reason "),
    ("reason=", "reason "),
    (" or ", "|"),
    ("|later", " or later"),
    ("retry with ", "retry, "),
    ("retry in ", "retry after "),
    ("retry, after ", "retry after "),
    ("uncounted, after ", "uncounted after "),
    ("on another node", "another node"),
    ("more memory", "memory x2"),
    ("2x memory", "memory x2"),
    (" seconds", "s"),
    (" minutes", "m"),
    (" minute", "m"),
    (" hours", "h"),
    (" hour", "h"),
    ("oomkilled:", "reason OOMKilled:"),
    ("oom:", "reason OOMKilled:"),
    ("evicted:", "condition DisruptionTarget:"),
    ("preempted:", "condition DisruptionTarget:"),
];
/// Longer lines are not corrected: all of one is shown.
const LONGEST: usize = 120;

/// Reads a line; if it could be read without its slips, that is suggested.
pub(super) fn suggesting_meant<T>(
    line: AnnotationPart<'_>,
    read: impl Fn(AnnotationPart<'_>) -> Result<T, AnnotationProblem>,
) -> Result<T, AnnotationProblem> {
    read(line).map_err(|problem| {
        let short = line.text.len() <= LONGEST && !line.text.contains('"');
        let meant = short.then(|| meant(line.text)).filter(|meant| meant != line.text && read(AnnotationPart::whole(meant)).is_ok());
        match meant {
            Some(meant) => AnnotationProblem { remedy: format!("write `{meant}`"), ..problem },
            None => problem,
        }
    })
}

/// A line without slips.
fn meant(line: &str) -> String {
    let line = line.trim_start_matches("- ");
    let (word, rest) = line.split_at(line.find([' ', ':', '=']).unwrap_or(line.len()));
    let corrected = MEANT.iter().fold(word.to_lowercase() + rest, |line, (written, meant)| line.replace(written, meant));
    let mut line = corrected.replace(" :", ":");
    if !line.contains(':') {
        let action = [", retry", ", fail", ", hold"].iter().find_map(|action| line.find(action));
        if let Some(at) = action {
            line.replace_range(at..=at, ":");
        }
    }
    let Some((head, tail)) = line.split_once(':') else { return line };
    let words: Vec<&str> = tail.split(' ').collect();
    let budget = words.windows(2).position(|pair| pair[1].trim_end_matches(',') == "times" && pair[0].parse::<u32>().is_ok());
    let Some(at) = budget else { return uncounted_first(&line) };
    let from = if at >= 2 && words[at - 2..at] == ["at", "most"] { at - 2 } else { at };
    let comma = words[at + 1].trim_start_matches("times");
    let rest = [&[&*(words[..from].join(" ") + comma)], &words[at + 2..]].concat().join(" ");
    uncounted_first(&format!("{head} at most {} times:{rest}", words[at]))
}

/// `retry uncounted after 5m`, if that is written in another order.
fn uncounted_first(line: &str) -> String {
    match line.strip_suffix(" uncounted").and_then(|line| line.split_once("retry after ")) {
        Some((before, delay)) => format!("{before}retry uncounted after {delay}"),
        None => line.to_owned(),
    }
}

//! Slips of rules: what people write who know other systems, and what to write instead.
//!
//! Docs: README, "Beyond Kubernetes". Messages that need quotes are in `unquoted.rs`.

use std::ops::Range;

use super::part::{AnnotationPart, AnnotationProblem};

/// What is written, and what is meant.
const MEANT: [(&str, &str); 31] = [
    ("->", ":"),
    ("=>", ":"),
    ("exit codes ", "exit "),
    ("exit code ", "exit "),
    ("exit: ", "exit "),
    ("exit=", "exit "),
    ("exit != 0", "exit 1-255"),
    ("reason: ", "reason "),
    ("reason=", "reason "),
    ("message: ", "message "),
    (" or ", "|"),
    ("|later", " or later"),
    ("|more", " or later"),
    ("attempts ", "attempt "),
    (" and ", ", "),
    (" then ", " "),
    (" max ", " at most "),
    (", at most ", " at most "),
    ("retry with ", "retry, "),
    ("retry in ", "retry after "),
    ("retry, after ", "retry after "),
    ("uncounted, after ", "uncounted after "),
    (", uncounted", " uncounted"),
    ("on another node", "another node"),
    ("more memory", "memory x2"),
    ("2x memory", "memory x2"),
    (" seconds", "s"),
    (" minutes", "m"),
    (" minute", "m"),
    (" hours", "h"),
    (" hour", "h"),
];
/// Matchers without what they begin with, in small letters.
const SHORT: [(&str, &str); 6] = [
    ("oomkilled", "reason OOMKilled"),
    ("oom", "reason OOMKilled"),
    ("error", "reason Error"),
    ("evicted", "condition DisruptionTarget"),
    ("preempted", "condition DisruptionTarget"),
    ("disruptiontarget", "condition DisruptionTarget"),
];
/// What actions begin with.
const ACTIONS: [&str; 4] = ["retry", "fail", "hold", "replace"];
/// What stands for the text of a message, in which nothing is a slip.
const TEXT: &str = "\0";
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

/// A line without slips. What a message is like stays as it is.
fn meant(line: &str) -> String {
    let Some(text) = message(line) else { return without_slips(line) };
    let rest = &line[text.end..];
    // A deadline has no comma before it.
    let deadline = rest.strip_prefix(',').filter(|rest| rest.trim_start().starts_with(|letter: char| letter.is_ascii_digit()));
    let masked = format!("{}{TEXT}{}", &line[..text.start], deadline.unwrap_or(rest));
    without_slips(&masked).replace(TEXT, &line[text])
}

/// Where the text of a message stands.
fn message(line: &str) -> Option<Range<usize>> {
    let small = line.to_ascii_lowercase();
    let word = small.find("message").filter(|at| !small[..*at].ends_with("the "))?;
    let written = &line[word + "message".len()..];
    let text = written.trim_start_matches([':', '=', ' ']);
    let start = line.len() - text.len();
    let last = text.rfind('*').map_or(0, |at| at + 1);
    let ends = [",", ":", " ->", " =>", " at most "].iter().filter_map(|end| text[last..].find(end));
    let mut end = last + ends.min().unwrap_or(text.len() - last);
    let pending = !line[..word].trim_end_matches(['-', ' ']).is_empty() && !line[..word].trim_end().ends_with(',');
    if pending {
        let mut words = text[last..end].match_indices(' ').map(|(at, _)| last + at);
        end = words.rfind(|at| text[at + 1..].starts_with(|letter: char| letter.is_ascii_digit())).unwrap_or(end);
    }
    Some(start..start + end)
}

/// A line without slips that has no text of a message.
fn without_slips(line: &str) -> String {
    let line = ["- ", "if ", "when "].iter().fold(line, |line, word| line.strip_prefix(word).unwrap_or(line));
    let (word, rest) = line.split_at(line.find([' ', ':', '=']).unwrap_or(line.len()));
    let corrected = MEANT.iter().fold(word.to_lowercase() + rest, |line, (written, meant)| line.replace(written, meant));
    let line = with_colon(corrected.replace(" :", ":"));
    let Some((head, tail)) = line.split_once(':') else { return line };
    let head = with_words(&with_bars(head));
    let tail = tail.trim_start_matches([' ', ':']);
    let (action, rest) = tail.split_at(tail.find([' ', ',']).unwrap_or(tail.len()));
    uncounted_first(&budget_first(&head, &(action.to_lowercase() + rest)))
}

/// A rule with a colon before its action.
fn with_colon(mut line: String) -> String {
    let small = line.to_ascii_lowercase();
    let action = ACTIONS.iter().filter_map(|action| small.find(&format!(" {action}"))).min();
    if let Some(at) = action.filter(|_| !line.contains(':')) {
        line.replace_range(line[..at].trim_end_matches(',').len()..at, ":");
    }
    line
}

/// Matchers with bars between several numbers or reasons.
fn with_bars(head: &str) -> String {
    let mut listed = String::new();
    for word in head.split_inclusive([' ', ',']) {
        let before = listed.trim_end_matches([' ', ',']);
        let numbers = before.ends_with(|letter: char| letter.is_ascii_digit()) && word.starts_with(|letter: char| letter.is_ascii_digit());
        let matcher = before.rsplit(',').next().unwrap_or_default().trim_start();
        let reasons = listed[before.len()..].contains(',') && matcher.starts_with("reason ") && word.starts_with(char::is_uppercase);
        if numbers || reasons {
            listed.truncate(before.len());
            listed.push('|');
        }
        listed.push_str(word);
    }
    listed
}

/// Matchers with the words that they begin with.
fn with_words(head: &str) -> String {
    let with_word = |matcher: &str| {
        let (word, rest) = matcher.split_at(matcher.find(' ').unwrap_or(matcher.len()));
        let short = SHORT.iter().find(|(short, _)| short.eq_ignore_ascii_case(word));
        short.map_or(word, |(_, meant)| meant).to_owned() + rest
    };
    head.split(',').map(|matcher| with_word(matcher.trim())).collect::<Vec<_>>().join(", ")
}

/// A rule with its budget before the colon.
fn budget_first(head: &str, tail: &str) -> String {
    let words: Vec<&str> = tail.split(' ').collect();
    let budget = words.windows(2).position(|pair| pair[1].trim_end_matches(',') == "times" && pair[0].parse::<u32>().is_ok());
    let Some(at) = budget else { return format!("{head}: {tail}") };
    let from = if at >= 2 && [["at", "most"], ["up", "to"]].iter().any(|most| words[at - 2..at] == *most) { at - 2 } else { at };
    let comma = words[at + 1].trim_start_matches("times");
    let before = words[..from].join(" ") + comma;
    format!("{head} at most {} times: {}", words[at], [&[&*before], &words[at + 2..]].concat().join(" "))
}

/// `retry uncounted after 5m`, if that is written in another order.
fn uncounted_first(line: &str) -> String {
    match line.strip_suffix(" uncounted").and_then(|line| line.split_once("retry after ")) {
        Some((before, delay)) => format!("{before}retry uncounted after {delay}"),
        None => line.to_owned(),
    }
}

//! Messages without the quotes that they need: what to write where a comma or a colon cuts a message into two.
//!
//! Docs: README, "Beyond Kubernetes". What messages match is in `glob.rs`.

use super::part::{AnnotationPart, AnnotationProblem};

/// How many ends of a message are tried, so that a long line takes no long time.
const MOST_ENDS: usize = 16;

/// Reads a line; if it could be read with quotes around its message, they are suggested.
pub(super) fn suggesting_quotes<T>(
    line: AnnotationPart<'_>,
    read: impl Fn(AnnotationPart<'_>) -> Result<T, AnnotationProblem>,
) -> Result<T, AnnotationProblem> {
    let quoted = || {
        let (before, rest) = line.text.split_once("message ")?;
        let ends = rest.char_indices().filter(|(at, letter)| matches!(letter, ',' | ':') || rest[*at..].starts_with(" at most "));
        ends.take(MOST_ENDS).find_map(|(end, _)| {
            let message = rest[..end].trim();
            // A text without an asterisk would have to be the whole message.
            let around = if message.contains('*') { "" } else { "*" };
            let line = format!("{before}message \"{around}{message}{around}\"{}", &rest[end..]);
            read(AnnotationPart::whole(&line)).is_ok().then_some(line)
        })
    };
    read(line).map_err(|problem| {
        let Some(line) = quoted() else { return problem };
        let otherwise = problem.remedy.strip_prefix("write ").unwrap_or(&problem.remedy);
        let remedy = format!("write `{line}` if it is a part of the message, or else {otherwise}");
        AnnotationProblem { remedy, ..problem }
    })
}

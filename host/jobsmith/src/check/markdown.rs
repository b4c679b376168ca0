//! Markdown: what was found and what objects will do, as a comment on a pull request.
//!
//! Docs: GitHub Flavored Markdown, "Tables".

use api::Timestamp;

use super::Total;
use super::files::CheckedFile;
use super::format::{level, sentence};
use super::predictions::here;

/// Characters that have a meaning in a cell of a table.
const MEANING: &str = r"\`*_[]<>|&~";

/// The summary, a table of the problems, and one of what objects will do; a table without rows is left out.
pub(super) fn comment(checked: &[CheckedFile], now: Timestamp) -> String {
    let problems = checked.iter().flat_map(|CheckedFile { file, report, .. }| {
        report.diagnostics.iter().map(|found| {
            let place = code(&format!("{}:{}", file.name, found.position.line));
            format!("| {place} | {} | {} | {} |\n", level(found.severity), text(&sentence(found)), code(found.rule.as_str()))
        })
    });
    let reader = here(now);
    let predictions = checked.iter().flat_map(|file| &file.predictions).map(|predicted| {
        let lines: Vec<String> = predicted.lines(reader.as_ref(), now).iter().map(|line| text(line)).collect();
        format!("| {} | {} |\n", code(predicted.name()), lines.join("<br>"))
    });
    let tables = [
        table("| Where | Level | What is wrong, and what to do | Rule |\n|---|---|---|---|\n", problems.collect()),
        table("| Object | What it will do |\n|---|---|\n", predictions.collect()),
    ];
    format!("**jobsmith check**: {}{}", Total::of(checked).summary(), tables.concat())
}

fn table(head: &str, rows: String) -> String {
    if rows.is_empty() { rows } else { format!("\n{head}{rows}") }
}

/// Text of a cell, so that it is shown as it is.
fn text(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if MEANING.contains(character) {
            escaped.push('\\');
        }
        escaped.push(if character == '\n' { ' ' } else { character });
    }
    escaped
}

/// A name or a place in a cell.
fn code(text: &str) -> String {
    let entities = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("|", "&#124;"), ("`", "&#96;"), ("*", "&#42;"), ("_", "&#95;")];
    let escaped = entities.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    format!("<code>{escaped}</code>")
}

#[cfg(test)]
mod tests {
    use super::{code, text};

    #[test]
    fn what_has_a_meaning_in_a_table_is_shown_as_it_is() {
        assert_eq!(text("spec.schedule \"* * * * *\" | a\nb"), r#"spec.schedule "\* \* \* \* \*" \| a b"#);
        assert_eq!(code("k8s/a|b<c>_d.yaml:7"), "<code>k8s/a&#124;b&lt;c&gt;&#95;d.yaml:7</code>");
    }
}

//! JUnit XML: each file is a test, which fails if the API server would refuse something in it.
//!
//! Docs: the format that Jenkins and GitLab read. Warnings are in the test's output.

use std::fmt::Write as _;

use manifest::Severity;

use super::files::CheckedFile;
use super::format::sentence;

/// The report.
pub(super) fn report(checked: &[CheckedFile]) -> String {
    let failed = checked.iter().filter(|checked| checked.report.count(Severity::Error) > 0).count();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"jobsmith check\" tests=\"{}\" failures=\"{failed}\">\n",
        checked.len()
    );
    for CheckedFile { file, report, .. } in checked {
        let lines = |severity| -> String {
            let found = report.diagnostics.iter().filter(|found| found.severity == severity);
            found
                .map(|found| format!("{}:{}: {} [{}]\n", found.position.line, found.position.column, sentence(found), found.rule.as_str()))
                .collect()
        };
        let name = escaped(&file.name);
        let (errors, warnings) = (lines(Severity::Error), lines(Severity::Warning));
        if errors.is_empty() && warnings.is_empty() {
            let _ = writeln!(xml, "    <testcase classname=\"jobsmith check\" name=\"{name}\"/>");
            continue;
        }
        let _ = writeln!(xml, "    <testcase classname=\"jobsmith check\" name=\"{name}\">");
        if !errors.is_empty() {
            let first = escaped(errors.lines().next().unwrap_or_default());
            let _ = writeln!(xml, "      <failure message=\"{first}\">{}</failure>", escaped(&errors));
        }
        if !warnings.is_empty() {
            let _ = writeln!(xml, "      <system-out>{}</system-out>", escaped(&warnings));
        }
        xml += "    </testcase>\n";
    }
    xml + "  </testsuite>\n</testsuites>\n"
}

/// Text for XML 1.0, which has no control characters but tab and line ends.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\t' | '\n' | '\r' => escaped.push(letter),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ if letter.is_control() && (letter as u32) < 0x20 => escaped.push('\u{fffd}'),
            _ => escaped.push(letter),
        }
    }
    escaped
}

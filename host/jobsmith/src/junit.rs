//! JUnit XML: tests in suites, as `jobsmith check` and `jobsmith test` report files and claims.
//!
//! Docs: the format that Jenkins and GitLab read. What is a test, and when it fails, is decided in `check/format.rs` and `test/format.rs`.

use std::fmt::Write as _;
use std::time::Duration;

/// Tests that belong together.
pub(crate) struct TestSuite {
    pub(crate) name: String,
    pub(crate) cases: Vec<TestCase>,
}

/// A test.
#[derive(Default)]
pub(crate) struct TestCase {
    /// What it belongs to.
    pub(crate) class: String,
    pub(crate) name: String,
    /// How long it took, if that is known.
    pub(crate) took: Option<Duration>,
    /// What is wrong; empty if it passed. The first line is its summary.
    pub(crate) failure: String,
    /// What it printed besides.
    pub(crate) output: String,
}

/// The report.
pub(crate) fn report(suites: &[TestSuite]) -> String {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_owned();
    for TestSuite { name, cases } in suites {
        let (tests, failures) = (cases.len(), cases.iter().filter(|case| !case.failure.is_empty()).count());
        let _ = writeln!(xml, "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\">", escaped(name));
        cases.iter().for_each(|case| case.write(&mut xml));
        xml += "  </testsuite>\n";
    }
    xml + "</testsuites>\n"
}

impl TestCase {
    fn write(&self, xml: &mut String) {
        let Self { class, name, took, failure, output } = self;
        let time = took.map(|took| format!(" time=\"{:.3}\"", took.as_secs_f64())).unwrap_or_default();
        let head = format!("    <testcase classname=\"{}\" name=\"{}\"{time}", escaped(class), escaped(name));
        if failure.is_empty() && output.is_empty() {
            *xml += &format!("{head}/>\n");
            return;
        }
        *xml += &format!("{head}>\n");
        if !failure.is_empty() {
            let first = escaped(failure.lines().next().unwrap_or_default());
            let _ = writeln!(xml, "      <failure message=\"{first}\">{}</failure>", escaped(failure));
        }
        if !output.is_empty() {
            let _ = writeln!(xml, "      <system-out>{}</system-out>", escaped(output));
        }
        *xml += "    </testcase>\n";
    }
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

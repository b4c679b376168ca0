//! Annotations: workflow commands that show a problem on its line in GitHub Actions.
//!
//! Docs: GitHub Actions, "Workflow commands". What is annotated is decided in `check/format.rs` and `test/format.rs`.

/// The annotation of a place in a file: `level` is `error` or `warning`, `place` has properties such as `line=3`. A command is one line; `%`, line ends, and
/// in properties `:` and `,` are escaped.
pub(crate) fn annotation(level: &str, file: &str, place: &str, title: &str, message: &str) -> String {
    let text = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |value: &str| text(value).replace(':', "%3A").replace(',', "%2C");
    format!("::{level} file={},{place},title={}::{}", property(file), property(title), text(message))
}

//! A diagnostic as the page shows it.
//!
//! Docs: `web/src/views.ts` is generated from these types. Diagnostics are those of `manifest`.

use manifest::{Diagnostic, Edit, Position, Repair, Repairs, Severity};
use serde::{Serialize, Serializer};

/// Something that is wrong with a manifest or a script.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Diagnostic"))]
pub(crate) struct DiagnosticView {
    severity: SeverityView,
    /// What is wrong, in a sentence without its end.
    message: String,
    /// The API field; empty for the whole object.
    path: String,
    /// The line, from 1.
    line: usize,
    /// The column of the first character, from 1.
    column: usize,
    /// How many characters.
    length: usize,
    /// What to do.
    remedy: Option<String>,
    /// The rule of `jobsmith lint` by which it was found, if that has a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    rule: Option<&'static str>,
    /// What does it, if a change of the text can.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    repair: Option<RepairView>,
}

/// A change of the text that makes a problem go away.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Repair"))]
pub(crate) struct RepairView {
    /// What is done: `Move backoffLimit to spec`.
    label: String,
    /// The changes of the text, which do not overlap.
    changes: Vec<TextChange>,
}

/// A stretch of a text that becomes another, in units of UTF-16.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TextChange {
    from: usize,
    to: usize,
    insert: String,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Severity"))]
#[serde(rename_all = "lowercase")]
pub(crate) enum SeverityView {
    Error,
    Warning,
    /// As the editor calls it.
    #[serde(rename = "info")]
    Note,
}

impl From<Diagnostic> for DiagnosticView {
    fn from(Diagnostic { severity, rule: _, message, path, position, remedy, fix: _ }: Diagnostic) -> Self {
        let severity = match severity {
            Severity::Error => SeverityView::Error,
            Severity::Warning => SeverityView::Warning,
            Severity::Note => SeverityView::Note,
        };
        let Position { line, column, length } = position;
        Self { severity, message, path, line, column, length, remedy, rule: None, repair: None }
    }
}

/// How many problems of a text get a repair: each takes as long as reading the text.
const REPAIRED: usize = 20;

/// What is wrong with a manifest, with the rules by which it was found and the repairs of the first problems.
pub(crate) fn repaired(text: &str, found: Vec<Diagnostic>) -> Vec<DiagnosticView> {
    // Most texts need none.
    let repairs = found.iter().any(|found| found.fix.is_some()).then(|| Repairs::of(text));
    let view = |(number, found): (usize, Diagnostic)| {
        let repair = repairs.as_ref().filter(|_| number < REPAIRED).and_then(|repairs| repairs.repair(&found));
        let rule = check::has_page(&found).then(|| found.rule.as_str());
        DiagnosticView { rule, repair: repair.map(|repair| RepairView::of(text, repair)), ..found.into() }
    };
    found.into_iter().enumerate().map(view).collect()
}

impl RepairView {
    fn of(text: &str, Repair { label, edits }: Repair) -> Self {
        let unit = |byte: usize| text[..byte].encode_utf16().count();
        let change = |Edit { range, text }: Edit| TextChange { from: unit(range.start), to: unit(range.end), insert: text };
        Self { label, changes: edits.into_iter().map(change).collect() }
    }
}

/// Serde for diagnostics.
pub(crate) fn serialize<S: Serializer>(found: &[Diagnostic], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(found.iter().cloned().map(DiagnosticView::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_problems_have_repairs_in_units_of_the_page() {
        let template = "template: {spec: {restartPolicy: Never, containers: [{name: main, image: i}]}}";
        let job = |number| {
            format!("apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a{number}}}\nspec:\n  parallelis{number}: 𝄞\n  {template}\n")
        };
        let text = format!("# 𝄞\n{}", (0..30).map(job).collect::<Vec<_>>().join("---\n"));
        let views = repaired(&text, crate::check::manifest(&text));
        let repairs: Vec<_> = views.iter().filter_map(|view| view.repair.as_ref()).collect();
        assert_eq!((views.len(), repairs.len()), (30, REPAIRED));
        let TextChange { from, to, insert } = &repairs[1].changes[0];
        let units: Vec<u16> = text.encode_utf16().collect();
        assert_eq!((String::from_utf16_lossy(&units[*from..*to]), &**insert), ("parallelis1".to_owned(), "parallelism"));
    }

    #[test]
    fn what_a_rule_with_a_page_found_names_the_rule() {
        let job = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  parallelis: 2\n  template: {spec: {restartPolicy: Never, containers: [{name: main, image: i}]}}\n";
        let owner = "{kind: ReplicaSet, name: web, controller: true}";
        let apart = format!("apiVersion: v1\nkind: Pod\nmetadata: {{name: w, uid: u, ownerReferences: [{owner}]}}\n");
        let rules = |text: &str| repaired(text, crate::check::manifest(text)).iter().map(|view| view.rule).collect::<Vec<_>>();
        assert_eq!(rules(job), [Some("unknown-field")]);
        assert_eq!(rules(&format!("{}---\n{apart}", job.replace("parallelis", "parallelism"))), [None]);
    }
}

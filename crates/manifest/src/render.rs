//! Rendering: diagnostics as compilers show them, with the line, a marker and what helps.
//!
//! Docs: none of Kubernetes'. What is wrong is decided elsewhere; see `diagnostic.rs`.

use std::collections::BTreeSet;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::lines::SourceLines;
use crate::{Diagnostic, Severity};

/// The diagnostics as text: for each the file, line and column, the line itself with a marker, the field's path, and the remedy.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], file_name: &str, source: &str, colour: bool) -> String {
    rendered(diagnostics, file_name, source, colour, false)
}

/// The same with the names of the rules, by which warnings are silenced: `warning[never-fires]`, and where each is explained.
#[must_use]
pub fn render_with_rules(diagnostics: &[Diagnostic], file_name: &str, source: &str, colour: bool) -> String {
    rendered(diagnostics, file_name, source, colour, true)
}

fn rendered(diagnostics: &[Diagnostic], file_name: &str, source: &str, colour: bool, rules: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() }.decor_style(DecorStyle::Ascii);
    let lines = SourceLines::of(source);
    let mut referred = BTreeSet::new();
    let shown = diagnostics.iter().map(|diagnostic| {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let path = (!diagnostic.path.is_empty()).then_some(diagnostic.path.as_str());
        let marker = AnnotationKind::Primary.span(lines.bytes(diagnostic.position)).label(path);
        let title = level.primary_title(diagnostic.message.as_str());
        let title = if rules { title.id(diagnostic.rule.as_str()) } else { title };
        let group = title.element(Snippet::source(source).path(file_name).annotation(marker));
        let help = diagnostic.remedy.as_deref().map(|remedy| Level::HELP.message(remedy));
        let refer = rules && diagnostic.severity != Severity::Error && referred.insert(diagnostic.rule);
        let page = refer.then(|| Level::NOTE.message(format!("see `jobsmith lint {}`", diagnostic.rule.as_str())));
        renderer.render(&[group.elements(help).elements(page)]) + "\n"
    });
    shown.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const JOB: &str = "apiVersion: batch/v1\nkind: Job\nspec:\n  parralelism: 2\n  template:\n    metadata: {labels: {\"ü\": yes}}\n";

    fn check(diagnostics: &[Diagnostic], colour: bool, expected: Expect) {
        expected.assert_eq(&render(diagnostics, "job.yaml", JOB, colour));
    }

    #[test]
    fn diagnostics_are_shown_as_compilers_show_them() {
        check(
            &crate::jobs(JOB).unwrap_err(),
            false,
            expect![[r#"
                error: unknown field "parralelism"
                 --> job.yaml:4:3
                  |
                4 |   parralelism: 2
                  |   ^^^^^^^^^^^ spec.parralelism
                  |
                  = help: did you mean parallelism?

                error: expected text, found yes, which is the boolean true in YAML 1.1
                 --> job.yaml:6:30
                  |
                6 |     metadata: {labels: {"ü": yes}}
                  |                              ^^^ spec.template.metadata.labels[ü]
                  |
                  = help: write it in quotes: "yes"
            "#]],
        );
    }

    #[test]
    fn warnings_have_colours_of_their_own() {
        let found = crate::jobs(JOB).unwrap_err().swap_remove(0);
        check(
            &[Diagnostic { severity: Severity::Warning, ..found }],
            true,
            expect![[r#"
            [1m[33mwarning[0m[1m: unknown field "parralelism"[0m
             [1m[94m--> [0mjob.yaml:4:3
              [1m[94m|[0m
            [1m[94m4[0m [1m[94m|[0m   parralelism: 2
              [1m[94m|[0m   [1m[33m^^^^^^^^^^^[0m [1m[33mspec.parralelism[0m
              [1m[94m|[0m
              [1m[94m= [0m[1mhelp[0m: did you mean parallelism?
        "#]],
        );
    }

    #[test]
    fn positions_beyond_the_text_are_shown_at_its_end() {
        let position = crate::Position { line: 99, column: 9, length: 9 };
        check(
            &[Diagnostic::error(position, "nothing is there")],
            false,
            expect![[r#"
            error: nothing is there
             --> job.yaml:6:36
              |
            6 |     metadata: {labels: {"ü": yes}}
              |                                   ^
        "#]],
        );
    }
}

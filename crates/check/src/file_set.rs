//! Files that are applied together: each is checked by itself, and advice on its objects knows those of all.
//!
//! Docs: kubectl apply, "Apply multiple objects". Which files these are is up to the caller.

use std::sync::Arc;

use advice::{ObjectSet, Origin};
use api::Timestamp;
use manifest::{Contents, Diagnostic, Document, FileReading, ManifestObject, OtherObject, Severity};

use crate::admission::Admission;
use crate::{CheckDepth, Findings, concerns_refused, explains, silence, without_echoes};

/// How the line begins that `helm template` puts above an object.
const SOURCE: &str = "# Source: ";

/// A file that was read.
#[derive(Debug)]
pub struct ManifestFile<'t> {
    text: &'t str,
    objects: Arc<[ManifestObject]>,
    /// What strict decoding refuses of each object.
    refused: Vec<Vec<Diagnostic>>,
    unreadable: Vec<Diagnostic>,
    others: Vec<Document>,
    /// What the others are, in words.
    words: Vec<String>,
    /// Which of them hold Jobs that are not checked.
    unchecked: Vec<Diagnostic>,
    /// Whether the kustomization beside it lists it among its resources.
    kustomized: bool,
}

impl<'t> ManifestFile<'t> {
    /// Reads a file.
    #[must_use]
    pub fn read(text: &'t str) -> Self {
        Self::of(&FileReading::of(text))
    }

    /// A file that has been read.
    #[must_use]
    pub fn of(reading: &FileReading<'t>) -> Self {
        let Contents { objects, unreadable, others } = manifest::contents(reading);
        let (objects, refused): (Vec<_>, Vec<_>) = objects.into_iter().unzip();
        let unchecked = others.iter().filter_map(OtherObject::unchecked).collect();
        let (words, others) = others.into_iter().map(|other| (other.words, other.document)).unzip();
        Self { text: reading.text, objects: objects.into(), refused, unreadable, others, words, unchecked, kustomized: false }
    }

    /// The same as a resource of a kustomization, or not.
    #[must_use]
    pub fn kustomized(self, kustomized: bool) -> Self {
        Self { kustomized, ..self }
    }

    /// Its objects, and where each comes from.
    fn origins(&self) -> impl Iterator<Item = (&ManifestObject, Origin)> {
        let lines: Vec<&str> = self.text.lines().collect();
        self.objects.iter().map(move |object| {
            let above = &lines[..object.document().position("").line - 1];
            let mut comments = above.iter().rev().take_while(|line| line.is_empty() || line.starts_with('#'));
            let origin = match self.kustomized {
                true => Origin::Kustomization,
                false if comments.any(|line| line.starts_with(SOURCE)) => Origin::Chart,
                false => Origin::File,
            };
            (object, origin)
        })
    }
}

/// Files that are applied together.
pub struct FileSet<'f> {
    files: Vec<&'f ManifestFile<'f>>,
    /// The place of the first object of each file among all.
    starts: Vec<usize>,
    set: ObjectSet<'f>,
    now: Timestamp,
}

impl<'f> FileSet<'f> {
    /// These files; schedules are checked from `now` on.
    #[must_use]
    pub fn new(files: impl IntoIterator<Item = &'f ManifestFile<'f>>, now: Timestamp) -> Self {
        let files: Vec<&ManifestFile<'_>> = files.into_iter().collect();
        let start = |next: &mut usize, file: &&ManifestFile<'_>| {
            *next += file.objects.len();
            Some(*next - file.objects.len())
        };
        let starts = files.iter().scan(0, start).collect();
        let objects = files.iter().flat_map(|file| file.origins());
        let set = ObjectSet::new(objects, files.iter().flat_map(|file| &file.others), now);
        Self { files, starts, set, now }
    }

    /// What is in a file, and what was found in it.
    #[must_use]
    pub fn findings(&self, file: usize, depth: CheckDepth<'_>) -> Findings {
        let (start, ManifestFile { text, objects, refused, unreadable, words, unchecked, .. }) = (self.starts[file], self.files[file]);
        let mut found = unreadable.clone();
        if depth != CheckDepth::Mistakes {
            found.extend_from_slice(unchecked);
        }
        let mut admission = Admission::new(self.now);
        let (mut stored, mut errors) = (Vec::new(), Vec::new());
        for (object, refused) in objects.iter().zip(refused) {
            let (reviewed, as_stored) = admission.review(object);
            stored.extend(as_stored.filter(|_| refused.is_empty()));
            let besides =
                reviewed.into_iter().filter(|diagnostic| !refused.iter().any(|refused| explains(refused, diagnostic, object.document())));
            let (invalid, warnings): (Vec<_>, Vec<_>) = besides.partition(|diagnostic| diagnostic.severity == Severity::Error);
            found.extend(warnings);
            errors.push([&invalid[..], refused].concat());
        }
        let advice = self.set.findings(&(start..start + objects.len()), |rule| depth.reports(rule)).into_iter();
        found.extend(advice.filter(|(at, advice)| !concerns_refused(advice, &errors[at - start])).map(|(_, advice)| advice));
        found.extend(errors.into_iter().flatten());
        found.extend(manifest::missing(&objects.iter().collect::<Vec<_>>()));
        found.sort_by_key(|found| (found.position, found.severity));
        let (diagnostics, silenced) = silence::apply(text, objects, without_echoes(found), depth);
        Findings { diagnostics, objects: Arc::clone(objects), stored, others: words.clone(), silenced }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    /// What advice there is on the files of a set, a line each, with the number of the file.
    fn check(files: &[&str], expected: Expect) {
        let read: Vec<ManifestFile<'_>> = files.iter().map(|text| ManifestFile::read(text)).collect();
        let set = FileSet::new(&read, "2026-11-26T12:00:00Z".parse().unwrap());
        let found =
            (0..files.len()).flat_map(|at| set.findings(at, CheckDepth::Advice).diagnostics.into_iter().map(move |found| (at, found)));
        let warnings = found.filter(|(_, found)| found.severity == Severity::Warning);
        let lines =
            warnings.map(|(at, found)| format!("{at}: {}:{} {}\n", found.position.line, found.position.column, found.rule.as_str()));
        expected.assert_eq(&lines.collect::<String>());
    }

    fn job(metadata: &str, more: &str) -> String {
        format!(
            "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a}}\nspec:\n  template:\n    metadata: {{{metadata}}}\n    spec:\n      restartPolicy: Never\n      \
             containers: [{{name: main, image: 'i:1'}}]\n{more}"
        )
    }

    #[test]
    fn advice_knows_the_objects_of_the_other_files() {
        let service = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}}\n";
        let labelled = job("labels: {app: web}", "");
        check(
            &[&labelled, service],
            expect![[r#"
            0: 6:16 service-selects-pods
        "#]],
        );
        check(
            &[service, &job("", ""), &labelled],
            expect![[r#"
            2: 6:16 service-selects-pods
        "#]],
        );
        check(&[&labelled], expect![[""]]);
    }

    #[test]
    fn two_versions_of_one_job_do_not_overlap() {
        let own = job("labels: {app: web}", "")
            .replace("spec:\n  template", "spec:\n  manualSelector: true\n  selector: {matchLabels: {app: web}}\n  template");
        check(&[&own, &own], expect![[""]]);
        check(
            &[&own, &own.replace("name: a}", "name: b}")],
            expect![[r#"
            0: 6:3 overlapping-selectors
            1: 6:3 overlapping-selectors
        "#]],
        );
    }
}

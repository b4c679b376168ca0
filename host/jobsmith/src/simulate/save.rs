//! `jobsmith simulate --save`: what was simulated as a claim of a scenario file, which `jobsmith test` then tests.
//!
//! Docs: `tests/scenarios/README.md`. The claim is written in `play::written`; scenario files are tested in `../test/mod.rs`.

use std::io::Write as _;
use std::path::{Path, PathBuf, absolute};

use api::Duration;
use host_embed::Guest;
use play::Bounds;
use play::claim::RefusedClaim;
use play::written::ClaimDraft;

use super::super::input::BadInput;
use super::super::output;
use super::super::scenario_file::{ScenarioFile, is_scenario, shortest};
use super::Arguments;
use super::session::SessionInput;

/// How many letters of a script a heading has at most.
const LONGEST: usize = 80;

/// The file that gets a claim.
pub(super) struct SaveTarget<'a> {
    path: &'a Path,
    /// The file as it is, if it exists.
    file: Option<ScenarioFile>,
}

impl<'a> SaveTarget<'a> {
    /// The file at a path, if it can get a claim; otherwise, prints why not.
    pub(super) fn new(path: &'a Path, session: &SessionInput) -> Result<Self, BadInput> {
        let refuse = |why: &str| {
            output::error(&format!("--save {}: {why}", path.display()));
            Err(BadInput)
        };
        if !is_scenario(path) {
            return refuse("a scenario file ends in .md: name it so");
        }
        if session.inputs.texts().iter().any(|object| play::found(object)) {
            return refuse(
                "a scenario begins with manifests, and these are objects of a cluster: save the manifest without `status` and `metadata.uid`",
            );
        }
        let file = if path.exists() { Some(ScenarioFile::read(path)?) } else { None };
        Ok(Self { path, file })
    }

    /// Writes the claim; a file that exists gets it at its end. A play that nothing in it ends has this length.
    pub(super) fn save(
        &self,
        arguments: &Arguments,
        session: &SessionInput,
        length: Option<Duration>,
        guest: Guest,
    ) -> Result<(), BadInput> {
        let refuse = |why: &str| {
            output::error(&format!("cannot write {}: {why}", self.path.display()));
            BadInput
        };
        let claim = self.heading(arguments, session);
        let (files, manifest) = self.manifests(session).map_err(|error| refuse(&error.to_string()))?;
        let draft = ClaimDraft { claim: &claim, files: &files, manifest: &manifest, script: &session.script.to_string(), end: length };
        let written = draft.written(guest, Bounds::default()).map_err(|RefusedClaim { here, files }| {
            let found: Vec<String> =
                here.iter().chain(files.iter().flat_map(|(_, found)| found)).map(|found| found.message.clone()).collect();
            refuse(&format!("a scenario cannot have this: {}", found.join("; ")))
        })?;
        let result = match &self.file {
            Some(ScenarioFile { source, .. }) => {
                let text = format!("{}\n\n{written}", source.text.trim_end());
                let text = if text.contains("\r\n") { text.replace("\r\n", "\n").replace('\n', "\r\n") } else { text };
                source.replace(self.path, &text)
            }
            None => std::fs::File::create_new(self.path)
                .and_then(|mut file| file.write_all(format!("# {}\n\n{written}", title(session)).as_bytes())),
        };
        result.map_err(|error| refuse(&error.to_string()))?;
        let name = self.path.display();
        output::complain(&format!("note: saved the claim {claim:?}; `jobsmith test {name}` tests it\n"));
        Ok(())
    }

    /// The heading: that of the claim that was simulated, as it is given, or what pods do; with a number, if the file has it already.
    fn heading(&self, arguments: &Arguments, session: &SessionInput) -> String {
        let given = session.claim.clone().or_else(|| arguments.claim.clone());
        let heading = given.unwrap_or_else(|| {
            let script = session.script.to_string().lines().collect::<Vec<_>>().join("; ");
            let shown: String = script.chars().take(LONGEST).collect();
            let more = if shown.len() < script.len() { "…" } else { "" };
            if script.is_empty() { "Every pod succeeds".to_owned() } else { format!("With {shown}{more}") }
        });
        let heading = heading.split_whitespace().collect::<Vec<_>>().join(" ");
        let known = |heading: &str| self.file.iter().flat_map(|file| &file.claims).any(|claim| claim.claim == heading);
        let numbered = (2..).map(|number| format!("{heading} ({number})"));
        std::iter::once(heading.clone()).chain(numbered).find(|heading| !known(heading)).unwrap_or(heading)
    }

    /// The manifests: the paths from the scenario file's folder to those in files, each with its text, and the text of the others.
    fn manifests(&self, session: &SessionInput) -> std::io::Result<(Vec<(String, String)>, String)> {
        let folder = shortest(&absolute(self.path)?).parent().map(Path::to_path_buf).unwrap_or_default();
        let (mut files, mut own) = (Vec::new(), Vec::new());
        for (source, path) in session.inputs.sources.iter().zip(&session.paths) {
            match path {
                Some(path) => files.push((relative(&shortest(&absolute(path)?), &folder), source.text.clone())),
                None => own.push(source.text.trim()),
            }
        }
        Ok((files, own.join("\n---\n")))
    }
}

/// The title of a file: the objects that it is about.
fn title(session: &SessionInput) -> String {
    let named = session.inputs.objects.iter().map(|input| {
        let value = input.object.document().value();
        let [kind, name] = [&value["kind"], &value["metadata"]["name"]].map(|field| field.as_str().unwrap_or_default());
        format!("{kind} {name}").trim_end().to_owned()
    });
    named.collect::<Vec<_>>().join(", ")
}

/// The path from a folder to a file, both absolute.
fn relative(file: &Path, folder: &Path) -> String {
    let common = file.components().zip(folder.components()).take_while(|(one, other)| one == other).count();
    let up = folder.components().skip(common).map(|_| "..".into());
    let path: PathBuf = up.chain(file.components().skip(common).map(|part| PathBuf::from(part.as_os_str()))).collect();
    path.display().to_string().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_from_the_folder_of_the_scenario_file() {
        let check = |file: &str, folder: &str, expected: &str| assert_eq!(relative(Path::new(file), Path::new(folder)), expected);
        check("/k8s/job.yaml", "/k8s", "job.yaml");
        check("/k8s/job.yaml", "/k8s/tests", "../job.yaml");
        check("/k8s/jobs/job.yaml", "/tests", "../k8s/jobs/job.yaml");
    }
}

//! `jobsmith render`: the CronJobs and Jobs of a file as the API server would store them, with all defaults.
//!
//! Docs: Jobs, "Writing a Job spec" (A-13…A-44). Defaults and generated labels are made in `admission`; what keeps an object from being stored is shown by
//! `jobsmith check`.

use std::path::PathBuf;

use api::Timestamp;
use cluster::Dependence;
use cluster::apiserver::{Answer, ApiServer};
use cluster::naming::Names;
use manifest::{Diagnostic, ManifestObject, Severity};
use serde_json::Value;

use super::input::InputFile;
use super::{CommandEnd, output};

/// The arguments of `jobsmith render`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Manifests in YAML or JSON; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

const HELP: &str = "\
UIDs and generated names are placeholders: a real server picks its own. creationTimestamp and resourceVersion are left out.

  jobsmith render job.yaml
  diff <(git show HEAD:job.yaml | jobsmith render -) <(jobsmith render job.yaml)

Exit status:
  0  everything is printed
  1  the API server would refuse something
  2  a file cannot be read";

/// What only a server knows of an object.
const OF_SERVER: [&str; 2] = ["creationTimestamp", "resourceVersion"];

/// Prints all objects of all files, or what keeps them from being stored.
pub(crate) fn run(arguments: &Arguments) -> CommandEnd {
    let now = Timestamp::now();
    let mut end = CommandEnd::Reached;
    let mut documents = Vec::new();
    for path in &arguments.files {
        let Ok(file) = InputFile::read(path) else {
            end = CommandEnd::BadInput;
            continue;
        };
        let report = check::check(&file.text, check::CheckDepth::Mistakes, now);
        let errors: Vec<Diagnostic> = report.diagnostics.into_iter().filter(|found| found.severity == Severity::Error).collect();
        if !errors.is_empty() {
            file.complain(&errors);
            end = end.or(CommandEnd::Failed);
            continue;
        }
        let mut server = ApiServer::new(Names::random(0), Dependence::OnOwners);
        documents
            .extend(report.objects.iter().filter_map(|object| stored(&mut server, object, now)).map(|object| manifest::write(&object)));
        if !report.others.is_empty() {
            output::complain(&format!("note: only Jobs and CronJobs are rendered, not {}\n", report.others.join(", ")));
        }
    }
    output::text(&documents.join("---\n"));
    end
}

/// The object as it is stored; what comes from a cluster is stored as it is. `None` for a pod.
fn stored(server: &mut ApiServer, object: &ManifestObject, now: Timestamp) -> Option<Value> {
    if let ManifestObject::Pod(_) = object {
        return None;
    }
    let Some(request) = check::creation(object) else { return Some(object.document().value().clone()) };
    let Ok(Answer::Object(created)) = server.execute(&request, now) else {
        unreachable!("the server has accepted this object when it was checked");
    };
    let mut value: Value = serde_json::from_str(&created.json()).expect("an object is stored as JSON");
    let metadata = value["metadata"].as_object_mut().expect("an object has metadata");
    OF_SERVER.iter().for_each(|field| drop(metadata.remove(*field)));
    Some(value)
}

//! What is wrong with a manifest or a script, what each line of a script means, and the claims of a scenario file.
//!
//! Docs: Kubernetes API Concepts, "Field validation". Manifests are read by `manifest`, refused by the API server in `cluster`; scripts are
//! described in `script`.

use api::request::Request;
use api::{DEFAULT_NAMESPACE, Kind, time};
use cluster::naming::Names;
use cluster::{ApiServer, Dependence};
use manifest::{Diagnostic, ManifestObject, PodOfOthers};
use play::claim::script_problem;
use play::scenario::{self, Scenario};
use play::start;
use script::{Rule, Script, Statement, TimedAction};
use serde::Serialize;

/// All that `jobsmith simulate` would report about a manifest before it begins, in the order of the places; empty if it is fine.
#[must_use]
pub fn manifest(text: &str) -> Vec<Diagnostic> {
    let objects = match manifest::objects(text) {
        Ok(objects) => objects,
        Err(found) => return found,
    };
    let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
    let mut found: Vec<Diagnostic> = Vec::new();
    let (objects, others) = own(objects);
    let others: Vec<&PodOfOthers> = others.iter().collect();
    if objects.is_empty() {
        return manifest::only_pods_of_others(&others).into_iter().collect();
    }
    let refused = objects.iter().flat_map(|object| refused(&mut server, object));
    let all: Vec<&ManifestObject> = objects.iter().collect();
    let pitfalls = manifest::pitfalls(&all).into_iter().map(|(_, warning)| warning);
    for diagnostic in refused.chain(pitfalls).chain(manifest::missing(&all)).chain(manifest::passed_over(text, &others)) {
        let place = found.partition_point(|known| known.position <= diagnostic.position);
        found.insert(place, diagnostic);
    }
    found
}

/// The objects that are played, and the pods among them that are not, because they are of no Job.
pub(crate) fn own(objects: Vec<ManifestObject>) -> (Vec<ManifestObject>, Vec<PodOfOthers>) {
    let others = manifest::pods_of_others(&objects.iter().collect::<Vec<_>>());
    let own = objects.into_iter().zip(&others).filter(|(_, of_others)| of_others.is_none()).map(|(object, _)| object).collect();
    (own, others.into_iter().flatten().collect())
}

/// What the API server refuses of an object; objects from another cluster were admitted long ago.
fn refused(server: &mut ApiServer, object: &ManifestObject) -> Vec<Diagnostic> {
    let (kind, metadata) = match object {
        ManifestObject::CronJob(manifest) => (Kind::CronJob, &manifest.cron_job.metadata),
        ManifestObject::Job(manifest) => (Kind::Job, &manifest.job.metadata),
        ManifestObject::Pod(_) => return Vec::new(),
    };
    if !metadata.uid.is_empty() {
        return Vec::new();
    }
    let document = object.document();
    let namespace = if metadata.namespace.is_empty() { DEFAULT_NAMESPACE } else { &*metadata.namespace };
    let request = Request::create(kind, namespace, document.value().to_string());
    server.execute(&request, start()).err().map(|error| manifest::refusals(document, &error)).unwrap_or_default()
}

/// A script.
///
/// # Errors
/// What cannot be understood in it.
pub fn script(text: &str) -> Result<Script, Vec<Diagnostic>> {
    Script::parse(text).map_err(|error| vec![script_problem(error)])
}

/// What each line of a script means.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScriptParts {
    rules: Vec<RuleLine>,
    actions: Vec<ActionLine>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RuleLine {
    /// The line, from 1.
    line: usize,
    which: String,
    what: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ActionLine {
    /// The line, from 1.
    line: usize,
    /// Milliseconds after the beginning.
    at: i64,
    text: String,
}

/// The rules and actions of a script in their own words; none if it cannot be understood.
#[must_use]
pub fn parts(text: &str) -> ScriptParts {
    let Script { rules, actions } = Script::parse(text).unwrap_or_default();
    let rule = |Statement { line, what, .. }: Statement<Rule>| RuleLine { line, which: what.which.to_string(), what: what.what() };
    let action = |Statement { line, what: TimedAction { after, action }, .. }: Statement<TimedAction>| ActionLine {
        line,
        at: time::milliseconds(after),
        text: action.to_string(),
    };
    ScriptParts { rules: rules.into_iter().map(rule).collect(), actions: actions.into_iter().map(action).collect() }
}

/// A claim of a scenario file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Example {
    /// The heading of the Kubernetes page that it belongs to.
    topic: String,
    /// The claim, in one sentence.
    title: String,
    /// The text of the file about the claim.
    prose: String,
    manifest: String,
    /// Empty if there is none.
    script: String,
}

/// The claims of a scenario file.
///
/// # Errors
/// If it is not a scenario file: where, and why.
pub fn scenarios(text: &str) -> Result<Vec<Example>, String> {
    let example = |Scenario { page, claim, prose, manifest, script, .. }| Example {
        topic: page,
        title: claim,
        prose,
        manifest: manifest.text,
        script: script.map(|block| block.text).unwrap_or_default(),
    };
    Ok(scenario::read(text).map_err(|misshapen| misshapen.to_string())?.into_iter().map(example).collect())
}

#[cfg(test)]
mod tests {
    use manifest::Severity;

    use super::*;

    #[test]
    fn what_the_api_server_refuses_of_a_cron_job_is_at_its_field() {
        let cron_job = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec:\n  schedule: 61 * * * *\n  jobTemplate: \
                        {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}}\n";
        let found = manifest(cron_job);
        assert_eq!(found.iter().map(|one| (one.position.line, &*one.path)).collect::<Vec<_>>(), [(5, "spec.schedule")]);
        assert_eq!(manifest(&cron_job.replace("61", "1")), []);
    }

    #[test]
    fn pods_of_others_are_named() {
        let pod =
            "apiVersion: v1\nkind: Pod\nmetadata: {name: w, uid: u, ownerReferences: [{kind: ReplicaSet, name: web, controller: true}]}\n";
        let found = |text: &str| manifest(text).iter().map(|one| (one.severity, one.message.clone())).collect::<Vec<_>>();
        assert_eq!(found(pod), [(Severity::Error, "there is no Job here, only 1 pod of ReplicaSet web".to_owned())]);
        let job = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, uid: v}\n---\n";
        assert_eq!(found(&format!("{job}{pod}")), [(Severity::Warning, "Skipped: 1 pod of ReplicaSet web".to_owned())]);
    }

    #[test]
    fn a_job_has_a_name_or_gets_one() {
        let job = |metadata: &str| {
            let pod = "{spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}";
            manifest(&format!("apiVersion: batch/v1\nkind: Job\n{metadata}spec: {{template: {pod}}}\n"))
        };
        for nameless in ["", "metadata:\n", "metadata: {}\n", "metadata: {name: }\n", "metadata: {name: ''}\n"] {
            let found: Vec<String> = job(nameless).iter().map(ToString::to_string).collect();
            let [problem] = &found[..] else { panic!("{nameless:?}: {found:?}") };
            assert!(problem.contains("metadata.name: Required value: name or generateName is required; give the Job a name"), "{problem}");
        }
        for named in ["metadata: {name: pi}\n", "metadata: {generateName: pi-}\n"] {
            assert_eq!(job(named), []);
        }
    }

    #[test]
    fn each_part_of_a_script_has_its_line() {
        let parts = parts("# flaky\nindex 1: exit 42 after 2s # often\n\nat 5s: scale to 3\npods: succeed after 5s\n");
        let rules: Vec<_> = parts.rules.iter().map(|rule| (rule.line, &*rule.which, &*rule.what)).collect();
        assert_eq!(rules, [(2, "index 1", "exit 42 after 2s"), (5, "pods", "succeed after 5s")]);
        let actions: Vec<_> = parts.actions.iter().map(|action| (action.line, action.at, &*action.text)).collect();
        assert_eq!(actions, [(4, 5000, "scale to 3")]);
    }

    #[test]
    fn a_script_that_cannot_be_understood_has_no_parts() {
        let parts = parts("pods: succeed after 5s\npods: fly\n");
        assert!(parts.rules.is_empty() && parts.actions.is_empty());
    }
}

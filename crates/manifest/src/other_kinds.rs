//! Other kinds: which kind a word means that is not one of Kubernetes, what to do with an object that is neither a Job nor a CronJob, and which of them hold Jobs.
//!
//! Docs: Objects in Kubernetes, "Required fields"; JobSet, "Concepts"; OpenShift, "Using templates". What of a file is skipped is in `passed_over.rs`, which
//! versions there are in `jobs.rs`.

use api::Kind;

use crate::jobs::text;
use crate::misplaced::nearest;
use crate::node::{Content, SourceNode};
use crate::{Diagnostic, Fix, RuleName, Severity};

/// What CronJobs were called before Kubernetes v1.5.
pub(crate) const FORMER: &str = "ScheduledJob";
/// What OpenShift has for charts: its objects are created once its parameters have values.
const TEMPLATE: &str = "Template";
/// Kinds of others that hold the specs of Jobs.
const HOLDERS: [&str; 3] = ["AdvancedCronJob", "JobSet", "ScaledJob"];

/// The kind that a word means which is not a kind of Kubernetes: it differs by a letter or two, or is what the kind was called once.
pub(crate) fn meant(kind: &str) -> Option<Kind> {
    let named = || nearest(kind, [Kind::Job, Kind::CronJob].into_iter().map(Kind::name)).and_then(Kind::of);
    if kind == FORMER { Some(Kind::CronJob) } else { named() }
}

/// Whether an object is of a group of others, such as `batch.volcano.sh`, whatever its kind is called.
pub(crate) fn of_others(node: &SourceNode) -> bool {
    let group = text(node, "apiVersion").and_then(|version| version.split_once('/')).map_or("", |(group, _)| group);
    group.contains('.') && !group.ends_with(".k8s.io")
}

/// The refusal of an object of a kind that is not among these.
pub(crate) fn refused(node: &SourceNode, kind: &str, kinds: &[Kind]) -> Diagnostic {
    let position = node.entry("kind").map_or(node.position, |entry| entry.node.position);
    let runs = if kinds.contains(&Kind::CronJob) { "Jobs and CronJobs" } else { "Jobs" };
    let error = |message: String| Diagnostic::error(position, message).at("kind");
    if of_others(node) && Kind::of(kind).is_some() {
        let version = text(node, "apiVersion").unwrap_or_default();
        return error(format!("jobsmith runs {runs} of {}: it cannot run a {kind} of {version}", Kind::Job.api_version())).remedy(REMOVE);
    }
    let Some(meant) = meant(kind).filter(|meant| kinds.contains(meant)) else {
        let holds = contained(node).map_or_else(String::new, |held| format!(" with {held}"));
        return error(format!("jobsmith runs {runs}: it cannot run {} {kind}{holds}", article(kind))).remedy(instead_of(kind));
    };
    called(error(format!("{kind:?} is not a kind that jobsmith runs")), meant)
}

fn article(kind: &str) -> &'static str {
    if kind.starts_with(['A', 'E', 'I', 'O']) { "an" } else { "a" }
}

/// The refusal of a CronJob that is called as it was once.
pub(crate) fn former(node: &SourceNode) -> Option<Diagnostic> {
    let kind = node.entry("kind").filter(|_| text(node, "kind") == Some(FORMER))?;
    let error = Diagnostic::error(kind.node.position, format!("Kubernetes no longer has the kind {FORMER}")).at("kind");
    Some(called(error.rule(RuleName::REMOVED_VERSION), Kind::CronJob))
}

/// The same with a remedy: the kind is called so.
fn called(error: Diagnostic, kind: Kind) -> Diagnostic {
    error.remedy(format!("use `kind: {}`", kind.name())).fix(Some(Fix::Write { value: kind.name().to_owned() }))
}

/// The Jobs and CronJobs among the objects of a Template, in words: `CronJob ${NAME}-${TAG}`; `None` if there are none.
pub(crate) fn contained(node: &SourceNode) -> Option<String> {
    let Content::List(objects) = &node.entry("objects").filter(|_| text(node, "kind") == Some(TEMPLATE))?.node.content else { return None };
    let named = |object: &SourceNode| {
        let kind = text(object, "kind").and_then(Kind::of).filter(|kind| *kind != Kind::Pod)?;
        let name = object.entry("metadata").and_then(|metadata| text(&metadata.node, "name")).unwrap_or_default();
        Some(format!("{} {name}", kind.name()).trim_end().to_owned())
    };
    let named: Vec<String> = objects.iter().filter_map(named).collect();
    Some(named.join(", ")).filter(|named| !named.is_empty())
}

/// A note that the Jobs which an object holds are not checked; `None` if it holds none.
pub(crate) fn unchecked(node: &SourceNode) -> Option<Diagnostic> {
    let kind = node.entry("kind")?;
    let name = text(node, "kind")?;
    let message = match contained(node) {
        Some(held) => format!("the objects of this {name} are not checked: {held}"),
        None if HOLDERS.contains(&name) => format!("the Jobs of this {name} are not checked"),
        None => return None,
    };
    let note = Diagnostic::error(kind.node.position, message).rule(RuleName::NOT_CHECKED).at("kind").remedy(instead_of(name));
    Some(Diagnostic { severity: Severity::Note, ..note })
}

/// What to do with an object of another kind.
fn instead_of(kind: &str) -> &'static str {
    match kind {
        "Deployment" | "ReplicaSet" | "ReplicationController" | "StatefulSet" | "DaemonSet" => {
            "its pods run forever; for work that ends, use a Job with the same spec.template and a restartPolicy of Never or OnFailure"
        }
        "Pod" => "use a Job with the pod's metadata and spec as its spec.template, and a restartPolicy of Never or OnFailure",
        "List" | "CronJobList" | "JobList" | "PodList" => "add `items` to the list",
        _ if kind.eq_ignore_ascii_case(Kind::CronJob.name()) => {
            "turn its spec.jobTemplate into a Job: `kind: Job`, with spec.jobTemplate.spec as its spec"
        }
        "JobSet" => "write its Jobs one by one: each spec.replicatedJobs[].template is a Job without apiVersion and kind",
        "ScaledJob" => "turn its spec.jobTargetRef into a Job: `kind: Job`, with spec.jobTargetRef as its spec",
        "AdvancedCronJob" => "turn it into a CronJob: `kind: CronJob`, with spec.template.jobTemplate as its spec.jobTemplate",
        "Workflow" | "CronWorkflow" | "WorkflowTemplate" => {
            "Argo Workflows creates its pods without Jobs; simulate a Job that does the same"
        }
        "Kustomization" | "Component" => "use what `kubectl kustomize DIRECTORY` prints",
        TEMPLATE => "process the template first: `oc process --local -f FILE -o yaml`",
        _ => REMOVE,
    }
}

/// What to do with an object of a kind that has nothing to do with Jobs.
pub(crate) const REMOVE: &str = "remove it from the file";

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::{contents, objects};

    /// Why each file is refused, and what a check of it notes.
    fn check(files: &[&str], expected: Expect) {
        let shown = |file: &&str| {
            let refused = objects(file).unwrap_err();
            let unchecked = contents(&crate::FileReading::of(file)).others.iter().find_map(|other| other.unchecked());
            let lines = refused.iter().map(|refused| format!("{refused}\n"));
            lines.chain(unchecked.iter().map(|note| format!("  {:?}: {note}\n", note.severity))).collect::<String>()
        };
        expected.assert_eq(&files.iter().map(shown).collect::<String>());
    }

    #[test]
    fn objects_that_hold_jobs_are_named_with_what_to_do() {
        check(
            &[
                "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nspec: {}\n",
                "apiVersion: keda.sh/v1alpha1\nkind: ScaledJob\nspec: {}\n",
                "apiVersion: apps.kruise.io/v1alpha1\nkind: AdvancedCronJob\nspec: {}\n",
                "apiVersion: template.openshift.io/v1\nkind: Template\nobjects:\n- kind: \"CronJob\"\n  metadata: {name: \"${NAME}-${TAG}\"}\n- kind: Secret\n- kind: Job\n",
                "apiVersion: template.openshift.io/v1\nkind: Template\nobjects:\n- kind: Secret\n",
            ],
            expect![[r#"
                2:7: kind: jobsmith runs Jobs and CronJobs: it cannot run a JobSet; write its Jobs one by one: each spec.replicatedJobs[].template is a Job without apiVersion and kind
                  Note: 2:7: kind: the Jobs of this JobSet are not checked; write its Jobs one by one: each spec.replicatedJobs[].template is a Job without apiVersion and kind
                2:7: kind: jobsmith runs Jobs and CronJobs: it cannot run a ScaledJob; turn its spec.jobTargetRef into a Job: `kind: Job`, with spec.jobTargetRef as its spec
                  Note: 2:7: kind: the Jobs of this ScaledJob are not checked; turn its spec.jobTargetRef into a Job: `kind: Job`, with spec.jobTargetRef as its spec
                2:7: kind: jobsmith runs Jobs and CronJobs: it cannot run an AdvancedCronJob; turn it into a CronJob: `kind: CronJob`, with spec.template.jobTemplate as its spec.jobTemplate
                  Note: 2:7: kind: the Jobs of this AdvancedCronJob are not checked; turn it into a CronJob: `kind: CronJob`, with spec.template.jobTemplate as its spec.jobTemplate
                2:7: kind: jobsmith runs Jobs and CronJobs: it cannot run a Template with CronJob ${NAME}-${TAG}, Job; process the template first: `oc process --local -f FILE -o yaml`
                  Note: 2:7: kind: the objects of this Template are not checked: CronJob ${NAME}-${TAG}, Job; process the template first: `oc process --local -f FILE -o yaml`
                2:7: kind: jobsmith runs Jobs and CronJobs: it cannot run a Template; process the template first: `oc process --local -f FILE -o yaml`
            "#]],
        );
    }

    #[test]
    fn kinds_of_others_are_no_jobs() {
        check(
            &[
                "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nspec: {minAvailable: 3}\n",
                "apiVersion: batch/v2alpha1\nkind: ScheduledJob\nspec: {}\n",
                "apiVersion: batch/v1\nkind: cronjobs\nspec: {}\n",
                "apiVersion: extensions/v1beta1\nkind: Job\nspec: {}\n",
            ],
            expect![[r#"
                2:7: kind: jobsmith runs Jobs and CronJobs of batch/v1: it cannot run a Job of batch.volcano.sh/v1alpha1; pass a file with a Job or a CronJob
                2:7: kind: Kubernetes no longer has the kind ScheduledJob; use `kind: CronJob`
                1:13: apiVersion: there is no CronJob in apiVersion "batch/v2alpha1"; set `apiVersion: batch/v1`
                2:7: kind: "cronjobs" is not a kind that jobsmith runs; use `kind: CronJob`
                1:13: apiVersion: there is no Job in apiVersion "extensions/v1beta1"; set `apiVersion: batch/v1`
            "#]],
        );
        assert_eq!(
            contents(&crate::FileReading::of("apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: a}\n")).others[0].words,
            "Job a"
        );
    }
}

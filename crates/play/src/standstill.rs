//! Standstill: why a Job goes no further, and what would move it.
//!
//! Docs: Jobs, "Suspending a Job", "Controlling parallelism"; Pod Lifecycle, "Pod phase". What is due, if anything is, `Play` and `Cluster` know.

use std::collections::BTreeMap;

use api::meta::names::BUILT_IN_CONTROLLER;
use api::{Job, Kind, ObjectMeta, Text};
use cluster::apiserver::ApiServer;
use cluster::pod::StoredPod;
use cluster::stored::Stored;

use crate::trace::PodReport;
use script::ObjectName;

/// How many pods are named; of more, the number.
const NAMED: usize = 3;

/// Why a Job goes no further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standstill {
    /// Why: a sentence without its end.
    pub reason: String,
    /// What would move the Job, as in `resume it`, and the action of the script language that does so.
    pub remedy: Option<(&'static str, String)>,
}

/// Why a Job that has not finished goes no further, whatever its pods do; `None` if it is up to them.
#[must_use]
pub fn blocked(job: &Job, server: &ApiServer) -> Option<Standstill> {
    let (metadata, spec) = (&job.metadata, &job.spec);
    let of =
        if server.objects(Kind::Job).nth(1).is_some() { format!(" job {}", job_name(metadata, namespaces(server))) } else { String::new() };
    let (reason, remedy) = if metadata.deleting() {
        let held = metadata.finalizers.first().map(|finalizer| format!(", and the finalizer {finalizer} holds it")).unwrap_or_default();
        (format!("it is being deleted{held}"), None)
    } else if let Some(manager) = spec.managed_by.as_ref().filter(|manager| ***manager != *BUILT_IN_CONTROLLER) {
        (format!("spec.managedBy assigns it to {manager}, which does not run here"), None)
    } else if job.suspended() {
        ("it is suspended".to_owned(), Some(("resume it", format!("resume{of}"))))
    } else if spec.parallelism == Some(0) {
        ("spec.parallelism is 0, so it may have no pods".to_owned(), Some(("scale it", format!("scale{of} to 1"))))
    } else {
        return None;
    };
    Some(Standstill { reason, remedy })
}

/// Why a Job that has not finished is stuck when nothing is due any more; `None` if no reason is visible from outside.
#[must_use]
pub fn standstill(job: &Job, server: &ApiServer) -> Option<Standstill> {
    blocked(job, server).or_else(|| {
        let mut held: BTreeMap<PodHold, Vec<&Text>> = BTreeMap::new();
        for pod in server.objects(Kind::Pod).filter(|pod| belongs(pod, job)) {
            if let Some(hold) = pod.pod().and_then(PodHold::of) {
                held.entry(hold).or_default().push(&pod.metadata().name);
            }
        }
        let reason = held.iter().map(|(hold, pods)| hold.sentence(pods)).collect::<Vec<_>>().join("; ");
        let remedy = held.into_iter().find_map(|(hold, pods)| hold.remedy(pods.len()));
        (!reason.is_empty()).then_some(Standstill { reason, remedy })
    })
}

/// The name that distinguishes a Job from others, whose namespaces these are.
#[must_use]
pub fn job_name<'n>(job: &ObjectMeta, namespaces: impl Iterator<Item = &'n Text>) -> ObjectName {
    ObjectName::among(&job.namespace, &job.name, namespaces)
}

/// The namespaces of a server's Jobs.
pub fn namespaces(server: &ApiServer) -> impl Iterator<Item = &Text> {
    server.objects(Kind::Job).map(|job| &job.metadata().namespace)
}

fn belongs(pod: &Stored, job: &Job) -> bool {
    pod.metadata().controller().is_some_and(|owner| owner.uid == job.metadata.uid)
}

/// What keeps a pod from ending.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PodHold {
    /// Its node has been silent since it was to be stopped.
    NodeLost,
    /// It has no node, for this reason.
    Unscheduled(Text),
    /// A container is not started, for this reason.
    NotStarted(String),
    /// This container runs, and nothing ends it.
    RunsForever(Text),
}

impl PodHold {
    /// What keeps this pod from ending; `None` if it has ended, or if that is not known.
    fn of(pod: &StoredPod) -> Option<Self> {
        if pod.ended() {
            return None;
        }
        let report = PodReport::of(pod);
        let conditions = || report.conditions.iter();
        if pod.metadata.deleting() || conditions().any(|condition| &*condition.reason == "NodeNotReady") {
            return Some(Self::NodeLost);
        }
        if let Some(condition) = conditions().find(|condition| &*condition.kind == "PodScheduled" && &*condition.status == "False") {
            return Some(Self::Unscheduled(condition.message.clone()));
        }
        let stuck = |reason: &str| !matches!(reason, "PodInitializing" | "ContainerCreating");
        let mut waiting = report.containers().filter_map(|container| container.state.waiting.as_ref());
        if let Some(details) = waiting.find(|details| stuck(&details.reason)) {
            return Some(Self::NotStarted(format!("{}: {}", details.reason, details.message)));
        }
        let mut initializing = report.init_container_statuses.iter().chain(&report.container_statuses);
        initializing.find(|container| container.state.running.is_some()).map(|container| Self::RunsForever(container.name.clone()))
    }

    /// What these pods do, in a sentence without its end.
    fn sentence(&self, pods: &[&Text]) -> String {
        let one = pods.len() == 1;
        let (is, s) = if one { ("is", "s") } else { ("are", "") };
        let pods = listed(pods);
        match self {
            Self::NodeLost => format!("{pods} {is} on a node that does not respond"),
            Self::Unscheduled(message) => format!("{pods} {is} never scheduled: {message}"),
            Self::NotStarted(why) => format!("{pods} cannot start: {why}"),
            Self::RunsForever(container) => format!("{pods} run{s} forever: nothing ends container {container}"),
        }
    }

    /// What would move this number of pods.
    fn remedy(&self, pods: usize) -> Option<(&'static str, String)> {
        match self {
            Self::NodeLost => Some(("remove the node", "remove node".to_owned())),
            Self::RunsForever(_) => Some((if pods == 1 { "end it" } else { "end them" }, "exit 0 in pods".to_owned())),
            Self::Unscheduled(_) | Self::NotStarted(_) => None,
        }
    }
}

/// `pod a`, `pods a and b`, `pods a, b, c and 4 more`.
fn listed(names: &[&Text]) -> String {
    let text = |names: &[&Text]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>().join(", ");
    match names {
        [name] => format!("pod {name}"),
        _ if names.len() > NAMED => format!("pods {} and {} more", text(&names[..NAMED]), names.len() - NAMED),
        [first @ .., last] => format!("pods {} and {last}", text(first)),
        [] => "no pods".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use api::Timestamp;
    use cluster::testing::{job, noon, owned_by, pod};
    use expect_test::{Expect, expect};

    use super::*;
    use crate::Play;
    use crate::testing::Puppet;
    use script::Script;

    /// Plays a Job whose manager creates these pods and does nothing else, until nothing is due.
    fn check(script: &str, pods: &[&str], expected: Expect) {
        let mut manager = Puppet::default();
        let creations: Vec<String> = pods.iter().map(|name| pod(name, &owned_by("pi", true), "")).collect();
        manager.plan(0, &[&creations.iter().map(String::as_str).collect::<Vec<_>>()]);
        let applied: Text = job("pi", "").trim_start_matches("POST jobs ").into();
        let mut play = Play::new(manager, &Script::parse(script).unwrap(), &[applied], noon()).unwrap();
        while play.next_moment(Timestamp::MAX).is_some() {}
        let job = play.jobs().next().unwrap();
        let lines = standstill(job, play.server()).map(|Standstill { reason, remedy }| match remedy {
            Some((what, action)) => format!("{reason}; {what}: {action}"),
            None => reason,
        });
        expected.assert_eq(&lines.unwrap_or_else(|| "-".to_owned()));
    }

    #[test]
    fn the_job_itself_may_be_the_reason() {
        check("at 1s: suspend", &[], expect!["it is suspended; resume it: resume"]);
        check("at 1s: scale to 0", &[], expect!["spec.parallelism is 0, so it may have no pods; scale it: scale to 1"]);
        check(
            "at 1s: overwrite spec.managedBy=\"example.com/other\"",
            &[],
            expect!["spec.managedBy assigns it to example.com/other, which does not run here"],
        );
        check(
            "at 1s: set metadata.finalizers=[\"example.com/hold\"]\nat 2s: delete job pi",
            &[],
            expect!["it is being deleted, and the finalizer example.com/hold holds it"],
        );
        check("", &[], expect!["-"]);
    }

    #[test]
    fn pods_may_be_the_reason() {
        check("pods: runs forever", &["a"], expect!["pod a runs forever: nothing ends container main; end it: exit 0 in pods"]);
        check(
            "pods: runs forever",
            &["a", "b", "c", "d", "e"],
            expect!["pods a, b, c and 2 more run forever: nothing ends container main; end them: exit 0 in pods"],
        );
        check("pods: never scheduled", &["a", "b"], expect!["pods a and b are never scheduled: no node matches the pod"]);
        check("pods: never starts", &["a"], expect![[r#"pod a cannot start: ImagePullBackOff: the image "" cannot be pulled"#]]);
        check(
            "pods: runs forever\nat 1s: lose node",
            &["a"],
            expect!["pod a is on a node that does not respond; remove the node: remove node"],
        );
    }
}

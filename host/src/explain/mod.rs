//! What a controller decides about one Job at this moment, what it waits for, and what follows if nothing changes; it acts on none of it.
//!
//! Docs: Jobs; `jobsmith explain --help`. The component is asked, nothing is decided here: what it is told of the past is made in `past.rs`, what is known of
//! the Job and its pods is kept in `subject.rs`.

mod past;
mod subject;

use std::collections::BTreeMap;

use api::meta::names::BUILT_IN_CONTROLLER;
use api::{Job, Kind, Text, Timestamp};
use contract::{Command, Event, Explanation, Manager as _, Outcome, Part, Plan, Reconciled, Wakeup, Written};
use serde_json::json;

pub use self::past::Ended;
pub use self::subject::Subject;
use crate::Guest;
use crate::controller::tracking_finalizer;

/// How many plans a moment has at most: a Job has one, and each of its pods that may hold a finalizer has another.
const PLANS: usize = 100_000;

/// What is decided about a Job.
#[derive(Debug, Clone)]
pub struct Explained {
    /// The Job.
    pub job: Job,
    /// Whose decisions these are: the `managedBy` of the Job, or Kubernetes' own controller.
    pub manager: String,
    /// The moment.
    pub now: Timestamp,
    /// What is decided then.
    pub plan: Plan,
    /// When it is looked at again, and why, if nothing is to be done now.
    pub waits: Option<Wakeup>,
    /// What is decided at that time if nothing changes.
    pub next: Option<Plan>,
    /// The pods that failed and are still there, each with what it counts as.
    pub failures: Vec<(Ended, Explanation)>,
}

/// Asks what is decided about a Job at a moment.
///
/// A controller that runs also remembers when pods failed that are counted by now. So the component is told first of these pods as they were before, and
/// only then of what there is.
///
/// # Errors
/// If the component does not understand an object, or breaks down.
pub fn explain(guest: &mut Guest, subject: &Subject, now: Timestamp) -> Result<Explained, String> {
    let manager = subject.job.spec.managed_by.as_deref().unwrap_or(BUILT_IN_CONTROLLER).to_owned();
    let finalizer = tracking_finalizer(&manager);
    let failures = failures(guest, subject, &manager, now)?;
    configure(guest, &manager, None)?;
    if !subject.job.finished() {
        remember(guest, subject, finalizer, now)?;
    }
    list(guest, &subject.job_text, subject.pods.values().cloned().collect(), &subject.version(), now)?;
    let plan = plan(guest, now)?;
    let idle = commands(&plan).next().is_none();
    let waits = if idle { guest.next_wakeup() } else { None };
    let next = waits.as_ref().map(|wakeup| self::plan(guest, wakeup.at.max(now))).transpose()?;
    Ok(Explained { job: subject.job.clone(), manager, now, plan, waits, next, failures })
}

/// All commands of a plan.
pub fn commands(plan: &Plan) -> impl Iterator<Item = &Command> {
    plan.batches.iter().flatten()
}

/// What each failed pod counts as, or counted as: asked as if none had been counted.
fn failures(guest: &mut Guest, subject: &Subject, manager: &str, now: Timestamp) -> Result<Vec<(Ended, Explanation)>, String> {
    let finalizer = tracking_finalizer(manager);
    let ended: Vec<Ended> = subject.pods.values().filter_map(|pod| Ended::read(pod)).filter(|pod| pod.failed).collect();
    configure(guest, manager, Some(u32::MAX))?;
    let pods = ended.iter().map(|pod| pod.uncounted(finalizer)).collect();
    list(guest, &past::deleted_job(&subject.job_text, now), pods, "1", now)?;
    let plan = plan(guest, now)?;
    let mut explained = BTreeMap::new();
    for decision in plan.decisions {
        if let Some(pod) = decision.value("pod").as_str() {
            explained.entry(pod.to_owned()).or_insert(decision);
        }
    }
    let failures = ended.into_iter().filter_map(|pod| explained.remove(&pod.name).map(|explanation| (pod, explanation)));
    Ok(failures.collect())
}

/// Has the component remember what a controller remembers that has seen the pods which are counted by now.
fn remember(guest: &mut Guest, subject: &Subject, finalizer: &str, now: Timestamp) -> Result<(), String> {
    let counted = past::counted(subject, finalizer);
    if counted.is_empty() {
        return Ok(());
    }
    list(guest, &past::job(&subject.job_text), counted, "1", now)?;
    for reconciled in plans(guest, now)? {
        let outcomes: Vec<Outcome> = commands(&reconciled.plan).map(|_| Outcome::Done(Written::default())).collect();
        if !outcomes.is_empty() {
            guest.handle(Event::Finished { plan: reconciled.id, outcomes }, now)?;
        }
    }
    Ok(())
}

fn configure(guest: &mut Guest, manager: &str, uncounted_pods: Option<u32>) -> Result<(), String> {
    let mut configuration = json!({"name": manager, "trackingFinalizer": tracking_finalizer(manager)});
    if let Some(pods) = uncounted_pods {
        configuration["limits"] = json!({"maxUncountedPods": pods});
    }
    guest.configure(&configuration.to_string())
}

/// Tells the component of the Job and its pods, and of nothing else.
fn list(guest: &mut Guest, job: &Text, pods: Vec<Text>, version: &str, now: Timestamp) -> Result<(), String> {
    for (kind, objects) in [(Kind::Job, vec![job.clone()]), (Kind::Pod, pods)] {
        guest.handle(Event::Listed { kind, part: Part::Whole, resource_version: version.into(), objects }, now)?;
    }
    Ok(())
}

/// All plans of a moment.
fn plans(guest: &mut Guest, now: Timestamp) -> Result<Vec<Reconciled>, String> {
    let plans = std::iter::from_fn(|| guest.next_plan(now)).take(PLANS).collect();
    guest.lost().map_or(Ok(plans), |reason| Err(format!("the controllers crashed, which is a bug: {reason}")))
}

/// The plan for the Job at a moment. What is done about pods apart from it is added: finalizers that are left over.
fn plan(guest: &mut Guest, now: Timestamp) -> Result<Plan, String> {
    let (jobs, others): (Vec<Reconciled>, Vec<Reconciled>) = plans(guest, now)?.into_iter().partition(|plan| &*plan.key.queue == "job");
    // A plan that asks for nothing may be made twice.
    let mut plan = jobs.into_iter().next_back().map(|reconciled| reconciled.plan).unwrap_or_default();
    for Reconciled { plan: other, .. } in others.into_iter().filter(|other| commands(&other.plan).next().is_some()) {
        plan.batches.extend(other.batches);
        plan.decisions.extend(other.decisions);
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use contract::{Change, Json};
    use play::Play;
    use play::script::Script;
    use play::trace::What;

    use super::*;

    fn guest() -> Guest {
        Guest::new(&crate::guest::tests::component()).unwrap()
    }

    fn start() -> Timestamp {
        "2026-01-02T12:00:00Z".parse().unwrap()
    }

    fn manifest(spec: &str) -> Text {
        format!(
            r#"{{"metadata":{{"name":"pi"}},"spec":{{{spec}"template":{{"spec":{{"restartPolicy":"Never","containers":[{{"name":"main","image":"none"}}]}}}}}}}}"#
        )
        .into()
    }

    /// What is explained of a Job that was played for so many seconds, and the last decision of a code that was really taken.
    fn played(spec: &str, script: &str, seconds: i64, code: &str) -> (Explained, Option<Explanation>) {
        let mut play = Play::new(guest(), &Script::parse(script).unwrap(), &[manifest(spec)], start()).unwrap();
        let (now, mut last) = (start() + api::Duration::from_secs(seconds), None);
        while let Some(moment) = play.next_moment(now) {
            let decisions = moment
                .into_iter()
                .flat_map(|step| step.entries)
                .filter_map(|entry| if let What::Decision { explanation, .. } = entry.what { Some(explanation) } else { None });
            last = decisions.filter(|explanation| &*explanation.kind.code == code).last().or(last);
        }
        let objects = |kind| play.server().objects(kind).map(|stored| stored.json()).collect::<Vec<_>>();
        let mut subject = Subject::new(objects(Kind::Job).remove(0)).unwrap();
        for kind in Kind::ALL {
            subject.take_in(&Event::Listed { kind, part: Part::Whole, resource_version: "0".into(), objects: objects(kind) });
        }
        assert!(subject.complete() && !subject.gone());
        (explain(&mut guest(), &subject, now).unwrap(), last)
    }

    fn codes(plan: &Plan) -> Vec<&str> {
        plan.decisions.iter().map(|decision| &*decision.kind.code).collect()
    }

    #[test]
    fn back_off_is_known_although_the_failed_pods_are_counted() {
        let (explained, taken) = played("", "pods: exit 3 after 2s", 25, "BacksOff");
        let told = explained.plan.decisions.iter().find(|decision| &*decision.kind.code == "BacksOff").unwrap();
        let taken = taken.unwrap();
        assert_eq!((told.value("failures"), told.value("until")), (taken.value("failures"), taken.value("until")));
        assert_eq!(told.value("failures"), 2);
        let waits = explained.waits.unwrap();
        assert_eq!(serde_json::to_value(waits.at).unwrap(), told.value("until"));
        let next = explained.next.unwrap();
        assert!(codes(&next).contains(&"Creates") && commands(&next).count() == 2, "{next:#?}");
        let failures: Vec<String> = explained.failures.iter().map(|(pod, told)| format!("{}: {}", pod.what, told.sentence)).collect();
        assert_eq!(failures.len(), 2);
        assert!(
            failures[0].starts_with("container main exit code 3: Counts pod pi-0000")
                && failures[0].ends_with("with exit code 3: every failed pod counts"),
            "{failures:?}"
        );
    }

    #[test]
    fn a_success_ends_the_row_of_failures() {
        let (explained, taken) = played(
            r#""completions":3,"#,
            "pod pi-00001: exit 3 after 2s\npod pi-00002: succeed after 2s\npods: runs forever",
            40,
            "Creates",
        );
        assert!(taken.is_some() && codes(&explained.plan).contains(&"HasEnough"), "{:?}", codes(&explained.plan));
        assert_eq!((explained.failures.len(), explained.waits), (1, None));
    }

    #[test]
    fn each_failed_pod_is_told_with_the_rule_that_judged_it() {
        let policy = r#""completionMode":"Indexed","completions":3,"parallelism":3,"backoffLimitPerIndex":1,"podFailurePolicy":{"rules":[
            {"action":"Ignore","onExitCodes":{"operator":"In","values":[42]}},{"action":"FailIndex","onExitCodes":{"operator":"In","values":[43]}}]},"#;
        let (explained, _) = played(
            policy,
            "index 0 attempt 1: exit 42 after 2s\nindex 1: exit 43 after 2s\nindex 2 attempt 1: exit 1 after 2s\npods: runs forever",
            60,
            "",
        );
        let told: Vec<(&str, &str)> = explained.failures.iter().map(|(pod, told)| (&*pod.what, &*told.kind.code)).collect();
        assert_eq!(
            told,
            [
                ("container main exit code 42", "IgnoresFailure"),
                ("container main exit code 43", "CountsFailureByPolicy"),
                ("container main exit code 1", "CountsFailure"),
            ],
            "{:#?}",
            explained.failures
        );
    }

    #[test]
    fn a_job_is_explained_as_its_manager_decides() {
        let (explained, _) = played(r#""managedBy":"example.com/jobs","#, "", 5, "");
        assert_eq!((&*explained.manager, codes(&explained.plan)), ("example.com/jobs", vec!["StartsClock", "Creates", "WritesStatus"]));
        assert!(commands(&explained.plan).any(|command| command.request.body.contains("jobsmith.dev/job-tracking")));
        assert_eq!((explained.waits, explained.next), (None, None), "what follows depends on the requests");
    }

    #[test]
    fn of_a_finished_job_nothing_follows() {
        let (explained, _) = played(r#""backoffLimit":0,"#, "pods: exit 3 after 2s", 60, "");
        assert_eq!((codes(&explained.plan), explained.waits), (vec!["AlreadyFinished"], None));
        assert_eq!(explained.failures.len(), 1);
    }

    #[test]
    fn pods_of_others_do_not_matter_and_a_job_can_go() {
        let server = Play::new(guest(), &Script::default(), &[manifest("")], start()).unwrap();
        let job = server.server().objects(Kind::Job).next().unwrap().json();
        let mut subject = Subject::new(job.clone()).unwrap();
        let pod = |name: &str, owner: &str| {
            format!(
                r#"{{"metadata":{{"name":"{name}","ownerReferences":[{{"kind":"Job","name":"pi","uid":"{owner}","controller":true}}]}}}}"#
            )
            .into()
        };
        let change = |kind, text| Event::Changed(Change::Applied(Json { kind, text }));
        assert!(!subject.take_in(&change(Kind::Pod, pod("a", "another"))));
        let own = change(Kind::Pod, pod("a", &subject.job.metadata.uid));
        assert!(subject.take_in(&own) && !subject.take_in(&own));
        assert!(subject.take_in(&change(Kind::Pod, pod("a", "another"))), "it was taken from the Job");
        assert!(subject.take_in(&Event::Changed(Change::Deleted(Json { kind: Kind::Job, text: job }))) && subject.gone());
    }
}

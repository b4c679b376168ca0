//! What is known of one Job, and its outcome.
//!
//! Docs: Jobs, "Job termination and cleanup", "Suspending a Job". Why one gets no further, the controllers find (`play::obstacles`).

use std::sync::Arc;

use api::{Job, Kind, Text, Timestamp};
use cluster::stored::Stored;
use contract::Decision;
use contract::decision::Sentence;
use play::obstacles;

use super::{Decided, ObjectOutcome, OutcomeState, Plans, Suspension, counted, deletion, plain, present, timed};
use crate::account::{EndOfPlay, PodAccount, StepMoment};
use crate::runs::owner_of;

/// More letters of indexes than these would leave too little room for the rest of the outcome.
const MOST: usize = 24;

/// A Job from its creation on.
#[derive(Debug)]
pub(crate) struct JobAccount {
    /// As it was written last.
    pub(crate) object: Arc<Stored>,
    /// The CronJob that controls it, as `CronJob/namespace/name`.
    pub(crate) owner: Option<Text>,
    /// When it was seen first.
    pub(crate) created: StepMoment,
    pub(crate) finished: Option<JobEnd>,
    /// Since when it is being deleted.
    deleted: Option<StepMoment>,
    pub(crate) gone: bool,
    suspension: Option<Suspension>,
    plans: Plans,
}

/// How a Job finished.
#[derive(Debug)]
pub(crate) struct JobEnd {
    moment: StepMoment,
    pub(crate) succeeded: bool,
    /// The reason of its condition.
    reason: Text,
    /// The step that decided it, and what it came to, in a few words.
    verdict: Option<(usize, Text)>,
}

impl JobEnd {
    /// The step that decided it; if none is known, the one in which it finished.
    pub(crate) fn step(&self) -> usize {
        self.verdict.as_ref().map_or(self.moment.step, |(step, _)| *step)
    }
}

impl JobAccount {
    pub(crate) fn new(object: Arc<Stored>, created: StepMoment) -> Self {
        let plans = Plans::default();
        let owner = owner_of(object.metadata()).map(|(namespace, name)| format!("{}/{namespace}/{name}", Kind::CronJob.name()).into());
        Self { object, owner, created, finished: None, deleted: None, gone: false, suspension: None, plans }
    }

    /// Records what was decided about it.
    pub(crate) fn planned(&mut self, decisions: &[(&Decision, bool)], moment: StepMoment) {
        self.plans.add(decisions, moment);
        if let Some(suspension) = &mut self.suspension {
            suspension.planned(moment);
        }
    }

    /// Records it as it was written.
    pub(crate) fn written(&mut self, job: &Job, object: &Arc<Stored>, gone: bool, moment: StepMoment) {
        self.object = Arc::clone(object);
        self.gone = gone;
        if job.metadata.deleting() || gone {
            self.deleted.get_or_insert(moment);
        }
        self.suspension = Suspension::after(self.suspension.take(), job.suspended(), &self.plans, moment);
        if let Some(condition) = job.finished_by() {
            let verdict = self.plans.verdict.as_ref().map(|(moment, verdict)| (moment.step, verdict.clone()));
            let (succeeded, reason) = (condition.complete(), condition.reason.clone());
            self.finished.get_or_insert(JobEnd { moment, succeeded, reason, verdict });
        }
    }

    /// Whether a CronJob controls it: this one, and not another of its name.
    pub(crate) fn is_run_of(&self, cron_job: &Stored) -> bool {
        self.object.metadata().controller_uid() == &*cron_job.metadata().uid
    }

    /// Whether it is there and has not finished.
    pub(crate) fn open(&self) -> bool {
        self.finished.is_none() && !self.gone
    }

    pub(crate) fn outcome(&self, pods: &PodAccount, now: Timestamp, ending: Option<&mut EndOfPlay<'_>>) -> ObjectOutcome {
        let (state, facts, decided) = self.verdict(pods, now, ending);
        let indexes = self.object.job().and_then(failed_indexes);
        let count = counted(pods.count(self.object.metadata()), "pod");
        let removed = self.deleted.filter(|_| self.finished.is_some());
        let removed = removed.map(|since| timed(if self.gone { "deleted " } else { "deletion started at " }, since.at));
        let facts = facts.into_iter().map(Some).chain([indexes.map(plain), Some(plain(count)), removed]);
        let metadata = self.object.metadata();
        let (namespace, name) = (metadata.namespace.clone(), metadata.name.clone());
        ObjectOutcome { kind: Kind::Job, namespace, name, state, facts: present(facts), decided }
    }

    /// How it stands, since when and why, and the step that decided it.
    fn verdict(
        &self,
        pods: &PodAccount,
        now: Timestamp,
        ending: Option<&mut EndOfPlay<'_>>,
    ) -> (OutcomeState, Vec<Sentence>, Option<Decided>) {
        if let Some(finished) = &self.finished {
            return self.finish(finished);
        }
        if let Some(since) = self.deleted {
            let (fact, decided) = deletion(since, self.gone);
            return (OutcomeState::Deleted, vec![fact], Some(decided));
        }
        if let Some(suspension) = &self.suspension {
            let (fact, decided) = suspension.fact();
            return (OutcomeState::Suspended, vec![fact], Some(decided));
        }
        match ending {
            Some(ending) => self.unfinished(pods, ending),
            None => (OutcomeState::Running, vec![timed("Running at ", now)], None),
        }
    }

    fn finish(&self, finished: &JobEnd) -> (OutcomeState, Vec<Sentence>, Option<Decided>) {
        let (state, name, question) = if finished.succeeded {
            (OutcomeState::Complete, "Complete", "Why it is complete")
        } else {
            (OutcomeState::Failed, "Failed", "Why it failed")
        };
        let reason = finished.verdict.as_ref().map_or(&finished.reason, |(_, verdict)| verdict);
        let reason = (!reason.is_empty()).then(|| plain(reason.clone()));
        if finished.moment.step == self.created.step {
            return (state, present([Some(plain(format!("Already {name} at the start"))), reason]), None);
        }
        let fact = timed(&format!("{name} at "), finished.moment.at);
        (state, present([Some(fact), reason]), Some(Decided { question: plain(question), step: finished.step() }))
    }

    /// The outcome of a Job for which nothing happens any more although it has not finished.
    fn unfinished(&self, pods: &PodAccount, ending: &mut EndOfPlay<'_>) -> (OutcomeState, Vec<Sentence>, Option<Decided>) {
        let metadata = self.object.metadata();
        let found = (ending.obstacles)(Kind::Job, metadata);
        let (reason, passes) = (obstacles::sentence(&found, ending.still), found.first().is_none_or(|first| first.passes));
        let (alive, runs) = pods.alive(metadata);
        if runs && passes {
            let waits = || plain(format!("waiting for {} to finish", counted(alive, "pod")));
            return (OutcomeState::Running, vec![plain("Still running"), reason.unwrap_or_else(waits)], None);
        }
        let (waits, on) = self.plans.waits.as_ref().map_or((None, None), |(moment, on)| (Some(*moment), Some(on)));
        let since = if alive > 0 { self.plans.notable } else { waits }.or(self.plans.last);
        let Some(since) = since else { return (OutcomeState::Stuck, present([Some(plain("Stuck from the start")), reason]), None) };
        let on = if alive > 0 { Some(plain(format!("{} still Pending", counted(alive, "pod")))) } else { on.cloned() };
        let facts = present([Some(timed("Stuck since ", since.at)), reason.or(on)]);
        (OutcomeState::Stuck, facts, Some(Decided { question: plain("Why it is stuck"), step: since.step }))
    }
}

/// The indexes that have failed, as the status names them, `1,3-5`; as many as there is room for.
fn failed_indexes(job: &Job) -> Option<String> {
    let all = job.status.failed_indexes.as_deref().filter(|all| !all.is_empty())?;
    let cut = all.get(..=MOST).filter(|_| all.len() > MOST);
    let short = cut.map_or_else(|| all.to_owned(), |cut| format!("{}…", &cut[..cut.rfind(',').map_or(0, |comma| comma + 1)]));
    Some(format!("failed {} {short}", if all.contains([',', '-']) { "indexes" } else { "index" }))
}

#[cfg(test)]
mod tests {
    use contract::{Decision, Role, Value};
    use play::step::Step;

    use super::*;
    use crate::testing::{Object, WAIT, decision, first, job, obstacle, plan, pod, step};

    fn failed() -> Object {
        job("pi").finished("Failed", "BackoffLimitExceeded")
    }

    fn created() -> Step {
        step(0, [job("pi"), pod("pi-a")])
    }

    fn verdict(words: &str) -> Vec<(Decision, bool)> {
        vec![decision("It ends", Role::Action, [("verdict", Value::Text(words.into()))])]
    }

    /// The outcome of a Job that is created, gets a pod, and ends by a decision.
    fn ending(decisions: Vec<(Decision, bool)>, end: Object) -> [String; 2] {
        let leaves = plan(47_000, Kind::Job, "pi", [decision("Leaving it alone", Role::Routine, [])]);
        first(&[created(), plan(46_000, Kind::Job, "pi", decisions), step(47_000, [end]), leaves], Some(&[]))
    }

    fn ended(steps: &[Step]) -> [String; 2] {
        first(steps, Some(&[]))
    }

    #[test]
    fn a_finished_job_has_the_verdict_of_the_decision_that_ended_it_and_else_the_reason_of_its_condition() {
        let exceeded = ["Failed at 0:47 · backoffLimit (3) exceeded · 1 pod", "Why it failed: 1"];
        assert_eq!(ending(verdict("backoffLimit (3) exceeded"), failed()), exceeded);
        let unknown = vec![decision("It ends", Role::Action, [])];
        assert_eq!(ending(unknown, failed()), ["Failed at 0:47 · BackoffLimitExceeded · 1 pod", "Why it failed: 2"]);
        let complete = job("pi").finished("Complete", "CompletionsReached");
        assert_eq!(ending(verdict("3/3 succeeded"), complete), ["Complete at 0:47 · 3/3 succeeded · 1 pod", "Why it is complete: 1"]);
    }

    #[test]
    fn a_finished_job_names_the_indexes_that_failed_and_leaves_out_what_is_too_long() {
        let named = |indexes: &str| {
            let [facts, _] = ended(&[created(), step(47_000, [failed().status("failedIndexes", indexes)])]);
            facts.strip_prefix("Failed at 0:47 · BackoffLimitExceeded · ").unwrap().to_owned()
        };
        assert_eq!(named("1"), "failed index 1 · 1 pod");
        assert_eq!(named("1,3-5"), "failed indexes 1,3-5 · 1 pod");
        assert_eq!(named("100-150,200,210-215,220"), "failed indexes 100-150,200,210-215,220 · 1 pod");
        assert_eq!(named("100-150,200,210-215,220,230"), "failed indexes 100-150,200,210-215,220,… · 1 pod");
        assert_eq!(named("1000000000-1000000000000000,7"), "failed indexes … · 1 pod");
    }

    #[test]
    fn a_job_that_had_finished_before_has_no_step_that_decided_it() {
        let found = ended(&[step(0, [failed()]), plan(0, Kind::Job, "pi", [])]);
        assert_eq!(found, ["Already Failed at the start · BackoffLimitExceeded · 0 pods", ""]);
    }

    #[test]
    fn a_finished_job_shows_its_deletion_and_one_that_is_created_again_is_another_job() {
        let mut steps = vec![created(), step(47_000, [failed()]), step(60_000, [failed().deleting()])];
        assert_eq!(ended(&steps)[0], "Failed at 0:47 · BackoffLimitExceeded · 1 pod · deletion started at 1:00");
        steps.push(step(61_000, [failed().deleting().gone()]));
        assert_eq!(ended(&steps)[0], "Failed at 0:47 · BackoffLimitExceeded · 1 pod · deleted 1:00");
        steps.push(step(70_000, [job("pi").again()]));
        assert_eq!(first(&steps, None), ["Running at 1:10 · 0 pods", ""]);
        assert_eq!(ended(&steps), ["Stuck from the start · 0 pods", ""], "what was decided about the first one is not about it");
    }

    fn waits() -> Step {
        plan(1000, Kind::Job, "pi", [decision("Not creating pods", WAIT, [])])
    }

    fn running(name: &str) -> Object {
        pod(name).status("phase", "Running")
    }

    #[test]
    fn a_job_still_runs_while_its_pods_do() {
        let steps = [created(), waits(), step(2000, [running("pi-a"), pod("pi-b")])];
        assert_eq!(ended(&steps), ["Still running · waiting for 2 pods to finish · 2 pods", ""]);
        assert_eq!(first(&steps, None), ["Running at 0:02 · 2 pods", ""]);
        let endless = first(&steps, Some(&[obstacle("pi-a runs since 0:02", true)]));
        assert_eq!(endless, ["Still running · pi-a runs since 0:02, and nothing will end it · 2 pods", ""]);
        let lost = first(&steps, Some(&[obstacle("the node of pi-a is lost", false)]));
        assert_eq!(lost, ["Stuck since 0:01 · the node of pi-a is lost · 2 pods", "Why it is stuck: 1"], "a phase may be out of date");
    }

    #[test]
    fn a_job_is_stuck_on_its_obstacles_and_where_none_is_known_on_pods_that_never_start_or_what_its_controller_waits_for() {
        let routine = plan(5000, Kind::Job, "pi", [decision("Writing", Role::Routine, [])]);
        let steps = [created(), waits(), routine.clone()];
        assert_eq!(ended(&steps), ["Stuck since 0:01 · 1 pod still Pending · 1 pod", "Why it is stuck: 1"]);
        let image = [obstacle("pi-a cannot pull its image", false), obstacle("2 pods are missing", false)];
        let on = "Stuck since 0:01 · pi-a cannot pull its image; 2 pods are missing · 1 pod";
        assert_eq!(first(&steps, Some(&image)), [on, "Why it is stuck: 1"]);
        let steps = [step(0, [job("pi")]), waits(), routine];
        assert_eq!(ended(&steps), ["Stuck since 0:01 · Not creating pods · 0 pods", "Why it is stuck: 1"]);
        let unwanted = [obstacle("parallelism is 0", false)];
        assert_eq!(first(&steps, Some(&unwanted)), ["Stuck since 0:01 · parallelism is 0 · 0 pods", "Why it is stuck: 1"]);
        assert_eq!(ended(&[step(0, [job("pi")])]), ["Stuck from the start · 0 pods", ""]);
        assert_eq!(first(&[step(0, [job("pi")])], Some(&unwanted)), ["Stuck from the start · parallelism is 0 · 0 pods", ""]);
    }

    #[test]
    fn a_job_is_suspended_since_it_was_suspended_last() {
        let suspends = step(3000, [job("pi").suspended()]);
        let writes = step(4000, [job("pi").suspended().status("active", 1)]);
        assert_eq!(ended(&[created(), suspends.clone(), writes, waits()]), ["Suspended since 0:03 · 1 pod", "Why it is suspended: 3"]);
        assert_eq!(ended(&[created(), suspends.clone()])[1], "Why it is suspended: 1");
        let again = [created(), suspends, waits(), step(5000, [job("pi")]), step(6000, [job("pi").suspended()])];
        assert_eq!(ended(&again), ["Suspended since 0:06 · 1 pod", "Why it is suspended: 4"]);
    }

    #[test]
    fn a_job_was_deleted() {
        let mut steps = vec![created(), step(2000, [job("pi").deleting()])];
        assert_eq!(ended(&steps), ["Deletion started at 0:02 · 1 pod", "Why it was deleted: 1"]);
        steps.push(step(3000, [job("pi").deleting().gone()]));
        assert_eq!(ended(&steps), ["Deleted at 0:02 · 1 pod", "Why it was deleted: 1"]);
    }
}

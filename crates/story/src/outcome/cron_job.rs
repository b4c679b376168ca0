//! What is known of one CronJob, and its outcome.
//!
//! Docs: CronJob, "Job creation", "Schedule suspension". Its runs one by one are in `runs/`.

use std::sync::Arc;

use api::{CronJob, Job, Kind, Timestamp};
use cluster::stored::Stored;
use contract::decision::{Sentence, TextPart};
use contract::{Decision, Role, Value};

use super::{Decided, JobAccount, ObjectOutcome, OutcomeState, Plans, Suspension, counted, deletion, plain, present};
use crate::account::StepMoment;

/// A CronJob from its creation on.
#[derive(Debug)]
pub(crate) struct CronJobAccount {
    /// As it was written last.
    pub(crate) object: Arc<Stored>,
    /// How many Jobs it counts as active.
    pub(crate) active: usize,
    /// Since when it is being deleted.
    deleted: Option<StepMoment>,
    pub(crate) gone: bool,
    suspension: Option<Suspension>,
    plans: Plans,
    pub(crate) runs: RunCount,
    /// When the next run is, as the last plan says.
    next: Option<Timestamp>,
}

/// The runs of a CronJob in numbers.
#[derive(Debug, Default)]
pub(crate) struct RunCount {
    jobs: usize,
    failed: usize,
    /// The scheduled times that have come, in order.
    scheduled: Vec<ScheduledTime>,
    /// Of the Jobs that failed, the one that was created first: when, the question and the step.
    first_failed: Option<(StepMoment, Decided)>,
    /// How many scheduled local times did not exist.
    missing: usize,
    /// How many occurred twice.
    repeated: usize,
    /// The question that the first of these clock changes answers, and its step.
    first_change: Option<Decided>,
}

/// A scheduled time that has come.
#[derive(Debug)]
struct ScheduledTime {
    at: Timestamp,
    /// The step in which something was first decided about it.
    step: usize,
    /// Whether there is, or was, a Job for it.
    started: bool,
}

impl RunCount {
    /// Records a Job that is seen for the first time.
    pub(crate) fn start(&mut self, job: &JobAccount) {
        self.jobs += 1;
        if let Some(at) = job.object.job().and_then(Job::scheduled_at) {
            self.come(at, job.created).started = true;
        }
    }

    /// Records a scheduled time that passed without a Job.
    pub(crate) fn skip(&mut self, at: Timestamp, moment: StepMoment) {
        self.come(at, moment);
    }

    /// Records that the clock was set forward or back past so many scheduled times.
    pub(crate) fn change_clock(&mut self, forward: bool, times: usize, moment: StepMoment) {
        *(if forward { &mut self.missing } else { &mut self.repeated }) += times;
        let what = if forward { "did not exist" } else { "occurred twice" };
        self.first_change.get_or_insert_with(|| Decided { question: plain(format!("Why a scheduled time {what}")), step: moment.step });
    }

    /// What clock changes did to it, in numbers.
    fn changed_clocks(&self) -> [Option<Sentence>; 2] {
        let fact = |times, what: &str| (times > 0).then(|| plain(format!("{} {what}", counted(times, "scheduled time"))));
        [fact(self.missing, "did not exist"), fact(self.repeated, "occurred twice")]
    }

    /// The scheduled time, which has come.
    fn come(&mut self, at: Timestamp, moment: StepMoment) -> &mut ScheduledTime {
        let place = self.scheduled.partition_point(|known| known.at < at);
        if self.scheduled.get(place).is_none_or(|known| known.at != at) {
            self.scheduled.insert(place, ScheduledTime { at, step: moment.step, started: false });
        }
        &mut self.scheduled[place]
    }

    /// Records a Job of the CronJob once it has finished.
    pub(crate) fn end(&mut self, account: &JobAccount) {
        let Some(finished) = account.finished.as_ref().filter(|finished| !finished.succeeded) else { return };
        self.failed += 1;
        if self.first_failed.as_ref().is_some_and(|(created, _)| *created <= account.created) {
            return;
        }
        let question = match account.object.job().and_then(Job::scheduled_at) {
            Some(at) => about_run(at, " failed"),
            None => plain(format!("Why Job {} failed", account.object.metadata().name)),
        };
        self.first_failed = Some((account.created, Decided { question, step: finished.step() }));
    }
}

impl CronJobAccount {
    pub(crate) fn new(object: Arc<Stored>) -> Self {
        let (plans, runs) = Default::default();
        Self { object, active: 0, deleted: None, gone: false, suspension: None, plans, runs, next: None }
    }

    /// Records what was decided about it.
    pub(crate) fn planned(&mut self, decisions: &[(&Decision, bool)], moment: StepMoment) {
        self.plans.add(decisions, moment);
        if let Some(suspension) = &mut self.suspension {
            suspension.planned(moment);
        }
        for (decision, _) in decisions.iter().filter(|(decision, _)| decision.role != Role::Routine) {
            if let Some(Value::Time(at)) = decision.value("scheduledAt") {
                self.runs.come(*at, moment);
            }
        }
        // The wait with a known end is that for the next run.
        self.next = decisions.iter().find_map(|(decision, _)| if let Role::Wait(period) = decision.role { period.until } else { None });
    }

    /// Records it as it was written.
    pub(crate) fn written(&mut self, cron_job: &CronJob, object: &Arc<Stored>, gone: bool, moment: StepMoment) {
        self.object = Arc::clone(object);
        (self.active, self.gone) = (cron_job.status.active.len(), gone);
        if cron_job.metadata.deleting() || gone {
            self.deleted.get_or_insert(moment);
        }
        self.suspension = Suspension::after(self.suspension.take(), cron_job.suspended(), &self.plans, moment);
    }

    /// Whether it is there.
    pub(crate) fn exists(&self) -> bool {
        !self.gone
    }

    pub(crate) fn outcome(&self, now: Timestamp) -> ObjectOutcome {
        let runs = &self.runs;
        let deleted = self.deleted.map(|since| deletion(since, self.gone));
        let suspended = self.suspension.as_ref().filter(|_| deleted.is_none()).map(Suspension::fact);
        let mut skipped: Vec<&ScheduledTime> = runs.scheduled.iter().filter(|time| !time.started).collect();
        // A CronJob that waits with a run knows no next one.
        let last_waits = runs.scheduled.last().is_some_and(|time| !time.started);
        let waiting = deleted.is_none() && suspended.is_none() && last_waits && self.next.is_none();
        if waiting {
            skipped.pop();
        }
        let state = match (&deleted, &suspended) {
            (Some(_), _) => OutcomeState::Deleted,
            _ if runs.failed > 0 => OutcomeState::Failed,
            (None, Some(_)) => OutcomeState::Suspended,
            (None, None) => OutcomeState::Running,
        };
        let mut started = plain(match runs.failed {
            0 => format!("{} started", counted(runs.jobs, "run")),
            failed => format!("{failed} of {} failed", counted(runs.jobs, "run")),
        });
        let passed_over = skipped.first().map(|time| Decided { question: about_run(time.at, " was skipped"), step: time.step });
        let (since, decided) = deleted.or(suspended).unzip();
        if since.is_none() {
            started.0.extend([TextPart::Text(" by ".into()), TextPart::Time(now)]);
        }
        let skipped = (!skipped.is_empty()).then(|| plain(format!("{} skipped", skipped.len())));
        let failed = runs.first_failed.as_ref().map(|(_, decided)| decided.clone());
        let metadata = self.object.metadata();
        ObjectOutcome {
            kind: Kind::CronJob,
            namespace: metadata.namespace.clone(),
            name: metadata.name.clone(),
            state,
            facts: present(
                [since, Some(started), skipped].into_iter().chain(runs.changed_clocks()).chain([waiting.then(|| plain("1 waiting"))]),
            ),
            decided: failed.or(passed_over).or_else(|| runs.first_change.clone()).or(decided),
        }
    }
}

/// Why something became of a run.
fn about_run(scheduled_at: Timestamp, what: &str) -> Sentence {
    let mut question = super::timed("Why the run scheduled for ", scheduled_at);
    question.0.push(TextPart::Text(what.into()));
    question
}

#[cfg(test)]
mod tests {
    use contract::Period;
    use play::step::Step;
    use schedule::MetClockChange;

    use super::*;
    use crate::clock_changes;
    use crate::runs::{PastRun, RunResult};
    use crate::testing::{WAIT, at, cron_job, decision, first, outcomes, plan, played, run, step, words};

    const MINUTE: i64 = 60_000;

    fn there() -> Step {
        step(0, [cron_job("hello")])
    }

    fn scheduled(minute: i64) -> [(&'static str, Value); 1] {
        [("scheduledAt", Value::Time(at(minute * MINUTE)))]
    }

    fn starts(minute: i64) -> Step {
        let plan = plan(minute * MINUTE, Kind::CronJob, "hello", [decision("Starting", Role::Action, scheduled(minute))]);
        Step { touched: step(0, [run(minute)]).touched, ..plan }
    }

    fn skips(minute: i64, role: Role) -> Step {
        plan(minute * MINUTE, Kind::CronJob, "hello", [decision("Not starting", role, scheduled(minute))])
    }

    #[test]
    fn it_has_runs_that_started_were_skipped_wait_and_failed() {
        let verdict = ("verdict", Value::Text("backoffLimit (0) exceeded".into()));
        let ends = plan(MINUTE + 4000, Kind::Job, "hello-1", [decision("It fails", Role::Action, [verdict])]);
        let end = step(MINUTE + 5000, [run(1).finished("Failed", "BackoffLimitExceeded")]);
        let steps = [there(), starts(1), ends, end.clone(), skips(2, WAIT), starts(3), skips(4, WAIT)];
        let failed = ["1 of 2 runs failed by 4:00 · 1 skipped · 1 waiting", "Why the run scheduled for 1:00 failed: 2"];
        assert_eq!(first(&steps, None), failed);
        assert_eq!(
            first(&[there(), starts(1), end], None)[1],
            "Why the run scheduled for 1:00 failed: 2",
            "without a verdict, when it finished"
        );
        let until = Role::Wait(Period { since: None, until: Some(at(3 * MINUTE)) });
        let skipped = ["1 run started by 2:00 · 1 skipped", "Why the run scheduled for 2:00 was skipped: 2"];
        assert_eq!(first(&[there(), starts(1), skips(2, until)], None), skipped);
        assert_eq!(first(&[there(), starts(1)], None), ["1 run started by 1:00", ""]);
        assert_eq!(
            first(&[there(), starts(1), skips(1, until)], None)[0],
            "1 run started by 1:00",
            "a run that was started is not skipped"
        );
    }

    #[test]
    fn it_is_suspended_or_deleted() {
        let suspended = step(2 * MINUTE, [cron_job("hello").suspended()]);
        assert_eq!(first(&[there(), starts(1), suspended], None), ["Suspended since 2:00 · 1 run started", "Why it is suspended: 2"]);
        let mut steps = vec![there(), starts(1), step(2 * MINUTE, [cron_job("hello").deleting().gone()])];
        assert_eq!(first(&steps, None), ["Deleted at 2:00 · 1 run started", "Why it was deleted: 2"]);
        steps.push(step(3 * MINUTE, [cron_job("hello").again()]));
        assert_eq!(first(&steps, None), ["0 runs started by 3:00", ""], "one that is created again is another CronJob");
    }

    #[test]
    fn a_run_that_nobody_decided_about_is_skipped() {
        let mut account = played(&[there(), starts(1), starts(3)]);
        let name = ("default".into(), "hello".into());
        let run = |minute: i64, result| PastRun { result, ..PastRun::due(at(minute * MINUTE), at(minute * MINUTE)) };
        let runs = [run(1, RunResult::Running), run(2, RunResult::Undecided), run(3, RunResult::Running), run(4, RunResult::Due)];
        account.observe_runs(runs.iter().map(|run| (&name, run)));
        let [outcome] = &account.outcomes(None)[..] else { panic!("there is one CronJob") };
        assert_eq!(outcome.facts.iter().map(words).collect::<Vec<_>>(), ["2 runs started by 3:00", "1 skipped"]);
    }

    #[test]
    fn it_counts_the_times_that_a_clock_change_takes_away_or_repeats() {
        let name = ("default".into(), "hello".into());
        let clock = |hour: i64| at(hour * 60 * MINUTE);
        let forward = MetClockChange { at: at(2 * MINUTE), from: clock(2), to: clock(3), times: vec![clock(2)] };
        let back = MetClockChange { at: at(4 * MINUTE), from: clock(3), to: clock(2), times: vec![clock(2), clock(2)] };
        let words = [
            "1 run started by 4:00 · 1 scheduled time did not exist · 2 scheduled times occurred twice",
            "Why a scheduled time did not exist: 2",
        ];
        assert_eq!(first(&[there(), starts(1), clock_changes::step(&forward, &name), clock_changes::step(&back, &name)], None), words);
    }

    #[test]
    fn its_jobs_are_its_own_whichever_is_seen_first() {
        let jobs = step(0, [run(1), run(2).finished("Failed", "BackoffLimitExceeded")]);
        let lines = outcomes(&[jobs, step(1000, [cron_job("hello")])], None);
        let failed = ("hello".to_owned(), "1 of 2 runs failed by 0:01".to_owned(), "Why the run scheduled for 2:00 failed: 0".to_owned());
        assert_eq!(lines, [failed]);
    }
}

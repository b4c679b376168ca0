//! The results of the runs of one CronJob, as its Jobs and the decisions about it show.
//!
//! Docs: CronJob, "Job creation", "Concurrency policy", "Schedule suspension". Runs that are over are kept in `history.rs`.

use std::collections::{BTreeMap, VecDeque};

use api::job::conditions::FAILURE_TARGET;
use api::{CronJob, Job, Text, Timestamp, time};
use contract::{Decision, Role, Value};
use schedule::Zone;

use super::history::{Holdup, PastRun, RunHistory, RunResult, StartedJob};
use super::log::RunLog;
use crate::timetable::{CronJobTimetable, local_time};

/// How many runs may be under way before the oldest of them counts as one that never ends.
const MOST_OPEN: usize = 1000;
/// How long the name of a Job or a pod that is gone is known.
const KNOWN: api::Duration = api::Duration::from_hours(1);
/// Why a run was skipped about which nothing was ever decided.
const UNDECIDED: &str = "nothing was decided about it in time";
/// A run that has been due this long without a Job is not about to be started.
const MOMENT: api::Duration = api::Duration::from_secs(1);

/// A CronJob and its runs.
#[derive(Debug)]
pub struct CronJobRuns {
    /// The CronJob as it was last.
    pub cron_job: CronJob,
    /// When it runs, if its schedule can be read.
    pub timetable: Option<CronJobTimetable>,
    /// The runs that are over.
    pub history: RunHistory,
    /// The run that ended last.
    pub last: Option<PastRun>,
    /// The sentence of each reason for which runs were skipped, or started late, by its rule.
    pub reasons: BTreeMap<Text, String>,
    /// Whether it is gone.
    gone: bool,
    /// The runs that are not over, and those behind them.
    open: VecDeque<PastRun>,
    /// The next scheduled time that has not come.
    next: Option<Timestamp>,
    /// The last scheduled time that has come, or when its schedule began to be followed.
    passed: Timestamp,
    /// The scheduled time of the last run in the history.
    closed: Timestamp,
    /// The names of its Jobs, and when each went; the last of their pods may go later.
    jobs: BTreeMap<Text, Option<Timestamp>>,
    /// The names of the pods of these, and when each went.
    pods: BTreeMap<Text, Option<Timestamp>>,
    /// The latest decision about a run, after those to wait of other rules; with its scheduled time.
    about_run: Option<(Timestamp, Vec<Decision>)>,
    /// The latest decision to wait that is about no run.
    waiting: Option<Decision>,
    /// For which time it waits if that is known: runs before are not started any more.
    waits_for: Option<Timestamp>,
    /// What runs came to.
    pub(super) log: RunLog,
}

impl CronJobRuns {
    /// The runs of a CronJob from here on.
    pub fn new(cron_job: &CronJob, zone: &Zone, now: Timestamp) -> Self {
        let mut runs = Self {
            cron_job: cron_job.clone(),
            timetable: None,
            history: RunHistory::default(),
            last: None,
            reasons: BTreeMap::new(),
            gone: false,
            open: VecDeque::new(),
            next: None,
            passed: now,
            closed: Timestamp::MIN,
            jobs: BTreeMap::new(),
            pods: BTreeMap::new(),
            about_run: None,
            waiting: None,
            waits_for: None,
            log: RunLog::default(),
        };
        runs.schedule(zone, now);
        runs
    }

    fn schedule(&mut self, zone: &Zone, now: Timestamp) {
        self.timetable = CronJobTimetable::read(&self.cron_job, zone).ok();
        self.next = self.timetable.as_ref().and_then(|timetable| timetable.next(now));
        self.passed = now;
    }

    /// When its next run is to start; `None` if it has none, or starts no Jobs.
    pub fn next(&self) -> Option<Timestamp> {
        self.next.filter(|_| !self.gone && !self.cron_job.suspended()).map(|at| self.starts_at(at))
    }

    /// Whether it is there, is not suspended, and yet never runs: no year has a day that fits its schedule.
    pub fn never_due(&self) -> bool {
        self.timetable.is_some() && self.exists() && !self.cron_job.suspended() && self.next.is_none()
    }

    /// When the run of a scheduled time is to start.
    fn starts_at(&self, scheduled_at: Timestamp) -> Timestamp {
        self.timetable.as_ref().map_or(scheduled_at, |timetable| timetable.starts_at(scheduled_at))
    }

    /// How many runs were started, whatever became of them.
    pub fn started(&self) -> usize {
        self.history.totals.started + self.open.iter().filter(|run| run.job.is_some()).count()
    }

    /// Whether it is there.
    pub fn exists(&self) -> bool {
        !self.gone
    }

    /// How many runs failed.
    pub fn failed(&self) -> usize {
        self.history.totals.failed + self.open.iter().filter(|run| matches!(run.result, RunResult::Failed(_))).count()
    }

    /// Why it starts no Jobs, if that was decided: a sentence.
    pub fn blocked(&self) -> Option<String> {
        self.waiting.as_ref().map(|decision| decision.sentence.to_string())
    }

    /// Time passes: runs become due, and those before them are not started any more.
    pub(super) fn pass(&mut self, now: Timestamp) {
        while let Some(at) = self.next.filter(|at| self.starts_at(*at) <= now && !self.gone) {
            self.skip();
            self.set_forward(at);
            self.open.push_back(PastRun::due(at, self.starts_at(at)));
            self.log.counts.skipped += 1;
            self.log.record(&self.open[self.open.len() - 1]);
            self.next = self.timetable.as_ref().and_then(|timetable| timetable.next(at));
        }
    }

    /// Time passes until a scheduled time, or until nothing more happens: the clock may be set forward past others.
    fn set_forward(&mut self, until: Timestamp) {
        let skipped = self.timetable.as_ref().map_or_else(Vec::new, |timetable| timetable.skipped(self.passed, until));
        self.open.extend(skipped.into_iter().map(PastRun::skipped));
        self.passed = until;
    }

    /// Records a decision about the CronJob.
    pub(super) fn decide(&mut self, decision: &Decision) {
        let late = ["missed", "rescheduledAt", "resumedAt", "pausedBy"].iter().any(|name| decision.value(name).is_some());
        if decision.role == Role::Action && late {
            self.explain(decision);
        }
        match (decision.value("scheduledAt"), decision.role) {
            (_, Role::Routine) => {}
            (Some(Value::Time(at)), role) => {
                self.settle(*at, decision);
                let earlier = self.about_run.take().filter(|(about, _)| about == at).map(|(_, decisions)| decisions);
                let waits = |earlier: &Decision| matches!(earlier.role, Role::Wait(_)) && earlier.kind.rule != decision.kind.rule;
                let others = earlier.into_iter().flatten().filter(waits);
                self.about_run = Some((*at, others.chain([decision.clone()]).collect()));
                if role == Role::Action {
                    self.waiting = None;
                }
            }
            (_, role @ (Role::Wait(_) | Role::Invalid)) => {
                self.waiting = Some(decision.clone());
                self.waits_for = if let Role::Wait(period) = role { period.until } else { None };
            }
            (_, Role::Action) => {}
        }
    }

    /// Records why runs before this time were skipped about which nothing was decided so far: a decision about a later one has it.
    fn settle(&mut self, scheduled_at: Timestamp, decision: &Decision) {
        let counts = ["missed", "estimate"].iter().any(|name| decision.value(name).is_some());
        let reason = if counts { format!("only the last missed run is started ({})", decision.kind.rule) } else { UNDECIDED.to_owned() };
        for run in self.open.iter_mut().filter(|run| run.result == RunResult::Undecided && run.scheduled_at < scheduled_at) {
            run.result = RunResult::Skipped(reason.as_str().into());
            self.log.record(run);
        }
    }

    /// Records what keeps a Job from finishing, for the run that it belongs to.
    pub(super) fn keep(&mut self, job: &Job, reason: &str) {
        if let Some(run) = self.open.iter_mut().find(|run| run.job.as_ref().is_some_and(|started| started.uid == job.metadata.uid)) {
            let failing = job.condition(FAILURE_TARGET).map(|condition| condition.reason.clone());
            run.holdup = Some(Holdup { failing, reason: reason.into() });
        }
    }

    /// Records the CronJob as it was written.
    pub(super) fn write(&mut self, cron_job: &CronJob, gone: bool, zone: &Zone, now: Timestamp) {
        let (old, new) = (&self.cron_job, cron_job);
        let rescheduled = (&old.spec.schedule, &old.spec.time_zone, &old.metadata.annotations)
            != (&new.spec.schedule, &new.spec.time_zone, &new.metadata.annotations);
        let again = self.cron_job.metadata.uid != cron_job.metadata.uid;
        self.cron_job = cron_job.clone();
        self.gone = gone;
        if rescheduled || again {
            self.schedule(zone, now);
        }
    }

    /// Whether a Job is, or was a while ago, one of the CronJob's.
    pub(super) fn has_job(&self, name: &Text) -> bool {
        self.jobs.contains_key(name)
    }

    /// Whether a pod is, or was a while ago, one of these Jobs'.
    pub(super) fn has_pod(&self, name: &Text) -> bool {
        self.pods.contains_key(name)
    }

    /// Records a pod as it was written, if its Job is one of the CronJob's.
    pub(super) fn write_pod(&mut self, job: &Text, name: &Text, gone: bool, now: Timestamp) {
        if self.has_job(job) {
            self.pods.insert(name.clone(), gone.then_some(now));
        }
    }

    /// Records a Job of the CronJob as it was written.
    pub(super) fn write_job(&mut self, job: &Job, gone: bool, now: Timestamp) {
        if self.jobs.insert(job.metadata.name.clone(), gone.then_some(now)).is_none() {
            let known = |gone: &Option<Timestamp>| gone.is_none_or(|at| now.duration_since(at) < KNOWN);
            self.jobs.retain(|_, gone| known(gone));
            self.pods.retain(|_, gone| known(gone));
        }
        let Some(place) = self.place(job, gone, now) else { return };
        let run = &mut self.open[place];
        if run.over() {
            return;
        }
        run.result = match job.finished_by() {
            Some(condition) if condition.complete() => RunResult::Complete,
            Some(condition) => RunResult::Failed(condition.reason.clone()),
            None if gone || job.metadata.deleting() => RunResult::Deleted,
            None => return,
        };
        run.ended_at = Some(now);
        self.log.record(run);
        self.last = Some(run.clone());
    }

    /// A run that is due is not started any more once the controllers wait for the next one.
    pub(super) fn pass_over(&mut self) {
        let Some(until) = self.waits_for.take() else { return };
        if self.next.is_some_and(|next| until < self.starts_at(next)) {
            return;
        }
        let starting = |at| {
            self.about_run
                .as_ref()
                .is_some_and(|(about, decisions)| *about == at && decisions.last().is_some_and(|decision| decision.role == Role::Action))
        };
        if self.open.back().is_some_and(|run| run.scheduled_at < until && !starting(run.scheduled_at)) {
            self.skip();
        }
    }

    /// Where the run of a Job stands; a Job that is seen for the first time starts it.
    fn place(&mut self, job: &Job, gone: bool, now: Timestamp) -> Option<usize> {
        let uid = &job.metadata.uid;
        let of_job = |run: &PastRun| run.job.as_ref().is_some_and(|started| started.uid == *uid);
        if let Some(place) = self.open.iter().rposition(of_job) {
            return Some(place);
        }
        // One that was started by hand was due when it was created.
        let scheduled_at = job.scheduled_at().unwrap_or_else(|| created_at(job, now));
        let by_hand = job.scheduled_at().is_none();
        let due_at = if by_hand { scheduled_at } else { self.starts_at(scheduled_at) };
        if gone || job.finished() || scheduled_at <= self.closed {
            return None;
        }
        for run in self.open.iter_mut().filter(|run| run.result == RunResult::Deleted && run.ended_at == Some(now)) {
            run.result = RunResult::Replaced;
            self.log.counts.replaced += 1;
            self.log.record(run);
        }
        let overlaps = self.open.iter().any(|run| run.result == RunResult::Running);
        let before = |run: &PastRun| run.scheduled_at < scheduled_at || (run.scheduled_at == scheduled_at && run.skipped_clock.is_some());
        let place = self.open.partition_point(before);
        if self.open.get(place).is_none_or(|run| run.scheduled_at != scheduled_at || run.job.is_some()) {
            self.open.insert(place, PastRun { by_hand, ..PastRun::due(scheduled_at, due_at) });
        } else {
            self.log.counts.skipped -= 1;
        }
        let run = &mut self.open[place];
        run.job = Some(StartedJob { name: job.metadata.name.clone(), uid: uid.clone(), at: created_at(job, now) });
        run.result = RunResult::Running;
        self.log.counts.started += 1;
        self.log.counts.overlapping += usize::from(overlaps);
        self.log.record(run);
        Some(place)
    }

    /// The runs that are over and that no run is before that is not; from here on they are in the history.
    pub(super) fn close(&mut self) -> Vec<PastRun> {
        let mut closed = Vec::new();
        while let Some(run) = self.open.front()
            && (run.over() || self.open.len() > MOST_OPEN)
            && let Some(run) = self.open.pop_front()
        {
            if run.skipped_clock.is_none() {
                self.closed = run.scheduled_at;
            }
            self.history.add(run.clone());
            closed.push(run);
        }
        closed
    }

    /// Nothing more happens: all runs are in the history from here on.
    pub(super) fn finish(&mut self, now: Timestamp) -> Vec<PastRun> {
        self.pass(now);
        let about_to_start = |run: &PastRun| run.result == RunResult::Due && now.duration_since(run.due_at) < MOMENT;
        if self.open.back().is_some_and(about_to_start) {
            self.open.pop_back();
        }
        self.skip();
        if !self.gone {
            self.set_forward(now);
        }
        let mut rest: Vec<PastRun> = self.open.drain(..).collect();
        for run in rest.iter_mut().filter(|run| run.result == RunResult::Undecided) {
            run.result = RunResult::Skipped(UNDECIDED.into());
        }
        rest.iter().for_each(|run| self.history.add(run.clone()));
        rest
    }

    /// The run that is due, if there is one, is not started.
    fn skip(&mut self) {
        let Some(due) = self.open.back().filter(|run| run.result == RunResult::Due).map(|run| run.scheduled_at) else { return };
        let result = self.reason(due).map_or(RunResult::Undecided, RunResult::Skipped);
        if let Some(run) = self.open.back_mut() {
            run.result = result;
            self.log.record(run);
        }
    }

    /// Why a run was not started, in short, if anything was decided about it.
    fn reason(&mut self, due: Timestamp) -> Option<Text> {
        let about_it = self.about_run.as_ref().filter(|(at, _)| *at == due).map(|(_, decisions)| decisions.clone());
        let goes_on = |decision: &&Decision| match decision.role {
            Role::Wait(period) => period.until.is_none_or(|until| until > due),
            Role::Action | Role::Invalid | Role::Routine => true,
        };
        let decisions = about_it.or_else(|| Some(vec![self.waiting.as_ref().filter(goes_on)?.clone()]))?;
        decisions.iter().for_each(|decision| self.explain(decision));
        let reasons: Vec<String> = decisions.iter().map(|decision| self.in_short(decision)).collect();
        Some(reasons.join(", then ").into())
    }

    /// A decision in short: the field that it rests on with its value, and the rule.
    fn in_short(&self, decision: &Decision) -> String {
        let kind = &decision.kind;
        if kind.rule.is_empty() {
            return self.sentence(decision);
        }
        let field = kind.fields.iter().find_map(|field| Some((field.rsplit('.').next()?, self.value(field)?)));
        field.map_or_else(|| kind.rule.to_string(), |(name, value)| format!("{name} {value} ({})", kind.rule))
    }

    /// Prints the sentence of a decision below the table, if it is the first of its rule.
    fn explain(&mut self, decision: &Decision) {
        let rule = &decision.kind.rule;
        if !rule.is_empty() && !self.reasons.contains_key(rule) {
            self.reasons.insert(rule.clone(), self.sentence(decision));
        }
    }

    /// The sentence of a decision in local time.
    fn sentence(&self, decision: &Decision) -> String {
        let zone = self.timetable.as_ref().map_or_else(Zone::utc, |timetable| timetable.zone().clone());
        decision.sentence.render(|at| local_time(at, &zone))
    }

    /// The value of a field of the spec, in words.
    fn value(&self, field: &str) -> Option<String> {
        let spec = serde_json::to_value(&self.cron_job.spec).ok()?;
        let value = field.strip_prefix("spec.")?.split('.').try_fold(&spec, |value, name| value.get(name))?;
        Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    }
}

/// When a Job that is seen for the first time was created: at this moment, unless it existed before.
fn created_at(job: &Job, now: Timestamp) -> Timestamp {
    // Creation times are cut to seconds.
    job.metadata.creation_timestamp.filter(|at| *at < time::whole_seconds(now)).unwrap_or(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pod_is_known_by_its_job_whatever_its_name_begins_with() {
        let now: Timestamp = "2026-03-01T00:00:00Z".parse().unwrap();
        let mut runs = CronJobRuns::new(&CronJob::default(), &Zone::utc(), now);
        let mut job = Job::default();
        job.metadata.name = format!("{}-29538720", "a".repeat(52)).into();
        let [cut, other] = [&job.metadata.name[..58], "b-"].map(|start| Text::from(format!("{start}x7k2p")));
        runs.write_job(&job, false, now);
        runs.write_pod(&job.metadata.name, &cut, false, now);
        runs.write_pod(&"b".into(), &other, false, now);
        assert_eq!([&cut, &other].map(|pod| runs.has_pod(pod)), [true, false]);
    }
}

//! The results of the runs of one CronJob, as its Jobs and the decisions about it show.
//!
//! Docs: CronJob, "Job creation", "Concurrency policy", "Schedule suspension". Runs that are over are kept in `history.rs`.

use std::collections::{BTreeMap, VecDeque};

use api::annotation::DELAY_DURING;
use api::job::conditions::FAILURE_TARGET;
use api::{CronJob, Job, Text, Timestamp, time};
use contract::{Decision, Role, Value};
use schedule::Zone;

use super::coming::ComingRuns;
use super::history::{Holdup, PastRun, RunHistory, RunResult, StartedJob};
use super::log::RunLog;
use crate::timetable::{CronJobTimetable, local_time};

/// How many runs may be under way before the oldest of them counts as one that never ends.
const MOST_OPEN: usize = 1000;
/// How long the name of a Job or a pod that is gone is known.
const KNOWN: api::Duration = api::Duration::from_hours(1);
/// Why a run was skipped about which nothing was ever decided.
const UNDECIDED: &str = "nothing was decided about it in time";
/// Decisions that explain what the table shows, although they are no actions.
const EXPLAINING: [&str; 2] = ["SkipsRun", SPREADS_STARTS];
/// That runs start some time after they are scheduled: nothing waits for that.
const SPREADS_STARTS: &str = "SpreadsStarts";
/// Values of decisions that start a run: why it is late, or what it replaces.
const LATE: [&str; 6] = ["missed", "rescheduledAt", "resumedAt", "pausedBy", "delayedUntil", "limit"];
/// A run that has been due this long without a Job is not about to be started.
const MOMENT: api::Duration = api::Duration::from_secs(1);

/// A CronJob and its runs.
#[derive(Debug)]
pub struct CronJobRuns {
    /// The CronJob as it was last.
    pub cron_job: CronJob,
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
    /// Its scheduled times that have not come.
    times: ComingRuns,
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
        Self {
            cron_job: cron_job.clone(),
            history: RunHistory::default(),
            last: None,
            reasons: BTreeMap::new(),
            gone: false,
            open: VecDeque::new(),
            times: ComingRuns::after(now, cron_job, zone),
            closed: Timestamp::MIN,
            jobs: BTreeMap::new(),
            pods: BTreeMap::new(),
            about_run: None,
            waiting: None,
            waits_for: None,
            log: RunLog::default(),
        }
    }

    /// When it runs, if its schedule can be read.
    pub fn timetable(&self) -> Option<&CronJobTimetable> {
        self.times.timetable.as_ref()
    }

    /// When its next run is to start; `None` if it has none, or starts no Jobs.
    pub fn next(&self) -> Option<Timestamp> {
        self.times.next_started().filter(|_| !self.gone && !self.cron_job.suspended()).map(|at| self.times.starts_at(at))
    }

    /// Whether it is there, is not suspended, and yet never runs: no year has a day that fits its schedule, or windows skip all runs.
    pub fn never_due(&self) -> bool {
        self.timetable().is_some() && self.exists() && !self.cron_job.suspended() && self.times.next_started().is_none()
    }

    /// Whether there are runs, and windows skip all of them.
    pub fn all_skipped(&self) -> bool {
        self.times.next.is_some() && self.times.next_started().is_none()
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
        while !self.gone
            && let Some((passed_over, run)) = self.times.come(now)
        {
            if run.result == RunResult::Due {
                self.skip();
            }
            self.log.counts.skipped += 1;
            self.log.record(&run);
            self.open.extend(passed_over.into_iter().chain([run]));
        }
    }

    /// Records a decision about the CronJob.
    pub(super) fn decide(&mut self, decision: &Decision) {
        let has = |name: &&str| decision.value(name).is_some();
        let late = decision.role == Role::Action && has(&"scheduledAt") && LATE.iter().any(has);
        if late || EXPLAINING.contains(&&*decision.kind.code) {
            self.explain(decision);
        }
        match (decision.value("scheduledAt"), decision.role) {
            (_, Role::Routine) => {}
            (None, _) if &*decision.kind.code == SPREADS_STARTS => {}
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
        let missed = if counts { format!("only the last missed run is started ({})", decision.kind.rule) } else { UNDECIDED.to_owned() };
        let delays = |at| self.times.timetable.as_ref().is_some_and(|timetable| timetable.delays(at));
        // Windows pass over a run for the last one that they delay; if that is not started either, it is because of them.
        let because_of_windows = !delays(scheduled_at);
        for run in self.open.iter_mut().filter(|run| run.result == RunResult::Undecided && run.scheduled_at < scheduled_at) {
            let reason = if because_of_windows && delays(run.scheduled_at) { format!("{DELAY_DURING} (X-18)") } else { missed.clone() };
            run.result = RunResult::Skipped(reason.into());
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
        let again = old.metadata.uid != new.metadata.uid;
        let rescheduled = (&old.spec.schedule, &old.spec.time_zone) != (&new.spec.schedule, &new.spec.time_zone);
        let annotated = old.metadata.annotations != new.metadata.annotations;
        self.cron_job = cron_job.clone();
        self.gone = gone;
        if rescheduled || again {
            self.times = ComingRuns::after(now, cron_job, zone);
        } else if annotated {
            self.times.read(cron_job, zone);
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
        if self.times.next_started().is_some_and(|next| until < self.times.starts_at(next)) {
            return;
        }
        let starting = |at| {
            self.about_run
                .as_ref()
                .is_some_and(|(about, decisions)| *about == at && decisions.last().is_some_and(|decision| decision.role == Role::Action))
        };
        if self.due().map(|place| self.open[place].scheduled_at).is_some_and(|at| at < until && !starting(at)) {
            self.skip();
        }
    }

    /// Where the run stands that is due, if there is one.
    fn due(&self) -> Option<usize> {
        self.open.iter().rposition(|run| run.result == RunResult::Due)
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
        let due_at = if by_hand { scheduled_at } else { self.times.starts_at(scheduled_at) };
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
        if let Some(place) = self.due().filter(|place| now.duration_since(self.open[*place].due_at) < MOMENT) {
            self.open.remove(place);
        }
        self.skip();
        if !self.gone {
            self.open.extend(self.times.set_forward(now));
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
        let Some(place) = self.due() else { return };
        let result = self.reason(self.open[place].scheduled_at).map_or(RunResult::Undecided, RunResult::Skipped);
        self.open[place].result = result;
        self.log.record(&self.open[place]);
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

    /// A decision in short: the annotation that it rests on, or the field with its value, and the rule.
    fn in_short(&self, decision: &Decision) -> String {
        let kind = &decision.kind;
        if kind.rule.is_empty() {
            return self.sentence(decision);
        }
        if let Some(Value::Text(annotation)) = decision.value("annotation") {
            return format!("{annotation} ({})", kind.rule);
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
        let zone = self.timetable().map_or_else(Zone::utc, |timetable| timetable.zone().clone());
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

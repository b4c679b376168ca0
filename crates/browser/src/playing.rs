//! A session: Jobs on virtual time, or what was recorded of a cluster, step by step, with all that was.
//!
//! Docs: Jobs. What happens is `play::Play` or `play::recording`; how a step is shown is in `step_view.rs`, what objects were in `history.rs`.

use std::io::Cursor;

use api::{Duration, Kind, ObjectMeta, Text, Timestamp, time};
use contract::{Manager, Obstacle, Wakeup};
use manifest::{Diagnostic, Document};
use past::RecordedJob;
use play::recording::Steps;
use play::step::{Step, Trigger};
use play::trace::{EntryWords, Transcript};
use play::{LONGEST, Play, Unplayable, claim};
use schedule::Zone;
use serde::Serialize;
use story::account::{Account, EndOfPlay};
use story::clock_changes;
use story::restarts::Restarts;
use story::runs::Runs;
use story::session_clock::SessionClock;

use crate::check;
use crate::clock_view::ClockView;
use crate::entry_view::PartView;
use crate::history::{ObjectHistory, ObjectNameView};
use crate::memory;
use crate::outcome_view::OutcomeView;
use crate::past_session::{OpenedPast, PastSession};
use crate::past_view::PastView;
use crate::refused;
use crate::run_view::RunView;
use crate::step_view::{DueView, ProgressView, StepView};
use crate::trace_lines::TraceLines;

/// A session, played up to the point that the page asked for.
pub struct Playing {
    source: Box<dyn StepSource>,
    /// When it begins and has to end.
    start: Timestamp,
    end: Timestamp,
    /// When the last action of its script happens.
    scripted: Timestamp,
    /// What is shown above its past, until it was sent.
    past: Option<PastView>,
    /// How far CronJobs are played; `None` while there is no limit.
    ahead: Option<Ahead>,
    /// How many steps were played.
    steps: usize,
    /// When the last moment was.
    passed: Timestamp,
    history: ObjectHistory,
    account: Account,
    restarts: Restarts,
    runs: Runs,
    clock: SessionClock,
    transcript: Transcript,
    lines: TraceLines,
}

/// A rule that matched no pod and no container.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UnmatchedRule {
    /// Its line in the script, from 1.
    line: usize,
    /// In a sentence without its end, with the names that there are.
    message: String,
}

/// How far CronJobs are played: they never end by themselves.
struct Ahead {
    /// How many runs may still begin.
    runs: usize,
    /// Runs up to this time are not counted.
    until: Timestamp,
}

/// Where steps come from.
pub(crate) trait StepSource {
    /// The steps of the next moment that has any and is not after `end`; `None` if there is none.
    fn next_moment(&mut self, end: Timestamp) -> Option<Vec<Step>>;

    /// When the next moment is, if the run of a CronJob is due then.
    fn next_run(&mut self) -> Option<Timestamp>;

    /// What the controllers wait for.
    fn next_wakeup(&mut self) -> Option<Wakeup>;

    /// Whether what happens is simulated, so that what comes next is known; otherwise, it came from outside.
    fn simulated(&self) -> bool;

    /// Whether nothing will ever happen again.
    fn stands_still(&mut self) -> bool;

    /// What keeps an object from making progress, the nearest cause first; nothing where no controllers can be asked.
    fn obstacles(&mut self, kind: Kind, metadata: &ObjectMeta) -> Vec<Obstacle>;

    /// Whether nothing is shown of an object, although it is there.
    fn leaves_out(&self, _object: &ObjectMeta) -> bool {
        false
    }

    /// The rules of a script that matched nothing so far: their lines, each with a warning.
    fn unmatched_rules(&self) -> Vec<(usize, String)> {
        Vec::new()
    }
}

/// A cluster in memory.
impl<M: Manager> StepSource for Play<M> {
    fn next_moment(&mut self, end: Timestamp) -> Option<Vec<Step>> {
        self.next_moment(end)
    }

    fn next_run(&mut self) -> Option<Timestamp> {
        let wakeup = self.next_wakeup().filter(|wakeup| *wakeup.object.kind == *Kind::CronJob.name())?;
        self.next_due().filter(|due| *due >= wakeup.at)
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        self.next_wakeup()
    }

    fn simulated(&self) -> bool {
        true
    }

    fn stands_still(&mut self) -> bool {
        self.next_due().is_none() && self.stopped().is_none()
    }

    fn obstacles(&mut self, kind: Kind, metadata: &ObjectMeta) -> Vec<Obstacle> {
        let now = self.now();
        self.obstacles(kind, metadata, now)
    }

    fn unmatched_rules(&self) -> Vec<(usize, String)> {
        self.unmatched_rules()
    }
}

/// What was recorded of another.
impl<M: Manager> StepSource for Steps<Cursor<String>, M> {
    fn next_moment(&mut self, _end: Timestamp) -> Option<Vec<Step>> {
        self.next_moment()
    }

    /// A recording comes to its end.
    fn next_run(&mut self) -> Option<Timestamp> {
        None
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        self.next_wakeup()
    }

    fn simulated(&self) -> bool {
        false
    }

    fn stands_still(&mut self) -> bool {
        false
    }

    fn obstacles(&mut self, _kind: Kind, _metadata: &ObjectMeta) -> Vec<Obstacle> {
        Vec::new()
    }
}

impl Playing {
    /// A cluster to which the Jobs of a manifest were applied, or that goes on from objects which another cluster had, and whose pods follow a
    /// script.
    ///
    /// # Errors
    /// What is wrong with either.
    pub fn new(manager: impl Manager + 'static, manifest: &str, text: &str) -> Result<Self, Vec<Diagnostic>> {
        let (objects, others) = check::own(manifest::objects(manifest)?);
        if objects.is_empty() {
            return Err(manifest::only_pods_of_others(&others.iter().collect::<Vec<_>>()).into_iter().collect());
        }
        let script = check::script(text)?;
        let text = |document: &Document| Text::from(document.value().to_string());
        let documents: Vec<Text> = objects.iter().map(|object| text(object.document())).collect();
        let events: Vec<Text> = manifest::events(manifest).into_iter().map(|event| event.to_string().into()).collect();
        let recorded: Vec<Text> = documents.iter().chain(&events).cloned().collect();
        let start = play::beginning(&others.iter().map(|other| text(&other.document)).chain(recorded.iter().cloned()).collect::<Vec<_>>());
        let (opened, manager) = OpenedPast::of(manager, RecordedJob::all(&recorded), start);
        let start = opened.as_ref().map_or(start, |opened| opened.until);
        let mut play = Play::new(manager, &script, &documents, start).map_err(|unplayable| match unplayable {
            Unplayable::Object { place, error } => manifest::refusals(objects[place].document(), &error),
            Unplayable::Script(ambiguous) => vec![claim::ambiguity(ambiguous)],
        })?;
        play.read_events(events);
        let lines = TraceLines::of(&play, start);
        let last = script.actions.iter().map(|statement| statement.what.after).max().unwrap_or_default();
        let scripted = time::after(start, last);
        Ok(match opened {
            None => Self { scripted, lines, ..Self::begin(Box::new(play), start) },
            Some(OpenedPast { past: None, shown, .. }) => Self { scripted, lines, past: Some(shown), ..Self::begin(Box::new(play), start) },
            Some(OpenedPast { past: Some(past), shown, others, .. }) => {
                let beginning = past.start();
                let lines = TraceLines::of(&play, beginning);
                let session = PastSession::new(past, &others, play, start);
                Self { scripted, lines, past: Some(shown), ..Self::begin(Box::new(session), beginning) }
            }
        })
    }

    /// What a recording shows of another cluster; `manager` makes the controllers from the configuration that was recorded.
    ///
    /// # Errors
    /// Why the text is not a recording, or why there are no controllers for it.
    pub fn open<M>(recording: String, manager: impl FnOnce(&str) -> Result<M, String>) -> Result<Self, String>
    where
        M: Manager + 'static,
    {
        let (steps, header) = Steps::new(Cursor::new(recording), |header| manager(header.configuration.get()))?;
        Ok(Self::begin(Box::new(steps), header.start))
    }

    fn begin(source: Box<dyn StepSource>, start: Timestamp) -> Self {
        Self {
            source,
            start,
            end: time::after(start, LONGEST),
            scripted: start,
            past: None,
            ahead: None,
            steps: 0,
            passed: start,
            history: ObjectHistory::default(),
            account: Account::default(),
            restarts: Restarts::default(),
            runs: Runs::new(Zone::utc()),
            clock: SessionClock::new(start),
            transcript: Transcript::new(start),
            lines: TraceLines::new(start),
        }
    }

    /// What simulates it, when it begins and has to end, and the runs of its CronJobs.
    pub(crate) fn into_runs(self) -> (Box<dyn StepSource>, Timestamp, Timestamp, Runs) {
        (self.source, self.start, self.end, self.runs)
    }

    /// Shows the past that it begins with in the time zone of this name, unless its CronJob names one.
    pub fn read_in(&mut self, zone: &str) {
        if let (Some(past), Some(reader)) = (&mut self.past, Zone::named(zone)) {
            past.read_in(&reader, self.start);
        }
    }

    /// Plays CronJobs on for this many runs, and at least until this many milliseconds after the beginning, and until its script has happened.
    pub fn play_ahead(&mut self, runs: usize, until: f64) {
        let until = time::after(self.start, Duration::from_secs_f64(until / 1000.0));
        self.ahead = Some(Ahead { runs, until: until.max(self.scripted) });
    }

    /// Plays moment by moment until its steps have this many entries and written objects, or nothing happens any more, or before a run of a
    /// CronJob that is further ahead than wanted.
    pub fn run(&mut self, size: usize) -> ProgressView {
        let (mut steps, mut ended, mut paused, mut played) = (Vec::new(), false, false, 0);
        while played < size {
            paused = !self.may_go_on();
            if paused {
                break;
            }
            memory::reserve();
            let Some(moment) = self.source.next_moment(self.end) else {
                ended = true;
                break;
            };
            let changes = self.clock_changes(&moment);
            self.observe(&moment);
            for mut step in changes.into_iter().chain(moment) {
                played += 1 + step.entries.len() + step.touched.len();
                self.history.record(self.steps, &step.touched);
                step.touched.retain(|touched| !self.source.leaves_out(touched.after.metadata()));
                self.account.observe(self.steps, &step);
                let restarts = self.restarts.observe(self.steps, &step);
                self.steps += 1;
                let transcript = &mut self.transcript;
                let words: Vec<EntryWords> = step.entries.iter().map(|entry| transcript.parts(entry)).collect();
                // `jobsmith simulate` prints no line for a clock change.
                if !matches!(step.trigger, Trigger::ClockChange { .. }) {
                    self.lines.extend(step.at, &step.entries, &words);
                }
                let clock = ClockView::of(self.clock.observe(&step));
                let mut shown = StepView::of(step, words, restarts, self.start);
                shown.clock = clock;
                steps.push(shown);
            }
            if let Some(last) = steps.last_mut() {
                let waits = self.source.next_wakeup().map(|wakeup| DueView::of(wakeup, self.start));
                last.awaits = waits.is_none().then(|| self.awaited()).flatten();
                last.waits = Some(waits);
                let changes: Vec<_> = self.runs.changes().collect();
                self.account.observe_runs(changes.iter().map(|(name, change)| (*name, &change.run)));
                last.runs = changes.into_iter().filter_map(|(name, change)| RunView::of(name, change, self.start)).collect();
            }
        }
        ProgressView { start: self.start, steps, outcomes: self.outcomes(ended), ended, paused, past: self.past.take() }
    }

    /// What has to happen next where no time is known; `None` if what happens comes from outside.
    fn awaited(&mut self) -> Option<Vec<PartView>> {
        if !self.source.simulated() {
            return None;
        }
        let still = self.source.stands_still();
        let mut obstacles = |kind, metadata: &ObjectMeta| self.source.obstacles(kind, metadata);
        let ending = still.then_some(EndOfPlay { still, obstacles: &mut obstacles });
        Some(PartView::all(&self.account.awaited(ending), self.start))
    }

    fn outcomes(&mut self, ended: bool) -> Vec<OutcomeView> {
        let still = ended && self.source.stands_still();
        let mut obstacles = |kind, metadata: &ObjectMeta| self.source.obstacles(kind, metadata);
        let ending = ended.then_some(EndOfPlay { still, obstacles: &mut obstacles });
        let outcomes = self.account.outcomes(ending);
        outcomes.into_iter().map(|outcome| OutcomeView::of(outcome, self.start)).collect()
    }

    /// The clock changes that CronJobs have met since the last moment.
    fn clock_changes(&mut self, moment: &[Step]) -> Vec<Step> {
        let Some(now) = moment.first().map(|step| step.at) else { return Vec::new() };
        let mut steps: Vec<Step> =
            self.runs.clock_changes(self.passed, now).map(|(name, change)| clock_changes::step(&change, name)).collect();
        steps.sort_by_key(|step| step.at);
        self.passed = now;
        steps
    }

    /// Records what happened to the runs of CronJobs.
    fn observe(&mut self, moment: &[Step]) {
        let Some(now) = moment.last().map(|step| step.at) else { return };
        let touched = moment.iter().flat_map(|step| &step.touched).map(|touched| (&touched.after, touched.gone));
        self.runs.observe(moment.iter().flat_map(|step| &step.entries), touched, now);
    }

    /// Whether the next moment is not too far ahead. A run that is wanted is counted, and may be years ahead.
    fn may_go_on(&mut self) -> bool {
        let Some(ahead) = &mut self.ahead else { return true };
        let Some(at) = self.source.next_run() else { return true };
        if at > ahead.until {
            let Some(left) = ahead.runs.checked_sub(1) else { return false };
            ahead.runs = left;
        }
        self.end = self.end.max(time::after(at, LONGEST));
        true
    }

    /// The objects that exist after a step, by kind, namespace and name.
    #[must_use]
    pub fn objects(&self, step: usize) -> Vec<ObjectNameView> {
        self.history.objects(step)
    }

    /// An object after a step as JSON, if it is there.
    #[must_use]
    pub fn object(&self, step: usize, kind: Kind, namespace: &str, name: &str) -> Option<Text> {
        self.history.object(step, kind, namespace, name).map(|stored| stored.json())
    }

    /// The objects that exist after a step, as a List in JSON: a session can go on from there.
    #[must_use]
    pub fn list(&self, step: usize) -> String {
        let items: Vec<Text> = self.history.all(step).map(|stored| stored.json()).collect();
        format!(r#"{{"apiVersion":"v1","kind":"List","items":[{}]}}"#, items.join(","))
    }

    /// The rules of the script that matched nothing so far.
    #[must_use]
    pub fn unmatched(&self) -> Vec<UnmatchedRule> {
        self.source.unmatched_rules().into_iter().map(|(line, message)| UnmatchedRule { line, message }).collect()
    }

    /// What the API server would refuse of a script's actions after a step. Their times do not matter.
    #[must_use]
    pub fn refused(&self, step: usize, script: &str, manifest: &str) -> Vec<Diagnostic> {
        let object = |kind, namespace: &str, name: &str| self.object(step, kind, namespace, name);
        check::script(script).map_or_else(|found| found, |script| refused::refused(&script, manifest, object, self.start))
    }

    /// What happened so far in words, with `all` also what is routine.
    #[must_use]
    pub fn trace(&self, all: bool) -> String {
        self.lines.text(all)
    }
}

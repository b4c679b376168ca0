//! The simulation of manifests: what happens, line by line, and what there is in the end.
//!
//! Docs: `jobsmith simulate --help`. What it begins with is read in `mod.rs`.

use std::collections::BTreeSet;

use api::{Duration, Job, Kind, Text, Timestamp, time};
use cluster::ApiServer;
use host_embed::Guest;
use host_embed::events::EventLog;
use play::step::Step;
use play::trace::{Entry, Transcript, What};
use play::{FinishedJobs, LONGEST, Play, namespaces};
use story::runs::{CronJobName, PastRun, Runs, owner_of};

use super::super::answer::answer;
use super::super::ending::{self, FinalState, OutputFormat};
use super::super::flaws::Flaws;
use super::super::pod_decisions::DecidedPods;
use super::super::pod_filter::PodFilter;
use super::super::{CommandEnd, output, run_table};
use super::Arguments;
use super::play_clock::PlayClock;
use super::unfinished::{Unfinished, unfinished};

/// For how long a play goes on.
#[derive(Clone, Copy)]
pub(super) struct Length {
    /// As the command line has it.
    pub(super) limit: Option<Duration>,
    /// For CronJobs otherwise, where no script ends them.
    pub(super) cron_jobs: Option<Duration>,
}

/// What is known of a simulation so far.
struct WatchedPlay<'a> {
    arguments: &'a Arguments,
    transcript: Transcript,
    clock: PlayClock,
    start: Timestamp,
    events: EventLog,
    finished: FinishedJobs,
    flaws: Flaws,
    decided: DecidedPods,
    pods: PodFilter,
    runs: Runs,
    settled: Settled,
    /// Whether there were Failed Jobs when it began: they may be deleted on the way.
    failed_before: bool,
    /// Whether anything was printed.
    printed: bool,
}

/// Simulates manifests to their end, printing what happens as it does.
pub(super) fn watch(arguments: &Arguments, play: &mut Play<Guest>, Length { limit, cron_jobs }: Length, start: Timestamp) -> CommandEnd {
    let longest = cron_jobs.filter(|_| play.server().objects(Kind::CronJob).next().is_some()).unwrap_or(LONGEST);
    let length = limit.unwrap_or(longest);
    play.bounds = play.bounds.over(length);
    let end = time::after(start, length);
    let clock = PlayClock::of(arguments, play, start);
    let mut watch = WatchedPlay {
        arguments,
        transcript: clock.transcript(),
        clock,
        start,
        events: EventLog::default(),
        finished: FinishedJobs::default(),
        flaws: Flaws::default(),
        decided: DecidedPods::default(),
        pods: arguments.pods.clone(),
        runs: Runs::new(arguments.configuration.zone()),
        settled: if arguments.skip_past { Settled::default() } else { Settled::of(play) },
        failed_before: play.jobs().any(failed),
        printed: false,
    };
    while let Some(moment) = play.next_moment(end) {
        watch.observe(&moment, play);
        if let Some(end) = ending::cut_short() {
            return end;
        }
    }
    watch.finish(play, Length { limit, cron_jobs }, end)
}

impl WatchedPlay<'_> {
    fn observe(&mut self, moment: &[Step], play: &Play<Guest>) {
        let touched = || moment.iter().flat_map(|step| &step.touched).map(|touched| (&touched.after, touched.gone));
        let entries = || moment.iter().flat_map(|step| &step.entries);
        self.finished.observe(touched());
        let over = self.runs.observe(entries(), touched(), play.now());
        record(&mut self.events, moment);
        self.flaws.observe(entries());
        self.decided.observe(entries());
        let shown: Vec<&Entry> = entries().filter(|entry| self.pods.shows(entry) && self.shows(entry)).collect();
        self.printed |= !shown.is_empty();
        print(self.arguments, &mut self.transcript, shown.into_iter());
        print_runs(self.arguments, &over);
        if self.arguments.output == OutputFormat::Json {
            output::text(&ending::gone_runs(touched(), play.server(), &self.decided));
        }
    }

    /// Whether an entry has a line.
    fn shows(&self, entry: &Entry) -> bool {
        let routine = || summed_up(entry, &self.runs) || entry.at == self.start && self.settled.covers(entry);
        !self.arguments.quiet && (self.arguments.shows_all() || !routine())
    }

    /// Prints what there is in the end, last of all how each Job ended, or why it has not.
    fn finish(mut self, play: &mut Play<Guest>, Length { limit, cron_jobs }: Length, end: Timestamp) -> CommandEnd {
        let output = self.arguments.output;
        let due = play.next_due();
        let now = if due.is_some() { end } else { play.now() };
        self.starts(play, now);
        let option = if self.arguments.until.is_some() { "--until" } else { "--for" };
        let mut unfinished = unfinished(play, &mut self.runs, [self.start, end], due, option, self.clock.time());
        // Runs come and are not started, up to the end that was asked for, although nothing is due for the controllers.
        let whole = limit.is_some() && !play.ended_by_script();
        print_runs(self.arguments, &self.runs.finish(if whole { end } else { now }));
        warn(self.arguments, &mut self.transcript, play.unmatched_rules(), now);
        if output.for_people() {
            output::complain(&self.runs.notes());
            self.pods.note().iter().for_each(|note| output::complain(note));
            let tables = run_table::tables(&self.runs);
            self.printed |= !tables.is_empty() || output != OutputFormat::Text;
            output::text(&tables);
        }
        let server = play.server();
        // Those that are gone do not exist any more, but are what people simulate for.
        let gone = self.finished.gone(server).filter(|_| output != OutputFormat::Yaml);
        let objects = server.objects(Kind::CronJob).chain(server.objects(Kind::Job)).chain(gone);
        let state = FinalState::new(objects, server, &self.events, now).because(
            &self.finished,
            std::mem::take(&mut self.decided),
            std::mem::take(&mut unfinished.obstacles),
        );
        let state = if matches!(output, OutputFormat::Text | OutputFormat::Describe) { state.without(&self.settled.uids) } else { state };
        output::text(&state.text(output));
        play.undone().iter().for_each(|undone| self.flaws.add(undone.to_string()));
        if output != OutputFormat::Json {
            output::complain(&self.flaws.lines());
        }
        if output.for_people() {
            explain_deletions(&self.finished, server);
            self.answer(&state);
        }
        if output != OutputFormat::Json {
            output::complain(&unfinished.lines);
            output::complain(&ending::deleted_unfinished(&self.finished, namespaces(server)));
            let idle = self.runs.all().filter(|(_, runs)| due.is_none() && cron_jobs.is_some() && runs.exists() && !self.flaws.block(runs));
            idle.for_each(|(name, runs)| output::complain(&ending::starts_nothing(&self.runs.name(name), runs, "--script")));
        }
        ending::cut_short().unwrap_or_else(|| self.status(play, &unfinished))
    }

    /// Prints how many times each container was started, where that is not over.
    fn starts(&mut self, play: &Play<Guest>, now: Timestamp) {
        let starts: Vec<Entry> = play.starts_so_far().map(|what| Entry { at: now, estimated: false, what }).collect();
        let counted: Vec<&Entry> = starts.iter().filter(|entry| self.shows(entry)).collect();
        if self.arguments.output.for_people() {
            // These lines sum up what has happened, so they are not part of the trace.
            output::complain(&counted.iter().map(|entry| self.transcript.words(entry) + "\n").collect::<String>());
        } else {
            print(self.arguments, &mut self.transcript, counted.into_iter());
        }
    }

    /// Prints how each Job ended.
    fn answer(&self, state: &FinalState<'_>) {
        // How those ended that had finished before is shown with the past.
        output::text(&answer(state.endings(&self.settled.uids), &self.clock.time(), |_| None, !self.printed));
    }

    /// The exit status: of the Jobs of CronJobs, the last may always be under way.
    fn status(&self, play: &Play<Guest>, unfinished: &Unfinished) -> CommandEnd {
        let jobs: Vec<&Job> = play.jobs().chain(self.finished.gone(play.server()).filter_map(|stored| stored.job())).collect();
        let first = match () {
            () if self.failed_before || self.runs.failed() || jobs.iter().any(|job| failed(job)) => CommandEnd::Failed,
            () if unfinished.stuck || !self.finished.unfinished().is_empty() => CommandEnd::Unfinished,
            () if self.runs.all().any(|(_, runs)| runs.never_due()) => CommandEnd::Unfinished,
            () => CommandEnd::Reached,
        };
        let alone = jobs.iter().filter(|job| owner_of(&job.metadata).is_none());
        alone.fold(first, |end, job| end.or(CommandEnd::of(job))).or(self.flaws.end())
    }
}

/// Prints which Jobs were deleted after they had finished.
fn explain_deletions(finished: &FinishedJobs, server: &ApiServer) {
    for job in finished.gone(server) {
        let others = finished.gone(server).map(|job| &job.metadata().namespace);
        output::complain(&ending::deleted(job, namespaces(server).chain(others)));
    }
}

fn failed(job: &Job) -> bool {
    CommandEnd::of(job) == CommandEnd::Failed
}

/// Whether an entry needs no line: what follows from a CronJob's schedule is in the table of its runs.
fn summed_up(entry: &Entry, runs: &Runs) -> bool {
    match &entry.what {
        What::CronJob { .. } | What::Action { .. } | What::Difference { .. } | What::Complaint { .. } => false,
        What::Job { .. }
        | What::Starts(_)
        | What::Pod(_)
        | What::Container(_)
        | What::Sync { .. }
        | What::Decision { .. }
        | What::Request { .. }
        | What::Event(_) => entry.subject().is_some_and(|subject| runs.cover(subject)),
    }
}

/// Jobs that had finished before the simulation begins: how they ended is shown with the past.
#[derive(Default)]
struct Settled {
    /// Their namespaces and names.
    names: BTreeSet<(Text, Text)>,
    /// Their UIDs.
    uids: BTreeSet<Text>,
}

impl Settled {
    fn of(play: &Play<Guest>) -> Self {
        let jobs = || play.jobs().filter(|job| job.finished() && !job.metadata.deleting()).map(|job| &job.metadata);
        Self {
            names: jobs().map(|metadata| (metadata.namespace.clone(), metadata.name.clone())).collect(),
            uids: jobs().map(|metadata| metadata.uid.clone()).collect(),
        }
    }

    /// Whether an entry is about one of them.
    fn covers(&self, entry: &Entry) -> bool {
        let name = entry.subject().filter(|subject| subject.kind == Kind::Job.name());
        name.is_some_and(|subject| self.names.contains(&(subject.namespace.clone(), subject.name.clone())))
    }
}

fn record(events: &mut EventLog, moment: &[Step]) {
    for step in moment {
        for entry in &step.entries {
            if let What::Event(notice) = &entry.what {
                events.record(notice, entry.at);
            }
        }
        step.touched.iter().filter(|touched| touched.gone).for_each(|touched| events.forget_controlled(touched.after.metadata()));
    }
}

/// Prints the runs that are over, for programs.
fn print_runs(arguments: &Arguments, runs: &[(CronJobName, PastRun)]) {
    if arguments.output == OutputFormat::Json {
        output::text(&runs.iter().map(|(name, run)| run_table::json_line(name, run)).collect::<String>());
    }
}

/// Prints warnings: for programs among all that happened, as they have those of the API server.
fn warn(arguments: &Arguments, transcript: &mut Transcript, warnings: Vec<(usize, String)>, at: Timestamp) {
    for (_, warning) in warnings {
        if arguments.output == OutputFormat::Json {
            let message = format!("Warning: {warning}").into();
            print(arguments, transcript, [&Entry { at, estimated: false, what: What::Complaint { message } }].into_iter());
        } else {
            output::complain(&format!("warning: {warning}\n"));
        }
    }
}

pub(super) fn print<'e>(arguments: &Arguments, transcript: &mut Transcript, entries: impl Iterator<Item = &'e Entry>) {
    let mut text = String::new();
    for entry in entries {
        match arguments.output {
            OutputFormat::Text | OutputFormat::Wide | OutputFormat::Describe => {
                let Some(line) = transcript.line(entry, arguments.why) else { continue };
                text.push_str(&line);
            }
            OutputFormat::Json => text.push_str(&serde_json::to_string(entry).expect("an entry has text keys only")),
            OutputFormat::Yaml | OutputFormat::Logs => return,
        }
        text.push('\n');
    }
    output::text(&text);
}

//! `jobsmith run`: CronJobs and Jobs on this machine, in real time, with containers' commands as local processes.
//!
//! Docs: Jobs, "Running an example Job"; CronJob, "Example". The cluster is `play::Cluster`, the node's processes are `host_node`'s; what a person sees is in `view.rs`.

mod board;
mod finish;
mod help;
mod interruption;
mod limits;
mod live;
mod prepare;
mod printable;
mod section;
mod view;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration as Wait;

use api::request::Request;
use api::{Job, Kind, Timestamp, time};
use cluster::stored::Stored;
use host_embed::Guest;
use host_embed::events::EventLog;
use host_node::process::ProcessEvent;
use host_node::runtime::{Local, Log};
use past::PodEnding;
use play::trace::{Entry, Trace, What};
use play::world::turn::Effect;
use play::{Cluster, FinishedJobs};
use script::{Action, JobChange, ObjectName};
use story::runs::{CronJobName, CronJobRuns, Runs, owner_of};

use super::ending::{self, OutputFormat};
use super::flaws::Flaws;
use super::input::Inputs;
use super::pod_decisions::DecidedPods;
use super::pod_filter::PodFilter;
use super::{CommandEnd, configuration, output};
use limits::RunLimits;
use view::RunDisplay;

/// The arguments of `jobsmith run`.
#[derive(clap::Args)]
#[command(after_help = help::EXIT_STATUS, override_usage = "jobsmith run [OPTIONS] <FILE>...")]
pub(crate) struct Arguments {
    /// Files with CronJobs and Jobs in YAML or JSON; `-` is standard input
    #[arg(required_unless_present = "filenames", value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The same, as kubectl has it
    #[arg(short = 'f', long = "filename", value_name = "FILE", hide = true)]
    filenames: Vec<PathBuf>,

    /// Keep the output of each container in this directory, as POD_CONTAINER.log
    #[arg(long, value_name = "DIR")]
    log_dir: Option<PathBuf>,

    /// Start a first run of each CronJob at once, as `kubectl create job --from` does
    #[arg(long)]
    now: bool,

    #[command(flatten)]
    limits: limits::Arguments,

    #[command(flatten)]
    fallbacks: configuration::Fallbacks,

    /// Change a Job or a CronJob at a given time, for example `at 5s: suspend`; may be repeated
    #[arg(long = "do", value_name = "ACTION", long_help = help::ACTIONS)]
    actions: Vec<String>,

    /// Print only how each Job ended
    #[arg(short, long, conflicts_with_all = ["why", "output"])]
    quiet: bool,

    /// Show everything, including routine and repeated decisions, requests and Events
    #[arg(long)]
    why: bool,

    #[command(flatten)]
    pods: PodFilter,

    /// Print plain lines even on a terminal, instead of the live view, and what containers print byte for byte
    #[arg(long)]
    plain: bool,

    /// What to print
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value = "text")]
    output: OutputFormat,
}

/// What the loop waits for.
pub(crate) enum RunMessage {
    /// A process did something.
    Node(ProcessEvent),
    /// A signal came, of this number.
    Signal(u8),
}

/// Something that happens by itself.
pub(crate) struct Upcoming {
    /// When.
    at: Timestamp,
    /// What, or why.
    what: String,
}

/// How far away something is that is about to happen.
const MOMENT: api::Duration = api::Duration::from_secs(1);

/// For how long a first run is waited for without a word about `--now`.
const LONG: api::Duration = api::Duration::from_mins(1);

/// How often the picture on a terminal is redrawn while nothing happens.
const REFRESH: Wait = Wait::from_millis(200);

/// Runs the Jobs to their end, and CronJobs for as long as is wanted.
pub(crate) fn run(arguments: &Arguments, mut guest: Guest) -> anyhow::Result<CommandEnd> {
    let (inputs, actions) = (
        Inputs::read(&[&arguments.files[..], &arguments.filenames].concat(), manifest::workloads_among_others),
        prepare::actions(&arguments.actions),
    );
    let (start, zone) = (Timestamp::now(), arguments.fallbacks.zone());
    let (Ok(inputs), Ok(actions), Ok(limits)) = (inputs, actions, arguments.limits.read(&zone, start)) else {
        return Ok(CommandEnd::BadInput);
    };
    let Ok(()) = arguments.fallbacks.configure(&mut guest) else { return Ok(CommandEnd::BadInput) };
    let (local, messages) = prepare::node(arguments.log_dir.clone())?;
    let mut cluster = prepare::cluster(guest, local, start);
    let (Ok(notes), Ok(())) = (prepare::create(&mut cluster, &inputs, start), prepare::start_now(arguments.now, &mut cluster, start))
    else {
        return Ok(CommandEnd::BadInput);
    };
    let (Ok(actions), Ok(())) = (prepare::targets(&actions, &cluster), prepare::log_dir(arguments.log_dir.as_deref())) else {
        return Ok(CommandEnd::BadInput);
    };
    inputs.warn(start);
    output::complain(&notes);
    let view = RunDisplay::new(arguments, start, inputs);
    let actions = actions.into_iter().map(|timed| (time::after(start, timed.after), timed.action)).collect();
    let (trace, events, finished, runs) = (Trace::default(), EventLog::default(), FinishedJobs::default(), Runs::new(zone));
    let (output, log_dir, last, interrupted) = (arguments.output, arguments.log_dir.clone(), Vec::new(), None);
    let running = Running {
        cluster,
        trace,
        view,
        output,
        log_dir,
        quiet: arguments.quiet,
        messages,
        actions,
        limits,
        events,
        finished,
        runs,
        last,
        interrupted,
        flaws: Flaws::default(),
        decided: DecidedPods::default(),
        start,
        now: start,
    };
    running.run()
}

/// CronJobs and Jobs that run.
struct Running {
    cluster: Cluster<Guest, Local>,
    trace: Trace,
    view: RunDisplay,
    output: OutputFormat,
    log_dir: Option<PathBuf>,
    /// Whether nothing but how each Job ended is printed.
    quiet: bool,
    messages: Receiver<RunMessage>,
    /// What happens to the CronJobs and Jobs, the first thing last.
    actions: Vec<(Timestamp, Action)>,
    limits: RunLimits,
    events: EventLog,
    finished: FinishedJobs,
    runs: Runs,
    /// The CronJobs and Jobs as they were last, before anybody interrupted the run.
    last: Vec<Arc<Stored>>,
    /// How the run ends, once it was interrupted.
    interrupted: Option<CommandEnd>,
    flaws: Flaws,
    decided: DecidedPods,
    start: Timestamp,
    now: Timestamp,
}

impl Running {
    fn run(mut self) -> anyhow::Result<CommandEnd> {
        let mut jobs: Vec<Job> = Vec::new();
        self.turn();
        self.announce();
        loop {
            if self.interrupted.is_none() {
                let server = &self.cluster.world.server;
                let there = server.objects(Kind::CronJob).chain(server.objects(Kind::Job));
                self.last = there.chain(self.finished.gone(server)).cloned().collect();
                jobs = self.last.iter().filter_map(|stored| stored.job().cloned()).collect();
                if self.limit(&jobs) {
                    self.turn();
                    continue;
                }
            }
            if let Some(end) = self.ended(&jobs) {
                return Ok(finish::finish(self, &jobs, end));
            }
            let next = self.next();
            self.view.draw(&jobs, &self.runs, next.as_ref(), self.now);
            for message in self.wait() {
                match message {
                    RunMessage::Node(event) => self.handle(event),
                    RunMessage::Signal(signal) if self.interrupted.is_some() => {
                        return Ok(finish::finish(self, &jobs, CommandEnd::Interrupted(signal)));
                    }
                    RunMessage::Signal(signal) => self.interrupt(CommandEnd::Interrupted(signal), "interrupted"),
                }
            }
            if let (Some(end), None) = (ending::cut_short(), self.interrupted) {
                self.interrupt(end, if end == CommandEnd::Failed { "the output cannot be written" } else { "the output was closed" });
            }
            self.turn();
        }
    }

    /// Prints when each CronJob runs next, and what to know about it.
    fn announce(&mut self) {
        output::complain(&self.runs.notes());
        let waits = |runs: &CronJobRuns| runs.started() == 0 && runs.next().is_some_and(|next| next.duration_since(self.now) > LONG);
        if self.runs.all().any(|(_, runs)| waits(runs)) {
            output::complain("note: to start a run at once, pass --now\n");
        }
        self.view.announce(&self.runs.next_runs(self.now).map(|next| format!("   0:00 {next}\n")).collect::<String>());
    }

    /// Ends the run if its time has come, and suspends CronJobs that have had their runs; returns whether there was anything to do.
    fn limit(&mut self, jobs: &[Job]) -> bool {
        if self.limits.until.is_some_and(|until| until <= self.now) {
            self.interrupt(self.so_far(jobs), "--until reached");
            return true;
        }
        let Some(most) = self.limits.runs else { return false };
        let had = self.runs.all().filter(|(_, runs)| runs.started() >= most && runs.exists() && !runs.cron_job.suspended());
        let had: Vec<CronJobName> = had.map(|(name, _)| name.clone()).collect();
        for name in &had {
            let jobs = if most == 1 { "Job" } else { "Jobs" };
            self.view.message(&format!("suspending cronjob {}: it has started {most} {jobs} (--runs)", self.runs.name(name)));
            self.act(&Action::CronJob { cron_job: ObjectName::of(&name.0, &name.1), change: JobChange::Suspend });
        }
        !had.is_empty()
    }

    /// Waits until something happens or is due. At most a bounded number of events is handled at once: where containers print endlessly, other
    /// things have their turn too.
    fn wait(&mut self) -> Vec<RunMessage> {
        let patience = self.patience();
        let first = self.messages.recv_timeout(patience).ok();
        first.into_iter().chain(self.messages.try_iter().take(prepare::WAITING)).collect()
    }

    /// Does what is due now, and shows it.
    fn turn(&mut self) {
        // The real clock may be set back; the cluster's does not.
        self.now = Timestamp::now().max(self.now);
        while let Some((_, action)) = self.actions.pop_if(|(at, _)| *at <= self.now) {
            self.act(&action);
        }
        let happened = self.cluster.turn(self.now);
        let writes = || happened.iter().flat_map(Effect::writes);
        self.finished.observe(writes().map(|write| (&write.after, write.gone)));
        let entries = self.trace.entries(&happened, self.now);
        self.show(&entries);
        let over = self.runs.observe(entries.iter(), writes().map(|write| (&write.after, write.gone)), self.now);
        self.view.runs(&over);
        if self.output == OutputFormat::Json {
            output::text(&ending::gone_runs(writes().map(|write| (&write.after, write.gone)), &self.cluster.world.server, &self.decided));
        }
        writes().filter(|write| write.gone).for_each(|write| self.events.forget_controlled(write.after.metadata()));
    }

    fn show(&mut self, entries: &[Entry]) {
        for entry in entries {
            if let What::Event(notice) = &entry.what {
                self.events.record(notice, entry.at);
            }
        }
        self.flaws.observe(entries.iter());
        self.decided.observe(entries.iter());
        self.view.entries(entries);
    }

    fn act(&mut self, action: &Action) {
        match play::requests(action, &self.cluster.world.server) {
            Ok(requests) => {
                for refused in requests.iter().filter_map(|request| self.cluster.request(request, self.now).err()).collect::<Vec<_>>() {
                    self.fail(format!("refused: {action}: {}", play::refusal(&refused)));
                }
            }
            Err(reason) => self.fail(format!("{action}: {reason}")),
        }
    }

    /// Shows why an action was not carried out.
    fn fail(&mut self, message: String) {
        self.flaws.add(message.clone());
        self.show(&[Entry { at: self.now, estimated: false, what: What::Complaint { message: message.into() } }]);
    }

    fn handle(&mut self, event: ProcessEvent) {
        match self.cluster.kubelet.runtime.handle(event) {
            Some(Log::Lines { pod, container, one_of_several, stream, lines }) => {
                self.view.output((&pod, &container), one_of_several, stream, &lines);
            }
            Some(Log::Lost(reason)) => {
                self.show(&[Entry { at: self.now, estimated: false, what: What::Complaint { message: reason.into() } }])
            }
            None => {}
        }
    }

    /// How long nothing needs to be done.
    fn patience(&mut self) -> Wait {
        let action = self.actions.last().map(|(at, _)| *at);
        let until = self.limits.until.filter(|_| self.interrupted.is_none());
        let due = self.cluster.next_due().into_iter().chain(action).chain(until).min();
        let until = due.map(|at| at.duration_since(Timestamp::now()).try_into().unwrap_or(Wait::ZERO));
        let longest = if self.view.is_live() { REFRESH } else { Wait::from_secs(3600) };
        until.unwrap_or(longest).min(longest)
    }

    /// What happens next by itself, if it is worth waiting for.
    fn next(&mut self) -> Option<Upcoming> {
        let controllers = self.cluster.next_wakeup().map(|wakeup| Upcoming { at: wakeup.at, what: wakeup.reason });
        let what =
            if self.interrupted.is_some() { "pods that have not ended are killed" } else { "a container is restarted, or its time is up" };
        let node = self.cluster.kubelet.next_due().map(|at| Upcoming { at, what: what.to_owned() });
        let action = self.actions.last().map(|(at, action)| Upcoming { at: *at, what: action.to_string() });
        // What is a moment away needs no announcement: the controllers gather changes for as long.
        let later = |next: &Upcoming| next.at.duration_since(self.now) > MOMENT;
        controllers.into_iter().chain(node).chain(action).filter(later).min_by_key(|next| next.at)
    }

    /// How the run ends, if it does.
    fn ended(&mut self, jobs: &[Job]) -> Option<CommandEnd> {
        let idle = self.cluster.kubelet.runtime.is_idle();
        if let Some(end) = self.interrupted {
            let pods = self.cluster.world.server.objects(Kind::Pod).next().is_some();
            return (idle && !pods).then_some(end);
        }
        let unfinished = jobs.iter().any(|job| !job.finished());
        let stuck = idle && self.actions.is_empty() && self.cluster.next_due().is_none();
        ((!unfinished && idle && self.waiting().next().is_none()) || stuck).then(|| self.so_far(jobs))
    }

    /// The CronJobs that are to start more Jobs.
    fn waiting(&self) -> impl Iterator<Item = (&CronJobName, &CronJobRuns)> {
        let most = self.limits.runs.unwrap_or(usize::MAX);
        self.runs.all().filter(move |(_, runs)| runs.exists() && runs.started() < most)
    }

    /// How the run ends if it ends here: a run of a CronJob counts once it has ended.
    fn so_far(&self, jobs: &[Job]) -> CommandEnd {
        let alone = jobs.iter().filter(|job| owner_of(&job.metadata).is_none());
        let first = if self.finished.unfinished().is_empty() { CommandEnd::Reached } else { CommandEnd::Unfinished };
        let runs = if self.runs.failed() { CommandEnd::Failed } else { CommandEnd::Reached };
        let stuck = self.limits.until.is_none_or(|until| self.now < until) && self.waiting().next().is_some();
        let end = alone.fold(first, |end, job| end.or(CommandEnd::of(job))).or(runs).or(self.flaws.end());
        end.or(if stuck { CommandEnd::Unfinished } else { CommandEnd::Reached })
    }

    /// Where the output of a pod is that failed.
    fn look_at(&self, pod: Option<&PodEnding>) -> Option<String> {
        let pod = &pod?.pod;
        Some(match &self.log_dir {
            Some(folder) => format!("the output of pod {pod} is in {}", folder.display()),
            None => format!("--log-dir DIR keeps the output of each container; the last pod that failed is {pod}"),
        })
    }

    /// Deletes the CronJobs, so that no Job is started, and the Jobs, so that their pods end within their grace periods.
    fn interrupt(&mut self, end: CommandEnd, why: &str) {
        self.interrupted = Some(end);
        let server = &self.cluster.world.server;
        let objects: Vec<Arc<Stored>> = server.objects(Kind::CronJob).chain(server.objects(Kind::Job)).cloned().collect();
        self.view.message(&interruption::announcement(why, end, server));
        for object in objects {
            let metadata = object.metadata();
            let options = r#"{"propagationPolicy":"Background"}"#.to_owned();
            let request = Request::delete(object.kind(), &metadata.namespace, &metadata.name, options);
            // Only an object that is gone already can refuse, and then there is nothing to delete.
            let _ = self.cluster.request(&request, self.now);
        }
    }
}

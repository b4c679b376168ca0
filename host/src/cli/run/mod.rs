//! `jobsmith run`: Jobs on this machine, in real time, with containers' commands as local processes.
//!
//! Docs: Jobs, "Running an example Job". The cluster is `sim`'s, the node's processes are `jobsmith::node`'s; what a person sees is in `view.rs`.

mod board;
mod live;
mod prepare;
mod view;

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration as Wait;

use api::request::Request;
use api::{Job, Kind, Timestamp};
use jobsmith::Guest;
use jobsmith::node::process::Event;
use jobsmith::node::runtime::{Local, Told};
use sim::Cluster;
use sim::script::Action;
use sim::trace::{Entry, Trace, What};

use super::input::Inputs;
use super::output::Format;
use super::{End, output};
use view::View;

/// What `jobsmith run` can be told.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Job manifests (YAML or JSON), or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Keep the output of each container in a file of its own in this folder
    #[arg(long, value_name = "DIR")]
    log_dir: Option<PathBuf>,

    /// What happens to the Jobs meanwhile, as in `at 5s: suspend`; may be given several times
    #[arg(long = "do", value_name = "ACTION", long_help = ACTION_HELP)]
    actions: Vec<String>,

    /// Tell every decision, request and Event, not only what is new
    #[arg(long)]
    why: bool,

    /// Write plain lines, also on a terminal
    #[arg(long)]
    plain: bool,

    /// How to write what happens
    #[arg(short, long, value_enum, default_value = "text")]
    output: Format,
}

const ACTION_HELP: &str = "\
What happens to the Jobs meanwhile; may be given several times. When, then what:
  at 5s: suspend             at 9s: resume
  at 3s: scale to 4          at 3s: set spec.backoffLimit=2
  at 20s: delete job pi
With several Jobs, say which: at 5s: suspend job pi";

/// What the loop waits for.
pub(crate) enum Message {
    /// A process did something.
    Node(Event),
    /// A signal came, of this number.
    Signal(u8),
}

/// How often the picture on a terminal is drawn anew while nothing happens.
const REFRESH: Wait = Wait::from_millis(200);

/// Runs the Jobs to their end.
pub(crate) fn run(arguments: &Arguments, guest: Guest) -> anyhow::Result<End> {
    let Ok(inputs) = Inputs::read(&arguments.files) else { return Ok(End::BadInput) };
    let Ok(actions) = prepare::actions(&arguments.actions) else { return Ok(End::BadInput) };
    if prepare::examine(&inputs).is_err() {
        return Ok(End::BadInput);
    }
    let (local, messages) = prepare::node(arguments.log_dir.clone())?;
    let start = Timestamp::now();
    let mut cluster = prepare::cluster(guest, local, start);
    let Ok(first_job) = prepare::create(&mut cluster, &inputs, start) else { return Ok(End::BadInput) };
    let view = View::new(arguments.output, arguments.why, arguments.plain, start, inputs);
    let actions = actions.into_iter().map(|(after, action)| (api::time::after(start, after), action)).collect();
    let (trace, events) = Default::default();
    Running { cluster, trace, view, messages, actions, first_job, events, interrupted: None, now: start }.run()
}

/// Jobs that run.
struct Running {
    cluster: Cluster<Guest, Local>,
    trace: Trace,
    view: View,
    messages: Receiver<Message>,
    /// What happens to the Jobs, the first thing last.
    actions: Vec<(Timestamp, Action)>,
    /// The namespace and name of the first Job.
    first_job: (api::Text, api::Text),
    events: Vec<(Timestamp, contract::Notice)>,
    /// The signal by which somebody asked for the end.
    interrupted: Option<u8>,
    now: Timestamp,
}

impl Running {
    fn run(mut self) -> anyhow::Result<End> {
        let mut jobs: Vec<Job> = Vec::new();
        loop {
            self.turn();
            if self.interrupted.is_none() {
                jobs = self.jobs();
            }
            if let Some(end) = self.ended(&jobs) {
                return Ok(self.finish(&jobs, end));
            }
            self.view.draw(&jobs, self.cluster.next_wakeup().as_ref(), self.now);
            let patience = self.patience();
            match self.messages.recv_timeout(patience) {
                Ok(Message::Signal(signal)) if self.interrupted.is_some() => return Ok(self.finish(&jobs, End::Interrupted(signal))),
                Ok(Message::Signal(signal)) => self.interrupt(signal),
                Ok(Message::Node(event)) => self.take_in(event),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            while let Ok(Message::Node(event)) = self.messages.try_recv() {
                self.take_in(event);
            }
        }
    }

    /// Does what is due now, and shows it.
    fn turn(&mut self) {
        // The real clock may be set back; the cluster's does not.
        self.now = Timestamp::now().max(self.now);
        while let Some((_, action)) = self.actions.pop_if(|(at, _)| *at <= self.now) {
            self.act(&action);
        }
        let happened = self.cluster.turn(self.now);
        let entries = self.trace.entries(&happened, self.now);
        self.show(&entries);
    }

    fn show(&mut self, entries: &[Entry]) {
        self.events.extend(entries.iter().filter_map(|entry| match &entry.what {
            What::Event(notice) => Some((entry.at, notice.clone())),
            _ => None,
        }));
        self.view.entries(entries);
    }

    fn act(&mut self, action: &Action) {
        let Some(request) = action.request(&self.first_job.0, &self.first_job.1) else { return };
        if let Err(refused) = self.cluster.request(&request, self.now) {
            let message = format!("refused: {action}: {refused}").into();
            self.show(&[Entry { at: self.now, what: What::Complaint { message } }]);
        }
    }

    fn take_in(&mut self, event: Event) {
        match self.cluster.kubelet.runtime.take_in(event) {
            Some(Told::Output { pod, container, stream, lines }) => self.view.output(&pod, &container, stream, &lines),
            Some(Told::LogLost(reason)) => self.show(&[Entry { at: self.now, what: What::Complaint { message: reason.into() } }]),
            None => {}
        }
    }

    /// How long nothing needs to be done.
    fn patience(&mut self) -> Wait {
        let action = self.actions.last().map(|(at, _)| *at);
        let due = self.cluster.next_due().into_iter().chain(action).min();
        let until = due.map(|at| at.duration_since(Timestamp::now()).try_into().unwrap_or(Wait::ZERO));
        let longest = if self.view.is_live() { REFRESH } else { Wait::from_secs(3600) };
        until.unwrap_or(longest).min(longest)
    }

    fn jobs(&self) -> Vec<Job> {
        self.cluster.world.server.objects(Kind::Job).filter_map(|stored| stored.job().cloned()).collect()
    }

    /// How the run ends, if it does.
    fn ended(&mut self, jobs: &[Job]) -> Option<End> {
        let idle = self.cluster.kubelet.runtime.is_idle();
        if let Some(signal) = self.interrupted {
            let pods = self.cluster.world.server.objects(Kind::Pod).next().is_some();
            return (idle && !pods).then_some(End::Interrupted(signal));
        }
        let end = jobs.iter().fold(End::Reached, |end, job| end.or(End::of(job)));
        let unfinished = jobs.iter().any(|job| !job.finished());
        let stuck = idle && self.actions.is_empty() && self.cluster.next_due().is_none();
        ((!unfinished && idle) || stuck).then_some(end)
    }

    /// Deletes the Jobs, so that their pods end within their grace periods.
    fn interrupt(&mut self, signal: u8) {
        self.interrupted = Some(signal);
        self.view.say("interrupted: deletes the Jobs and lets their pods end; interrupt once more to kill them");
        for job in self.jobs() {
            let options = r#"{"propagationPolicy":"Background"}"#.to_owned();
            let request = Request::delete(Kind::Job, &job.metadata.namespace, &job.metadata.name, options);
            // Only a Job that is gone already can refuse, and then there is nothing to delete.
            let _ = self.cluster.request(&request, self.now);
        }
    }

    /// Shows how it ended.
    fn finish(mut self, jobs: &[Job], end: End) -> End {
        self.view.close(jobs, self.now);
        for job in jobs {
            let own: Vec<_> = self.events.iter().filter(|(_, notice)| notice.regarding.name == job.metadata.name).cloned().collect();
            output::text(&self.view.status(job, &own));
            if End::of(job) == End::Unfinished && !matches!(end, End::Interrupted(_)) {
                output::complain(&format!("{}\n", stuck(job)));
            }
        }
        end
    }
}

/// Why a Job goes no further although nothing is left to wait for.
fn stuck(job: &Job) -> String {
    let name = &job.metadata.name;
    match &job.spec.managed_by {
        _ if job.suspended() => {
            format!("job {name} is suspended, so nothing runs: set spec.suspend to false, or resume it with --do 'at 5s: resume'")
        }
        Some(manager) => format!("job {name} is managed by {manager}, so nothing runs: take spec.managedBy away"),
        None => format!("job {name} has neither succeeded nor failed, and nothing is left to wait for: see --why"),
    }
}

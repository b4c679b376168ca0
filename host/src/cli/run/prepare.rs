//! Before anything runs: what this machine cannot do, the node, the cluster, the Jobs.
//!
//! Docs: Jobs, "Pod Template". What local processes honour is decided in `jobsmith::node::admission`, what the API server accepts in `api`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use api::request::Request;
use api::{Duration, Kind, Text, Timestamp};
use jobsmith::Guest;
use jobsmith::node::admission;
use jobsmith::node::command::Node;
use jobsmith::node::process::Processes;
use jobsmith::node::runtime::Local;
use manifest::Severity;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use sim::naming::Names;
use sim::play::DEFAULT_NAMESPACE;
use sim::script::{Action, Script};
use sim::{ApiServer, Cluster, Dependence};

use super::super::input::{BadInput, Inputs};
use super::super::output;
use super::super::simulate::read_script;
use super::Message;

/// How many messages may wait: containers that print more wait until it is read.
const WAITING: usize = 64;

/// Reads what is to happen to the Jobs; the first thing is the last of the list.
pub(crate) fn actions(rules: &[String]) -> Result<Vec<(Duration, Action)>, BadInput> {
    let Script { rules, mut actions } = read_script(rules, None)?;
    let other = actions.iter().find(|(_, action)| !matches!(action, Action::Job { .. }));
    if !rules.is_empty() || other.is_some() {
        let what = other.map_or_else(|| rules[0].which.to_string(), |(_, action)| action.to_string());
        output::error(&format!(
            "--do with {what:?} is for `jobsmith simulate`: real pods do what their commands do; write something as `at 5s: suspend`"
        ));
        return Err(BadInput);
    }
    actions.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    Ok(actions)
}

/// Shows all that local processes cannot honour. What only does not apply here is said once.
pub(crate) fn examine(inputs: &Inputs) -> Result<(), BadInput> {
    let (mut refused, mut said) = (false, BTreeSet::new());
    for (at, input) in inputs.jobs.iter().enumerate() {
        let examined = admission::examine(&input.manifest.document.value()["spec"]["template"]);
        for refusal in &examined.refusals {
            inputs.complain(at, Severity::Error, &refusal.path, &refusal.reason, Some(&refusal.remedy));
            refused = true;
        }
        for warning in examined.warnings {
            if said.insert(warning.what) {
                output::complain(&format!("note: {} ({})\n", warning.what, warning.paths.join(", ")));
            }
        }
    }
    if refused { Err(BadInput) } else { Ok(()) }
}

/// The node, and where its processes and signals are told.
pub(crate) fn node(log_dir: Option<PathBuf>) -> anyhow::Result<(Local, Receiver<Message>)> {
    let (processes, events) = Processes::new(Path::new("/proc/self/exe"))?;
    let (sender, messages) = sync_channel(WAITING);
    let signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let to_loop = sender.clone();
    thread::spawn(move || events.into_iter().try_for_each(|event| to_loop.send(Message::Node(event))));
    thread::spawn(move || forward(signals, &sender));
    Ok((Local::new(processes, Node::local("local"), log_dir), messages))
}

fn forward(mut signals: Signals, to_loop: &SyncSender<Message>) {
    for signal in signals.forever() {
        let number = u8::try_from(signal).unwrap_or(u8::MAX);
        if to_loop.send(Message::Signal(number)).is_err() {
            return;
        }
    }
}

/// An empty cluster; names end as they do on a real one.
pub(crate) fn cluster(guest: Guest, local: Local, now: Timestamp) -> Cluster<Guest, Local> {
    let seed = now.as_nanosecond().unsigned_abs() as u64 ^ u64::from(std::process::id());
    Cluster::new(ApiServer::new(Names::random(seed), Dependence::OnOwners), guest, local, now)
}

/// Creates the Jobs; answers the namespace and name of the first one. Nothing starts before the cluster is turned over.
pub(crate) fn create(cluster: &mut Cluster<Guest, Local>, inputs: &Inputs, now: Timestamp) -> Result<(Text, Text), BadInput> {
    let (mut first, mut refused) = (None, false);
    for (at, body) in inputs.manifests().into_iter().enumerate() {
        let namespace = inputs.jobs[at].manifest.job.metadata.namespace.clone();
        let namespace = if namespace.is_empty() { DEFAULT_NAMESPACE.into() } else { namespace };
        match cluster.request(&Request::create(Kind::Job, &namespace, body.to_string()), now) {
            Ok(answer) => _ = first.get_or_insert((namespace, answer.written().name.into())),
            Err(error) => {
                inputs.refuse(at, &error);
                refused = true;
            }
        }
    }
    first.filter(|_| !refused).ok_or(BadInput)
}

//! Before anything runs: what this machine cannot do, the node, the cluster, the Jobs.
//!
//! Docs: Jobs, "Pod Template". What local processes honour is decided in `jobsmith::node::admission`, what the API server accepts in `admission`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use api::request::Request;
use api::{Duration, Kind, Timestamp};
use cluster::naming::Names;
use cluster::{ApiServer, Dependence};
use jobsmith::Guest;
use jobsmith::node::admission::{self, UnsupportedField};
use jobsmith::node::command::Node;
use jobsmith::node::process::Processes;
use jobsmith::node::runtime::Local;
use manifest::{Diagnostic, Manifest};
use play::Cluster;
use play::DEFAULT_NAMESPACE;
use play::script::{Action, ObjectName, Objects, Script};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::super::input::{BadInput, Input, Inputs};
use super::super::output;
use super::super::simulate::read_script;
use super::Message;

/// How many messages may wait: containers that print more wait until it is read.
pub(crate) const WAITING: usize = 64;

/// Reads what is to happen to the Jobs; the first thing is the last of the list.
pub(crate) fn actions(rules: &[String]) -> Result<Vec<(Duration, Action)>, BadInput> {
    if let Some(rule) = rules.iter().find(|rule| !rule.contains(':')) {
        output::error(&format!("--do {rule:?}: write a time and an action: 'at 5s: suspend'"));
        return Err(BadInput);
    }
    let Script { rules, mut actions } = read_script("--do", rules, None)?;
    let other = actions.iter().find(|(_, action)| !matches!(action, Action::Job { .. }));
    if !rules.is_empty() || other.is_some() {
        let what = other.map_or_else(|| rules[0].which.to_string(), |(_, action)| action.to_string());
        output::error(&format!(
            "{what:?} works only in `jobsmith simulate`: here, pods run their commands; --do takes only actions on Jobs, as in 'at 5s: suspend'"
        ));
        return Err(BadInput);
    }
    actions.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    Ok(actions)
}

/// The actions with the Job that each is about. Prints which are about no Job that is there, or may be about several.
pub(crate) fn targets(actions: &[(Duration, Action)], cluster: &Cluster<Guest, Local>) -> Result<Vec<(Duration, Action)>, BadInput> {
    let created = || cluster.world.server.objects(Kind::Job).map(|stored| (&stored.metadata().namespace, &stored.metadata().name));
    let jobs: Vec<ObjectName> = created().map(|(namespace, name)| ObjectName::of(namespace, name)).collect();
    let known: Objects = created().map(|(namespace, name)| (Kind::Job, namespace.clone(), name.clone())).collect();
    let mut targets = Ok(Vec::new());
    for (at, action) in actions {
        let wrong = match known.action(action) {
            Ok(Action::Job { job: Some(job), .. }) if !jobs.contains(&job) => {
                let jobs = jobs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                format!("{action}: job {job} does not exist; the Jobs are: {jobs}")
            }
            Ok(action) => {
                if let Ok(targets) = &mut targets {
                    targets.push((*at, action));
                }
                continue;
            }
            Err(ambiguous) => ambiguous.to_string(),
        };
        output::error(&format!("--do: {wrong}"));
        targets = Err(BadInput);
    }
    targets
}

/// Creates the Jobs; nothing starts before the cluster is turned over. Prints why the API server refuses any of them, and what local processes
/// cannot honour; answers what the API server warns of and what does not apply to local processes.
pub(crate) fn create(cluster: &mut Cluster<Guest, Local>, inputs: &Inputs<Manifest>, now: Timestamp) -> Result<String, BadInput> {
    let (mut refused, mut concerns) = (false, BTreeMap::<&str, Vec<String>>::new());
    for (at, Input { object: manifest, .. }) in inputs.objects.iter().enumerate() {
        let examined = admission::examine(&manifest.document.value()["spec"]["template"]);
        let mut found: Vec<Diagnostic> = examined.refusals.iter().map(|refusal| located(manifest, refusal)).collect();
        let namespace = &manifest.job.metadata.namespace;
        let namespace = if namespace.is_empty() { DEFAULT_NAMESPACE } else { namespace };
        if let Err(error) = cluster.request(&Request::create(Kind::Job, namespace, manifest.document.value().to_string()), now) {
            found.extend(manifest::refusals(&manifest.document, &error));
        }
        if !found.is_empty() {
            inputs.complain(at, found);
            refused = true;
        }
        for warning in examined.warnings {
            let paths = concerns.entry(warning.what).or_default();
            paths.extend(warning.paths.into_iter().filter(|path| !paths.contains(path)).collect::<Vec<_>>());
        }
    }
    let note = |(what, paths): (&&str, &Vec<String>)| format!("note: {what} ({})\n", paths.join(", "));
    let warnings = cluster.warnings().into_iter().map(|warning| warning + "\n");
    if refused { Err(BadInput) } else { Ok(warnings.chain(concerns.iter().map(note)).collect()) }
}

/// What a local process cannot honour, at its place.
fn located(manifest: &Manifest, refusal: &UnsupportedField) -> Diagnostic {
    let diagnostic = manifest::locate(&manifest.document, &refusal.path, &refusal.reason);
    Diagnostic { remedy: Some(refusal.remedy.clone()), ..diagnostic }
}

/// Makes the folder for log files, so that it does not turn out to be missing when there is something to keep.
pub(crate) fn log_dir(folder: Option<&Path>) -> Result<(), BadInput> {
    let Some(folder) = folder else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(|error| {
        output::error(&format!("cannot create --log-dir {}: {error}; choose a directory that this user can write to", folder.display()));
        BadInput
    })
}

/// The node, and where the events of its processes and signals arrive.
pub(crate) fn node(log_dir: Option<PathBuf>) -> anyhow::Result<(Local, Receiver<Message>)> {
    let (processes, events) = Processes::new(Path::new("/proc/self/exe"))?;
    let (sender, messages) = sync_channel(WAITING);
    let signals = Signals::new([SIGINT, SIGTERM].into_iter().chain((!hangup_ignored()).then_some(SIGHUP)))?;
    let to_loop = sender.clone();
    thread::spawn(move || events.into_iter().try_for_each(|event| to_loop.send(Message::Node(event))));
    thread::spawn(move || forward(signals, &sender));
    Ok((Local::new(processes, Node::local("local"), log_dir), messages))
}

/// Whether this program is meant to outlive the terminal, as with `nohup`.
fn hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & (1 << (SIGHUP - 1)) != 0)
}

fn forward(mut signals: Signals, to_loop: &SyncSender<Message>) {
    for signal in signals.forever() {
        let number = u8::try_from(signal).unwrap_or(u8::MAX);
        output::hurry();
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

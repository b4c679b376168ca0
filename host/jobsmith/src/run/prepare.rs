//! Before anything runs: what this machine cannot do, the node, the cluster, the CronJobs and Jobs.
//!
//! Docs: Jobs, "Pod Template"; CronJob, "Job template". What local processes honour is decided in `host_node::admission`, what the API server accepts in `admission`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use api::request::Request;
use api::{DEFAULT_NAMESPACE, Kind, Timestamp, manual};
use cluster::naming::Names;
use cluster::stored::Stored;
use cluster::{ApiServer, Dependence};
use host_embed::Guest;
use host_node::admission::{self, UnsupportedField};
use host_node::command::LocalNode;
use host_node::process::Processes;
use host_node::runtime::Local;
use manifest::{Diagnostic, Document, ManifestObject};
use play::{Cluster, cron_job_meant, no_job};
use script::{Action, ObjectName, Objects, Script, Statement, TimedAction};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::super::input::{BadInput, Input, Inputs};
use super::super::output;
use super::super::simulate::read_script;
use super::RunMessage;

/// How many messages may wait: containers that print more wait until it is read.
pub(crate) const WAITING: usize = 64;

/// Reads what is to happen to the CronJobs and Jobs; the first thing is the last of the list.
pub(crate) fn actions(rules: &[String]) -> Result<Vec<Statement<TimedAction>>, BadInput> {
    if let Some(rule) = rules.iter().find(|rule| !rule.contains(':')) {
        output::error(&format!("--do {rule:?}: write a time and an action: 'at 5s: suspend'"));
        return Err(BadInput);
    }
    let Script { rules, mut actions } = read_script("--do", rules, None)?;
    let other = actions
        .iter()
        .map(|statement| &statement.what.action)
        .find(|action| !matches!(action, Action::Job { .. } | Action::CronJob { .. } | Action::ResumeAll | Action::SuspendAll));
    if !rules.is_empty() || other.is_some() {
        let what = other.map_or_else(|| rules[0].what.which.to_string(), ToString::to_string);
        output::error(&format!(
            "{what:?} works only in `jobsmith simulate`: here, pods run their commands; --do takes only actions on Jobs and CronJobs, as in 'at 5s: suspend'"
        ));
        return Err(BadInput);
    }
    actions.sort_by_key(|statement| std::cmp::Reverse(statement.what.after));
    Ok(actions)
}

/// The actions with the object that each is about. Prints which are about none that is there, or may be about several.
pub(crate) fn targets(actions: &[Statement<TimedAction>], cluster: &Cluster<Guest, Local>) -> Result<Vec<TimedAction>, BadInput> {
    let created = |kind| cluster.world.server.objects(kind).map(|stored| stored.metadata());
    let names = |kind| -> Vec<ObjectName> { created(kind).map(|metadata| ObjectName::of(&metadata.namespace, &metadata.name)).collect() };
    let (cron_jobs, jobs) = (names(Kind::CronJob), names(Kind::Job));
    let known = |kind| created(kind).map(move |metadata| (kind, metadata.namespace.clone(), metadata.name.clone()));
    let known: Objects = known(Kind::CronJob).chain(known(Kind::Job)).collect();
    let listed = |names: &[ObjectName]| names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let mut targets = Ok(Vec::new());
    for statement in actions {
        let action = &statement.what.action;
        let resolved = known.action(statement).map(|resolved| resolved.what);
        let wrong = match resolved {
            Ok(TimedAction { action: Action::Job { job: None, .. }, .. }) => {
                format!("{action}: {}; the CronJobs are: {}", no_job(action, &cluster.world.server), listed(&cron_jobs))
            }
            Ok(TimedAction { action: Action::Job { job: Some(job), change }, .. }) if !jobs.contains(&job) => {
                let meant = cron_job_meant(&Action::Job { job: Some(job.clone()), change }, &cluster.world.server);
                format!("{action}: {}", meant.unwrap_or_else(|| format!("job {job} does not exist; the Jobs are: {}", listed(&jobs))))
            }
            Ok(TimedAction { action: Action::CronJob { cron_job, .. }, .. }) if !cron_jobs.contains(&cron_job) => {
                format!("{action}: cronjob {cron_job} does not exist; the CronJobs are: {}", listed(&cron_jobs))
            }
            Ok(resolved) => {
                if let Ok(targets) = &mut targets {
                    targets.push(resolved);
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

/// Creates the CronJobs and Jobs; nothing starts before the cluster is turned over. Prints why the API server refuses any of them, and what local
/// processes cannot honour; returns what the API server warns about and what does not apply to local processes.
pub(crate) fn create(cluster: &mut Cluster<Guest, Local>, inputs: &Inputs<ManifestObject>, now: Timestamp) -> Result<String, BadInput> {
    let (mut refused, mut concerns) = (false, BTreeMap::<&str, Vec<String>>::new());
    for (at, Input { object, .. }) in inputs.objects.iter().enumerate() {
        let (kind, template) = match object {
            ManifestObject::CronJob(_) => (Kind::CronJob, "spec.jobTemplate.spec.template"),
            ManifestObject::Job(_) => (Kind::Job, "spec.template"),
            ManifestObject::Pod(_) => continue,
        };
        let (document, value) = (object.document(), object.document().value());
        let examined = admission::examine(template.split('.').fold(value, |value, name| &value[name]), template);
        let mut found: Vec<Diagnostic> = examined.refusals.iter().map(|refusal| located(document, refusal)).collect();
        let namespace = value["metadata"]["namespace"].as_str().filter(|namespace| !namespace.is_empty()).unwrap_or(DEFAULT_NAMESPACE);
        if let Err(error) = cluster.request(&Request::create(kind, namespace, value.to_string()), now) {
            found.extend(manifest::refusals(document, &error));
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

/// Starts a run of each CronJob by hand if that is wanted. Prints why there is none to start.
pub(crate) fn start_now(wanted: bool, cluster: &mut Cluster<Guest, Local>, now: Timestamp) -> Result<(), BadInput> {
    let cron_jobs: Vec<Arc<Stored>> = cluster.world.server.objects(Kind::CronJob).filter(|_| wanted).cloned().collect();
    if wanted && cron_jobs.is_empty() {
        output::error("--now needs a CronJob, and these files have none: leave out --now");
        return Err(BadInput);
    }
    for cron_job in cron_jobs {
        let document = serde_json::from_str(&cron_job.json()).expect("an object is stored as JSON");
        let request = Request::create(Kind::Job, &cron_job.metadata().namespace, manual::from_cron_job(&document, None).to_string());
        if let Err(error) = cluster.request(&request, now) {
            output::error(&format!("--now: cannot start cronjob {}: {error}", cron_job.metadata().name));
            return Err(BadInput);
        }
    }
    Ok(())
}

/// What a local process cannot honour, at its place.
fn located(document: &Document, refusal: &UnsupportedField) -> Diagnostic {
    let diagnostic = manifest::locate(document, &refusal.path, &refusal.reason);
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
pub(crate) fn node(log_dir: Option<PathBuf>) -> anyhow::Result<(Local, Receiver<RunMessage>)> {
    let (processes, events) = Processes::new(Path::new("/proc/self/exe"))?;
    let (sender, messages) = sync_channel(WAITING);
    let signals = Signals::new([SIGINT, SIGTERM].into_iter().chain((!hangup_ignored()).then_some(SIGHUP)))?;
    let to_loop = sender.clone();
    thread::spawn(move || events.into_iter().try_for_each(|event| to_loop.send(RunMessage::Node(event))));
    thread::spawn(move || forward(signals, &sender));
    Ok((Local::new(processes, LocalNode::local("local"), log_dir), messages))
}

/// Whether this program is meant to outlive the terminal, as with `nohup`.
fn hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & (1 << (SIGHUP - 1)) != 0)
}

fn forward(mut signals: Signals, to_loop: &SyncSender<RunMessage>) {
    for signal in signals.forever() {
        let number = u8::try_from(signal).unwrap_or(u8::MAX);
        output::hurry();
        if to_loop.send(RunMessage::Signal(number)).is_err() {
            return;
        }
    }
}

/// An empty cluster; names end as they do on a real one.
pub(crate) fn cluster(guest: Guest, local: Local, now: Timestamp) -> Cluster<Guest, Local> {
    let seed = now.as_nanosecond().unsigned_abs() as u64 ^ u64::from(std::process::id());
    Cluster::new(ApiServer::new(Names::random(seed), Dependence::OnOwners), guest, local, now)
}

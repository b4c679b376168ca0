//! Which CronJob or Job of a cluster is meant, and what the cluster shows of it.
//!
//! Docs: Organizing Cluster Access Using kubeconfig Files; kubectl's `TYPE/NAME`. How the cluster is reached is in `access.rs`.

use std::fmt;
use std::time::Duration;

use api::{Kind, request};
use host_cluster::cluster::reflector::{Reflector, Update};
use host_cluster::cluster::{Failure, RemoteCluster, Scope};
use host_cluster::explain::Explained;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::{Instant, timeout_at};

use super::access;
use crate::output;

/// How many updates may wait to be handled.
const WAITING: usize = 64;

/// Where an object is.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The namespace [default: that of the kubeconfig's context]
    #[arg(short, long, value_name = "NAME")]
    namespace: Option<String>,

    #[command(flatten)]
    access: access::Arguments,
}

/// An object as people name it: `job pi`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ObjectTarget {
    /// A CronJob, or a Job.
    pub(crate) kind: Kind,
    /// Its name.
    pub(crate) name: String,
}

/// A word by which people name objects: `job/pi`, `pi`, or `job` before a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TargetWord {
    /// An object of a kind.
    Full(ObjectTarget),
    /// A name, or a kind.
    Bare(String),
}

/// A namespace of a cluster.
pub(crate) struct ClusterNamespace {
    /// The cluster.
    pub(crate) cluster: RemoteCluster,
    /// The namespace.
    pub(crate) namespace: String,
    /// The cluster's context, for messages.
    context: Option<String>,
    /// How kubectl reaches it: its name, and options if they were given.
    pub(crate) kubectl: String,
}

/// An object that was found, and what the cluster shows of it.
pub(crate) struct Found {
    /// The object, and those that matter to it as they are listed.
    pub(crate) subject: Explained,
    updates: Receiver<Update>,
    /// What was printed of the watches last.
    complaint: Option<String>,
    /// Why pods are left out, if they are.
    pub(crate) without_pods: Option<Failure>,
}

impl Arguments {
    /// Prepares to reach the cluster; prints why if that is not possible.
    pub(crate) async fn place(&self) -> Option<ClusterNamespace> {
        let cluster = self.access.connect(None).await?;
        let namespace = self.namespace.clone().unwrap_or_else(|| cluster.default_namespace().to_owned());
        Some(ClusterNamespace { cluster, namespace, context: self.access.context().map(str::to_owned), kubectl: self.access.kubectl() })
    }
}

impl ClusterNamespace {
    /// The decoded fields of an object, and its text. Prints why if it cannot be decoded.
    pub(crate) async fn object<T: DeserializeOwned>(&self, target: &ObjectTarget) -> Option<(T, Value)> {
        let text = self.read(target).await?;
        let object = serde_json::from_str(&text).and_then(|object| Ok((object, serde_json::from_str(&text)?)));
        object.inspect_err(|error| output::error(&format!("{target} is malformed: {error}"))).ok()
    }

    async fn read(&self, target: &ObjectTarget) -> Option<String> {
        let read = async |kind: Kind| self.cluster.read(&request::path(kind, &self.namespace, &target.name, "")).await;
        let text = match read(target.kind).await {
            Ok(text) => Ok(text),
            Err(Failure::Refused(error)) if target.kind == Kind::Job && error.not_found() && read(Kind::CronJob).await.is_ok() => {
                Err(format!("{target} not found in namespace {}, but there is cronjob/{}", self.namespace, target.name))
            }
            Err(failure) => Err(self.missing(target, &failure)),
        };
        let text = text.and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
        text.inspect_err(|error| output::error(error)).ok()
    }

    /// Finds an object, and begins to watch these kinds in its namespace. Prints why if it cannot be found.
    pub(crate) async fn find(&self, target: &ObjectTarget, kinds: impl FnOnce(&Explained) -> &'static [Kind]) -> Option<Found> {
        let text = self.read(target).await?;
        let subject = Explained::new(target.kind, &text).inspect_err(|malformed| output::error(&malformed.to_string())).ok()?;
        let (sender, updates) = channel(WAITING);
        for kind in kinds(&subject) {
            let scope = Scope::of(vec![self.namespace.clone()]);
            tokio::spawn(Reflector::new(self.cluster.clone(), (*kind).into(), scope, sender.clone()).run());
        }
        Some(Found { subject, updates, complaint: None, without_pods: None })
    }

    fn missing(&self, target: &ObjectTarget, failure: &Failure) -> String {
        let (namespace, name) = (&self.namespace, &target.name);
        match failure {
            Failure::Refused(error) if error.not_found() => {
                let context = self.context.as_deref().map(|context| format!(", context {context}")).unwrap_or_default();
                format!(
                    "{target} not found in namespace {namespace} of {}{context}; choose another namespace with -n",
                    self.cluster.address
                )
            }
            Failure::Refused(_) | Failure::NoAnswer(_) | Failure::Expired => {
                format!("cannot read {} {namespace}/{name}: {failure}", word(target.kind))
            }
        }
    }
}

impl Found {
    /// Handles what arrives within a time, unless something is wrong.
    pub(crate) async fn gather(&mut self, within: Duration) {
        let until = Instant::now() + within;
        while let Ok(Ok(())) = timeout_at(until, self.changed()).await {}
    }

    /// Waits until something changes for the object, however long the cluster cannot be read; why it cannot is printed once.
    pub(crate) async fn change(&mut self) {
        while let Err(failure) = self.changed().await {
            self.complain(&failure);
        }
    }

    /// Prints what is wrong, if that was not printed last.
    pub(crate) fn complain(&mut self, failure: &Failure) {
        let complaint = Some(failure.to_string());
        if complaint != self.complaint {
            output::complain(&format!("cannot read the cluster at the moment: {failure}; retrying\n"));
            self.complaint = complaint;
        }
    }

    /// Waits until something changes for the object, or something is wrong; returns what.
    pub(crate) async fn changed(&mut self) -> Result<(), Failure> {
        loop {
            match self.updates.recv().await {
                Some(Update::Event(event)) if self.subject.handle(&event) => return Ok(()),
                Some(Update::Event(_) | Update::Watching(_)) => {}
                Some(Update::Interrupted { resource, failure, .. }) => {
                    let refused = failure.forbidden() && *resource.kind == *Kind::Pod.name();
                    if refused && self.subject.leave_out_pods() {
                        self.without_pods = Some(failure);
                        return Ok(());
                    }
                    if !refused || self.without_pods.is_none() {
                        return Err(failure);
                    }
                }
                None => return Err(Failure::NoAnswer("the watches ended".to_owned())),
            }
        }
    }
}

impl fmt::Display for ObjectTarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", word(self.kind), self.name)
    }
}

/// The kind as people write it: `cronjob`.
pub(crate) fn word(kind: Kind) -> &'static str {
    kind.resource().trim_end_matches('s')
}

/// A word of `job/NAME`, `jobs/NAME`, `job.batch/NAME`, `job NAME` or `NAME`.
pub(crate) fn job_word(text: &str) -> Result<TargetWord, String> {
    word_of(text, &[Kind::Job])
}

/// A word of `cronjob/NAME`, `cj/NAME`, `cronjobs.batch/NAME`, `cronjob NAME` or `NAME`.
pub(crate) fn cron_job_word(text: &str) -> Result<TargetWord, String> {
    word_of(text, &[Kind::CronJob])
}

/// A word of `cronjob/NAME`, `job/NAME`, `cronjob NAME`, `job NAME` or `NAME`.
pub(crate) fn job_or_cron_job_word(text: &str) -> Result<TargetWord, String> {
    word_of(text, &[Kind::Job, Kind::CronJob])
}

/// A word that may name objects of these kinds.
pub(crate) fn word_of(text: &str, kinds: &[Kind]) -> Result<TargetWord, String> {
    if text.contains('/') { read(text, kinds).map(TargetWord::Full) } else { Ok(TargetWord::Bare(text.to_owned())) }
}

/// The kind of this one that a word names alone.
pub(crate) fn kind(word: &TargetWord, kinds: &[Kind]) -> Option<Kind> {
    let TargetWord::Bare(resource) = word else { return None };
    kinds.iter().copied().find(|kind| names(*kind, resource))
}

/// The objects that words name, as kubectl reads them: `job/a job/b`, `job a b`; names alone are of the first kind.
pub(crate) fn objects(words: &[TargetWord], kinds: &[Kind]) -> Result<Vec<ObjectTarget>, String> {
    let named = words.split_first().filter(|(_, names)| !names.is_empty());
    let (kind, words) = match named.and_then(|(first, names)| Some((kind(first, kinds)?, names))) {
        Some((kind, names)) if names.iter().any(|word| matches!(word, TargetWord::Full(_))) => {
            return Err(format!("write either {0} NAME or {0}/NAME", word(kind)));
        }
        Some(found) => found,
        None => (kinds[0], words),
    };
    let object = |word: &TargetWord| match word {
        TargetWord::Full(target) => target.clone(),
        TargetWord::Bare(name) => ObjectTarget { kind, name: name.clone() },
    };
    Ok(words.iter().map(object).collect())
}

/// The one object of a kind that words name: `job/NAME`, `job NAME` or `NAME`.
pub(crate) fn one(words: &[TargetWord], kind: Kind) -> Result<ObjectTarget, String> {
    match (words, &objects(words, &[kind])?[..]) {
        (_, [target]) => Ok(target.clone()),
        ([TargetWord::Bare(resource), ..], _) => Err(not_one_of(resource, &[kind])),
        _ => Err(format!("name one {}", kind.name())),
    }
}

/// That a word names none of these kinds.
pub(crate) fn not_one_of(resource: &str, kinds: &[Kind]) -> String {
    let wanted = kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" or ");
    format!("expected a {wanted}, not {resource}; write {}", remedy(kinds))
}

fn remedy(kinds: &[Kind]) -> String {
    kinds.iter().map(|kind| format!("{}/NAME", word(*kind))).collect::<Vec<_>>().join(" or ")
}

/// The object of one of these kinds; of the first, if only its name is given.
fn read(text: &str, kinds: &[Kind]) -> Result<ObjectTarget, String> {
    let (resource, name) = text.split_once('/').unwrap_or((word(kinds[0]), text));
    let Some(kind) = kinds.iter().copied().find(|kind| names(*kind, resource)) else {
        return Err(not_one_of(resource, kinds));
    };
    if name.is_empty() || name.contains('/') {
        return Err(format!("write {}", remedy(kinds)));
    }
    Ok(ObjectTarget { kind, name: name.to_owned() })
}

/// Whether kubectl reads a word as this kind: in the singular, in the plural or short, with or without its group.
fn names(kind: Kind, text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let resource = text.strip_suffix(".v1.batch").or_else(|| text.strip_suffix(".batch")).unwrap_or(&text);
    resource == kind.resource() || resource == word(kind) || (kind == Kind::CronJob && resource == "cj")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_named_as_for_kubectl() {
        let job = |text| job_word(text).and_then(|word| one(&[word], Kind::Job));
        let cron_job = |text| cron_job_word(text).and_then(|word| one(&[word], Kind::CronJob));
        for text in ["pi", "job/pi", "jobs/pi", "job.batch/pi", "jobs.v1.batch/pi", "Job/pi"] {
            assert_eq!(job(text), Ok(ObjectTarget { kind: Kind::Job, name: "pi".to_owned() }));
        }
        for text in ["cronjob/pi", "cronjobs/pi", "cronjob.batch/pi", "cj/pi", "CronJob/pi"] {
            assert_eq!(cron_job(text), Ok(ObjectTarget { kind: Kind::CronJob, name: "pi".to_owned() }));
            assert_eq!(job_or_cron_job_word(text), cron_job(text).map(TargetWord::Full));
        }
        assert_eq!(cron_job("pi").map(|target| target.to_string()), Ok("cronjob pi".to_owned()));
        assert_eq!(job("pod/pi"), Err("expected a Job, not pod; write job/NAME".to_owned()));
        assert_eq!(job("cronjob/pi"), Err("expected a Job, not cronjob; write job/NAME".to_owned()));
        assert_eq!(job_or_cron_job_word("pod/pi"), Err("expected a Job or CronJob, not pod; write job/NAME or cronjob/NAME".to_owned()));
        assert_eq!(job("job/"), Err("write job/NAME".to_owned()));
        assert_eq!(cron_job("cronjob/a/b"), Err("write cronjob/NAME".to_owned()));
    }

    #[test]
    fn a_kind_may_come_before_names() {
        let kinds = [Kind::Job, Kind::CronJob];
        let read = |text: &str| {
            let words: Vec<TargetWord> = text.split(' ').map(|word| word_of(word, &kinds).unwrap()).collect();
            objects(&words, &kinds).map(|found| found.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        };
        for text in ["job pi", "jobs.batch pi", "job/pi", "pi"] {
            assert_eq!(read(text).as_deref(), Ok("job pi"));
        }
        assert_eq!(read("cj pi").as_deref(), Ok("cronjob pi"));
        assert_eq!(read("job a b").as_deref(), Ok("job a, job b"));
        assert_eq!(read("a job/b cronjob/c").as_deref(), Ok("job a, job b, cronjob c"));
        assert_eq!(read("job").as_deref(), Ok("job job"));
        assert_eq!(read("job job/pi"), Err("write either job NAME or job/NAME".to_owned()));
    }
}

//! A Job that takes the place of another one: that one goes first, and however this ends, the manifest of the new one is not lost.
//!
//! Docs: Garbage Collection, "Foreground cascading deletion"; Finalizers. What the new Job is made of is in `api::manual`, how it is created in
//! `creation.rs`.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use api::meta::names;
use api::{Job, Kind, Object, ObjectMeta};
use host_cluster::cluster::Failure;
use serde_json::Value;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{Instant, sleep, sleep_until};

use super::creation;
use super::target::{ClusterNamespace, Found, ObjectTarget};
use crate::{CommandEnd, output};

/// How long a deletion may take before anything is printed about it.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often to look for what holds it up.
const GLANCE: Duration = Duration::from_secs(3);
/// How many objects that hold it up are named.
const NAMED: usize = 3;

/// A Job that is to go, and the one that takes its place.
pub(super) struct Replacement<'a> {
    pub(super) place: &'a ClusterNamespace,
    pub(super) target: &'a ObjectTarget,
    /// The Job that goes.
    pub(super) job: &'a Job,
    /// The manifest of the other one.
    pub(super) manifest: &'a Value,
    /// How long to wait until the Job is gone, if not forever.
    pub(super) timeout: Option<Duration>,
}

impl Replacement<'_> {
    /// Deletes the Job after its pods, waits until it is gone, and creates the other one; returns the name of that. If this is cut short, the manifest is
    /// saved.
    ///
    /// # Errors
    /// How the command ends; the reason was printed.
    pub(super) async fn carry_out(&self) -> Result<String, CommandEnd> {
        let Self { place, target, timeout, .. } = self;
        let mut found = place.find(target, |_| &[Kind::Job]).await.ok_or(CommandEnd::BadInput)?;
        let replaced = async {
            self.remove(&mut found).await?;
            let created = creation::create(place, self.manifest).await;
            created.map_err(|error| self.lost(&format!("cannot create the Job: {}", Failure::Refused(error)), CommandEnd::BadInput))
        };
        tokio::select! {
            replaced = replaced => replaced,
            () = passed(*timeout) => {
                let length = api::duration::text(api::Duration::try_from(timeout.unwrap_or_default()).unwrap_or_default());
                Err(self.lost(&format!("{target} is not gone after {length}"), CommandEnd::Unfinished))
            }
            number = interrupted() => Err(self.lost("interrupted", CommandEnd::Interrupted(number))),
        }
    }

    /// Deletes the Job, and waits until it is gone.
    async fn remove(&self, found: &mut Found) -> Result<(), CommandEnd> {
        let Self { place, target, job, .. } = self;
        if let Err(error) = creation::delete(place, &target.name, &job.metadata.uid, "Foreground").await {
            let unknown = error.code == 0;
            let reason = format!("cannot delete {target}: {}", Failure::Refused(error));
            if unknown {
                // The request may have arrived.
                return Err(self.lost(&reason, CommandEnd::BadInput));
            }
            output::error(&reason);
            return Err(CommandEnd::BadInput);
        }
        let (mut printed, mut next) = (String::new(), Instant::now() + PATIENCE);
        while !found.subject.gone() {
            tokio::select! {
                () = found.change() => {}
                () = sleep_until(next) => {
                    let waits = self.waits(found.subject.job().unwrap_or(job)).await;
                    if waits != printed {
                        output::complain(&format!("{waits}\n"));
                        printed = waits;
                    }
                    next = Instant::now() + GLANCE;
                }
            }
        }
        Ok(())
    }

    /// What is waited for, and what holds it up.
    async fn waits(&self, job: &Job) -> String {
        // The permission to delete a Job does not include reading its pods.
        let listed = self.pods().await;
        let last = if listed.is_some() { "the garbage collector has not released it yet" } else { "its pods cannot be listed" };
        let pods = listed.unwrap_or_default();
        let mut holding: Vec<String> = held(&format!("job {}", job.metadata.name), &job.metadata).into_iter().collect();
        holding.extend(pods.iter().filter_map(|pod| held(&format!("pod {}", pod.name), pod)));
        holding.extend(pods.iter().filter(|pod| pod.finalizers.is_empty()).map(|pod| {
            let state = if pod.deleting() { "is terminating" } else { "is not deleted yet" };
            format!("pod {} {state}", pod.name)
        }));
        if holding.is_empty() {
            holding.push(last.to_owned());
        }
        let more = holding.len().saturating_sub(NAMED);
        holding.truncate(NAMED);
        if more > 0 {
            holding.push(format!("{more} more"));
        }
        let pods = match pods.len() {
            0 => String::new(),
            1 => " and 1 pod".to_owned(),
            number => format!(" and {number} pods"),
        };
        format!("waiting for {}{pods} to be gone: {}", self.target, holding.join(", "))
    }

    /// The metadata of the Job's pods; `None` if they cannot be read.
    async fn pods(&self) -> Option<Vec<ObjectMeta>> {
        let labels = &self.job.spec.selector.as_ref()?.match_labels;
        let selector: Vec<String> = labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let listed = self.place.cluster.list(&Kind::Pod.into(), &self.place.namespace, Some(&selector.join(","))).await.ok()?;
        let pods = listed.iter().filter_map(|text| Some(Object::decode(Kind::Pod, text).ok()?.metadata().clone()));
        Some(pods.filter(|pod| pod.controller_uid() == &*self.job.metadata.uid).collect())
    }

    /// Prints why there is no new Job, and saves its manifest; returns the end.
    fn lost(&self, reason: &str, end: CommandEnd) -> CommandEnd {
        let (target, create) = (self.target, format!("{} create -f", self.place.kubectl));
        match save(&self.target.name, &manifest::write(self.manifest)) {
            Some(file) => output::error(&format!(
                "{reason}; the new Job has not been created. Its manifest is saved; when {target} is gone, create it with\n  {create} {}",
                file.display()
            )),
            None => {
                output::error(&format!("{reason}; the new Job has not been created. When {target} is gone, pass this to {create} -"));
                creation::show(self.manifest);
            }
        }
        end
    }
}

/// The finalizers that hold an object, in words; not those by which the API server itself deletes it in the foreground.
fn held(what: &str, metadata: &ObjectMeta) -> Option<String> {
    let finalizers: Vec<&str> =
        metadata.finalizers.iter().map(|finalizer| &**finalizer).filter(|finalizer| *finalizer != names::FOREGROUND).collect();
    match finalizers[..] {
        [] => None,
        [one] => Some(format!("{what} has the finalizer {one}")),
        _ => Some(format!("{what} has the finalizers {}", finalizers.join(" and "))),
    }
}

/// Writes a manifest to a file that did not exist, here or, where that is not permitted, in the folder for temporary files.
fn save(name: &str, manifest: &str) -> Option<PathBuf> {
    let save = |folder: &Path| -> io::Result<PathBuf> {
        for number in 1.. {
            let file = folder.join(if number == 1 { format!("{name}-rerun.yaml") } else { format!("{name}-rerun-{number}.yaml") });
            match OpenOptions::new().write(true).create_new(true).open(&file) {
                Ok(mut created) => return created.write_all(manifest.as_bytes()).map(|()| file),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    };
    save(Path::new("")).or_else(|_| save(&std::env::temp_dir())).ok()
}

async fn passed(timeout: Option<Duration>) {
    match timeout {
        Some(timeout) => sleep(timeout).await,
        None => std::future::pending().await,
    }
}

/// Waits for a signal that would end the program; returns its number.
async fn interrupted() -> u8 {
    let number = |kind: SignalKind| async move {
        match signal(kind) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
        u8::try_from(kind.as_raw_value()).unwrap_or_default()
    };
    tokio::select! {
        number = number(SignalKind::interrupt()) => number,
        number = number(SignalKind::terminate()) => number,
        number = number(SignalKind::hangup()) => number,
    }
}

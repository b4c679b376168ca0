//! Kubernetes Events on their way to the cluster: best effort, one after the other, without anything waiting for them.
//!
//! Docs: Event v1; rules J-140…J-149. What becomes one Event and what is dropped is decided in `host/embed/src/events/`.

use std::time::Duration;

use api::Timestamp;
use api::request::Outcome;
use contract::{ApiResource, Notice};
use host_embed::events::{EventWrite, Recorder};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::cluster::RemoteCluster;
use crate::leader::Term;

/// How many Events may wait; what comes beyond is dropped.
const WAITING: usize = 1000;
/// How long recording the Events that still wait may take at shutdown.
const FINISHING: Duration = Duration::from_secs(1);

/// Takes Events to record.
pub struct Notices {
    waiting: Option<Sender<(Notice, Term)>>,
    recording: Option<JoinHandle<()>>,
}

impl Notices {
    /// Records Events about objects of these resources in a cluster.
    #[must_use]
    pub fn recorded(cluster: RemoteCluster, resources: &[ApiResource]) -> Self {
        let (waiting, notices) = channel(WAITING);
        let recording = tokio::spawn(record(cluster, Recorder::new(resources), notices));
        Self { waiting: Some(waiting), recording: Some(recording) }
    }

    /// Records nothing.
    #[must_use]
    pub fn discarded() -> Self {
        Self { waiting: None, recording: None }
    }

    /// Takes Events that may be recorded for as long as a term lasts.
    pub(crate) fn record(&self, notices: &[Notice], term: &Term) {
        let Some(waiting) = &self.waiting else { return };
        for notice in notices {
            if waiting.try_send((notice.clone(), term.clone())).is_err() {
                tracing::debug!("dropping an Event, as {WAITING} are waiting already: {}", notice.message);
            }
        }
    }

    /// Records what waits, for up to 1 s.
    pub(crate) async fn finish(&mut self) {
        self.waiting = None;
        if let Some(recording) = self.recording.take() {
            // What takes longer is lost, as Events may be.
            let _ = timeout(FINISHING, recording).await;
        }
    }
}

async fn record(cluster: RemoteCluster, mut recorder: Recorder, mut notices: Receiver<(Notice, Term)>) {
    while let Some((notice, term)) = notices.recv().await {
        if !term.lasts() {
            continue;
        }
        let Some(write) = recorder.record(&notice, Timestamp::now()) else { continue };
        let mut next = Some(write);
        while let Some(write) = next {
            next = send(&cluster, write).await;
        }
    }
}

/// Sends one write, and returns the one to send in its place.
async fn send(cluster: &RemoteCluster, write: EventWrite) -> Option<EventWrite> {
    cluster.pass().await;
    let Outcome::Failed(error) = cluster.carry_out(&write.request).await else { return None };
    let path = write.request.path.clone();
    let instead = write.after(&error);
    if instead.is_none() {
        tracing::debug!("cannot record an Event: {path}: {error}");
    }
    instead
}

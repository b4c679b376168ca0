//! Jobs that have finished, as they were last: also those that were deleted since. And those that were deleted before they had, and pods that show why.
//!
//! Docs: Automatic Cleanup for Finished Jobs. How a play or a run ended is told by them, whether or not a TTL let them stay.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use api::{Kind, Text};
use cluster::ApiServer;
use cluster::stored::Stored;

/// How many pods that are gone are kept: enough to say how they ended.
const MOST_PODS: usize = 1000;

/// The Jobs that were seen and are over.
#[derive(Debug, Clone, Default)]
pub struct FinishedJobs {
    /// Those that finished, by UID.
    finished: BTreeMap<Text, Arc<Stored>>,
    /// Those that were deleted before.
    unfinished: Vec<Arc<Stored>>,
    /// The UIDs of all Jobs that no CronJob created.
    alone: BTreeSet<Text>,
    /// The newest of their pods that are gone and show how they ended.
    pods: VecDeque<Arc<Stored>>,
}

impl FinishedJobs {
    /// Records objects as they were written, each with whether it is gone. Jobs that a CronJob created come and go with it.
    pub fn observe<'a>(&mut self, written: impl Iterator<Item = (&'a Arc<Stored>, bool)>) {
        for (stored, gone) in written {
            if gone && self.alone.contains(stored.metadata().controller_uid()) {
                self.keep_pod(stored);
            }
            let Some(job) = stored.job().filter(|job| job.metadata.controller().is_none()) else { continue };
            self.alone.insert(job.metadata.uid.clone());
            if !gone {
                // One that is created again takes the place of the one before.
                self.unfinished.retain(|before| named(before) != named(stored));
            }
            if !job.finished() && gone {
                self.unfinished.push(Arc::clone(stored));
            } else if job.finished() && !job.metadata.deleting() {
                self.finished.insert(job.metadata.uid.clone(), Arc::clone(stored));
            }
        }
    }

    /// Keeps a pod that is gone, if it failed or was restarted.
    fn keep_pod(&mut self, stored: &Arc<Stored>) {
        if failed_or_restarted(stored) {
            self.pods.push_back(Arc::clone(stored));
            if self.pods.len() > MOST_PODS {
                self.pods.pop_front();
            }
        }
    }

    /// The pods that are gone, and failed or were restarted.
    pub fn pods(&self) -> impl Iterator<Item = &Arc<Stored>> {
        self.pods.iter()
    }

    /// Those that were deleted before they had finished.
    #[must_use]
    pub fn unfinished(&self) -> &[Arc<Stored>] {
        &self.unfinished
    }

    /// Those that finished and that the server has no more.
    pub fn gone(&self, server: &ApiServer) -> impl Iterator<Item = &Arc<Stored>> {
        self.finished.values().filter(|stored| {
            let metadata = stored.metadata();
            let there = server.object(Kind::Job, &metadata.namespace, &metadata.name);
            there.is_none_or(|there| there.metadata().uid != metadata.uid)
        })
    }
}

/// Whether a pod tells more of its Job than that it succeeded or runs: it failed, or its containers were started again.
#[must_use]
pub fn failed_or_restarted(stored: &Stored) -> bool {
    let restarted = |status: &str| status.split("\"restartCount\":").skip(1).any(|count| !count.starts_with('0'));
    stored.pod().is_some_and(|pod| &**pod.status.phase() == "Failed" || restarted(pod.status.json()))
}

fn named(stored: &Stored) -> (&Text, &Text) {
    (&stored.metadata().namespace, &stored.metadata().name)
}

#[cfg(test)]
mod tests {
    use cluster::Dependence;
    use cluster::testing::{job, noon, send_line, server};

    use super::*;

    #[test]
    fn a_finished_job_is_kept_as_it_was_before_it_went() {
        let (mut server, mut finished) = (server(Dependence::OnOwners), FinishedJobs::default());
        let watch = server.watch(None);
        send_line(&mut server, &job("pi", r#","finalizers":["x.y/z"]"#), 0);
        send_line(&mut server, &job("e", ""), 0);
        let complete = r#"{"status":{"conditions":[{"type":"Complete","status":"True"}]}}"#;
        server.overwrite_job("default", "pi", complete, noon()).unwrap();
        server.overwrite_job("default", "e", complete, noon()).unwrap();
        send_line(&mut server, r#"DELETE jobs/pi {"propagationPolicy":"Background"}"#, 1);
        let held = Arc::clone(server.object(Kind::Job, "default", "pi").unwrap());
        server.merge(&held, r#"{"metadata":{"finalizers":null}}"#, noon()).unwrap();
        let writes: Vec<_> = std::iter::from_fn(|| server.next_write(watch)).collect();
        finished.observe(writes.iter().map(|write| (&write.after, write.gone)));
        assert!(finished.unfinished().is_empty());
        let gone: Vec<String> =
            finished.gone(&server).map(|job| format!("{} {}", job.metadata().name, job.metadata().deleting())).collect();
        assert_eq!(gone, ["pi false"]);
    }

    #[test]
    fn a_job_that_goes_before_it_has_finished_is_kept_too() {
        let (mut server, mut finished) = (server(Dependence::OnOwners), FinishedJobs::default());
        let watch = server.watch(None);
        send_line(&mut server, &job("pi", ""), 0);
        send_line(&mut server, r#"DELETE jobs/pi {"propagationPolicy":"Background"}"#, 1);
        while let Some(write) = server.next_write(watch) {
            finished.observe([(&write.after, write.gone)].into_iter());
        }
        let names: Vec<&str> = finished.unfinished().iter().map(|job| &*job.metadata().name).collect();
        assert_eq!((names, finished.gone(&server).count()), (vec!["pi"], 0));
        send_line(&mut server, &job("pi", ""), 2);
        let again = server.next_write(watch).unwrap();
        finished.observe([(&again.after, again.gone)].into_iter());
        assert!(finished.unfinished().is_empty(), "it was created again");
    }
}

//! Jobs that have finished, as they were last: also those that were deleted since.
//!
//! Docs: Automatic Cleanup for Finished Jobs. How a play or a run ended is told by them, whether or not a TTL let them stay.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{Job, Kind, Text};
use cluster::ApiServer;
use cluster::stored::Stored;

/// The finished Jobs that were seen, by UID.
#[derive(Debug, Clone, Default)]
pub struct FinishedJobs(BTreeMap<Text, Arc<Stored>>);

impl FinishedJobs {
    /// Records objects as they were written. Jobs that a CronJob created come and go with it.
    pub fn observe<'a>(&mut self, written: impl Iterator<Item = &'a Arc<Stored>>) {
        let applied = |stored: &&Arc<Stored>| !stored.metadata().deleting() && stored.metadata().controller().is_none();
        let finished = written.filter(|stored| stored.job().is_some_and(Job::finished)).filter(applied);
        self.0.extend(finished.map(|stored| (stored.metadata().uid.clone(), Arc::clone(stored))));
    }

    /// Those that the server has no more.
    pub fn gone(&self, server: &ApiServer) -> impl Iterator<Item = &Arc<Stored>> {
        self.0.values().filter(|stored| {
            let metadata = stored.metadata();
            let there = server.object(Kind::Job, &metadata.namespace, &metadata.name);
            there.is_none_or(|there| there.metadata().uid != metadata.uid)
        })
    }
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
        finished.observe(writes.iter().map(|write| &write.after));
        let gone: Vec<String> =
            finished.gone(&server).map(|job| format!("{} {}", job.metadata().name, job.metadata().deleting())).collect();
        assert_eq!(gone, ["pi false"]);
    }
}

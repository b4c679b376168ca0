//! What has to happen before the controllers reconcile again where no time is known, in one sentence.
//!
//! Docs: Jobs; CronJob. At which time they do is in `contract::Wakeup`; why an object gets no further, the controllers find (`play::obstacles`).

use api::{Kind, Text};
use cluster::stored::Stored;
use contract::decision::{Sentence, TextPart};
use play::obstacles;
use script::ObjectName;

use crate::account::{Account, Ending};
use crate::outcome::{JobAccount, counted, plain};
use crate::runs::owner_of;

/// How many objects are named that get no further.
const MOST: usize = 3;

impl Account {
    /// What is waited for after the last step. `ending` is what is known if nothing is due any more: then what keeps the objects from getting on is
    /// named.
    pub fn awaited(&self, ending: Option<Ending<'_>>) -> Sentence {
        ending.and_then(|ending| self.stuck(ending)).unwrap_or_else(|| plain(self.next()))
    }

    /// Which objects get no further, and why; `None` if that is not known of any.
    fn stuck(&self, ending: Ending<'_>) -> Option<Sentence> {
        let jobs = self.jobs.values().filter(|job| job.open()).filter(|job| !suspended(&job.object)).map(|job| (job.place, &job.object));
        let cron_jobs = self.cron_jobs.values().filter(|cron_job| cron_job.exists() && cron_job.active == 0);
        let cron_jobs = cron_jobs.filter(|cron_job| !suspended(&cron_job.object)).map(|cron_job| (cron_job.place, &cron_job.object));
        let mut objects: Vec<(usize, &std::sync::Arc<Stored>)> = cron_jobs.chain(jobs).collect();
        objects.sort_by_key(|(place, _)| *place);
        let (mut parts, mut more) = (Vec::new(), 0);
        for (named, (_, object)) in objects.into_iter().enumerate() {
            if named >= MOST {
                more += 1;
                continue;
            }
            let found = (ending.obstacles)(object.kind(), object.metadata());
            let Some(reason) = obstacles::sentence(&found, ending.still) else { continue };
            let what = if object.kind() == Kind::Job { "will not finish" } else { "gets no further" };
            let gap = if parts.is_empty() { "" } else { " " };
            parts.push(TextPart::Text(format!("{gap}{} {what}: ", self.name(object)).into()));
            parts.extend(reason.0);
            parts.push(TextPart::Text(".".into()));
        }
        if parts.is_empty() {
            return None;
        }
        if more > 0 {
            parts.push(TextPart::Text(format!(" {more} more have not finished.").into()));
        }
        Some(Sentence(parts))
    }

    /// What is waited for as the state of all objects shows it.
    fn next(&self) -> String {
        let mut cron_jobs: Vec<_> = self.cron_jobs.values().filter(|cron_job| cron_job.exists()).collect();
        cron_jobs.sort_by_key(|cron_job| cron_job.place);
        let own = |job: &&JobAccount| owner_of(job.object.metadata()).is_none_or(|owner| !self.cron_jobs.contains_key(&owner));
        let mut jobs: Vec<&JobAccount> = self.jobs.values().filter(|job| !job.gone).filter(own).collect();
        jobs.sort_by_key(|job| job.place);
        let open: Vec<&JobAccount> = jobs.iter().copied().filter(|job| job.open()).collect();
        let pods: usize = open.iter().map(|job| present(&job.object)).sum();
        let runs: usize = cron_jobs.iter().map(|cron_job| cron_job.active).sum();
        for (count, noun) in [(pods, "pod"), (runs, "Job"), (self.pods.all_alive(), "pod")] {
            if count > 0 {
                return format!("Waiting for {} to finish.", counted(count, noun));
            }
        }
        let objects = || cron_jobs.iter().map(|cron_job| &*cron_job.object).chain(open.iter().map(|job| &*job.object));
        let names = |filter: fn(&Stored) -> bool| {
            objects().filter(|object| filter(object)).map(|object| self.name(object)).collect::<Vec<_>>().join(", ")
        };
        match (names(suspended), names(|_| true)) {
            (suspended, _) if !suspended.is_empty() => format!("Waiting for {suspended} to be resumed."),
            (_, all) if !all.is_empty() => format!("Waiting for a change to {all}."),
            _ if jobs.is_empty() => "Nothing left to do: there are no Jobs or CronJobs.".to_owned(),
            _ => "Nothing left to do: every Job has finished.".to_owned(),
        }
    }

    /// `job/pi`: with its namespace if there are several.
    fn name(&self, object: &Stored) -> Text {
        let metadata = object.metadata();
        let name = ObjectName::among(&metadata.namespace, &metadata.name, self.namespaces.iter());
        format!("{}/{name}", object.kind().name().to_ascii_lowercase()).into()
    }
}

/// Whether an object is a Job or a CronJob that is suspended.
fn suspended(object: &Stored) -> bool {
    object.job().is_some_and(api::Job::suspended) || object.cron_job().is_some_and(api::CronJob::suspended)
}

/// How many pods of a Job are there: those that are terminating are not active.
fn present(job: &Stored) -> usize {
    let status = job.job().map(|job| &job.status);
    status.map_or(0, |status| usize::try_from(status.active.saturating_add(status.terminating.unwrap_or(0))).unwrap_or(0))
}

//! What has to happen before the controllers reconcile again where no time is known, in one sentence.
//!
//! Docs: Jobs; CronJob. At which time they do is in `contract::Wakeup`; why an object gets no further, the controllers find (`play::obstacles`).

use api::{Kind, Text};
use cluster::stored::Stored;
use contract::decision::{Sentence, TextPart};
use play::obstacles;
use script::ObjectName;

use crate::account::{Account, EndOfPlay};
use crate::outcome::{counted, plain};

/// How many objects are named that get no further.
const MOST: usize = 3;

impl Account {
    /// What is waited for after the last step. `ending` is what is known if nothing is due any more: then what keeps the objects from making progress is
    /// named.
    pub fn awaited(&self, ending: Option<EndOfPlay<'_>>) -> Sentence {
        ending.and_then(|ending| self.stuck(ending)).unwrap_or_else(|| plain(self.next()))
    }

    /// Which objects get no further, and why; `None` if that is not known of any.
    fn stuck(&self, ending: EndOfPlay<'_>) -> Option<Sentence> {
        let cron_jobs = self.cron_jobs.iter().filter(|cron_job| cron_job.exists() && cron_job.active == 0).map(|cron_job| &cron_job.object);
        let jobs = self.jobs.iter().filter(|job| job.open()).map(|job| &job.object);
        let (mut parts, mut named, mut more) = (Vec::new(), 0, 0);
        for object in cron_jobs.chain(jobs).filter(|object| !suspended(object)) {
            if named == MOST {
                more += 1;
                continue;
            }
            let found = (ending.obstacles)(object.kind(), object.metadata());
            let Some(reason) = obstacles::sentence(&found, ending.still) else { continue };
            let what = if object.kind() == Kind::Job { "will not finish" } else { "is stuck" };
            let gap = if named == 0 { "" } else { " " };
            named += 1;
            parts.push(TextPart::Text(format!("{gap}{} {what}: ", self.name(object)).into()));
            parts.extend(reason.0);
            parts.push(TextPart::Text(".".into()));
        }
        if parts.is_empty() {
            return None;
        }
        if more > 0 {
            parts.push(TextPart::Text(format!(" {more} more are stuck.").into()));
        }
        Some(Sentence(parts))
    }

    /// What is waited for as the state of all objects shows it.
    fn next(&self) -> String {
        let cron_jobs: Vec<_> = self.cron_jobs.iter().filter(|cron_job| cron_job.exists()).collect();
        let (mut open, mut finished) = (Vec::new(), false);
        for job in self.own_jobs().filter(|job| !job.gone) {
            if job.open() {
                open.push(job);
            } else {
                finished = true;
            }
        }
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
            _ if finished => "Nothing left to do: every Job has finished.".to_owned(),
            _ => "Nothing left to do: there are no Jobs or CronJobs.".to_owned(),
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

#[cfg(test)]
mod tests {
    use contract::Obstacle;
    use play::step::Step;

    use super::*;
    use crate::testing::{Object, cron_job, job, obstacle, played, pod, run, step, words};

    fn awaited(objects: Vec<Object>) -> String {
        words(&played(&[step(0, objects)]).awaited(None))
    }

    fn done() -> Object {
        job("pi").finished("Complete", "CompletionsReached")
    }

    #[test]
    fn what_is_waited_for_is_what_the_objects_wait_for() {
        assert_eq!(awaited(vec![job("pi").status("active", 1)]), "Waiting for 1 pod to finish.");
        let several = vec![job("pi").status("active", 2).status("terminating", 1), job("e").status("active", 1)];
        assert_eq!(awaited(several), "Waiting for 4 pods to finish.");
        let active = serde_json::json!([{"kind": "Job", "name": "hello-1"}]);
        let run_goes_on = vec![cron_job("hello").suspended().status("active", active), run(1).status("active", 1)];
        assert_eq!(awaited(run_goes_on), "Waiting for 1 Job to finish.");
        let suspended = vec![job("pi").suspended(), cron_job("hello").suspended()];
        assert_eq!(awaited(suspended), "Waiting for cronjob/hello, job/pi to be resumed.");
        assert_eq!(awaited(vec![job("pi")]), "Waiting for a change to job/pi.");
        assert_eq!(awaited(vec![done()]), "Nothing left to do: every Job has finished.");
        assert_eq!(awaited(Vec::new()), "Nothing left to do: there are no Jobs or CronJobs.");
    }

    #[test]
    fn pods_that_outlive_their_job_are_waited_for() {
        let [running, over] = [("pi-2", "Running"), ("pi-3", "Succeeded")].map(|(name, phase)| pod(name).status("phase", phase));
        let steps = [
            step(0, [job("pi"), pod("pi-1"), running, over]),
            step(1000, [done().gone()]),
            step(2000, [pod("pi-1").gone(), pod("pi-2").status("phase", "Failed")]),
        ];
        let sentences = [1, 2, 3].map(|count| words(&played(&steps[..count]).awaited(None)));
        let nothing = "Nothing left to do: there are no Jobs or CronJobs.";
        assert_eq!(sentences, ["Waiting for 2 pods to finish.", "Waiting for 2 pods to finish.", nothing]);
    }

    fn stuck(steps: &[Step], obstacles: impl Fn(&str) -> Vec<Obstacle>) -> String {
        let mut ask = |_: Kind, metadata: &api::ObjectMeta| obstacles(&metadata.name);
        words(&played(steps).awaited(Some(EndOfPlay { still: true, obstacles: &mut ask })))
    }

    #[test]
    fn where_nothing_is_due_any_more_the_obstacles_are_named() {
        let on = |name: &str| if name == "done" { Vec::new() } else { vec![obstacle(&format!("{name} has no image"), false)] };
        let pi = [step(0, [job("pi").status("active", 1)])];
        assert_eq!(stuck(&pi, on), "job/pi will not finish: pi has no image.");
        assert_eq!(stuck(&pi, |_| vec![obstacle("pi-x runs", true)]), "job/pi will not finish: pi-x runs, and nothing will end it.");
        assert_eq!(stuck(&pi, |_| Vec::new()), "Waiting for 1 pod to finish.");
        let several = [step(0, [job("a"), job("b").suspended(), done(), cron_job("c"), job("d"), job("e"), job("f")])];
        let named = "cronjob/c is stuck: c has no image. job/a will not finish: a has no image. job/d will not finish: d has no image.";
        assert_eq!(stuck(&several, on), format!("{named} 2 more are stuck."));
        assert_eq!(stuck(&[step(0, [job("pi").suspended()])], on), "Waiting for job/pi to be resumed.");
    }
}

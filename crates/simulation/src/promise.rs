//! L1, second half: what the page promises once nothing is left to do, written naively from the page and what really happened.
//!
//! Docs: Jobs, "Parallel execution for Jobs", "Suspending a Job", "Job termination and cleanup", "Job tracking with finalizers". Why a Job may end is checked when it
//! does, in `invariants/reasons.rs`.

use std::collections::BTreeSet;

use api::annotation::FailureAction;
use api::job::conditions::{COMPLETE, FAILED, FAILURE_TARGET, SUCCESS_CRITERIA_MET, SUSPENDED};
use api::{Duration, Job, Kind, Timestamp, time};
use cluster::ApiServer;

use crate::invariants::{Checked, Violation, hold};
use crate::ledger::{JobRecord, Ledger, PodRecord, indexes, read};
use crate::page;
use crate::rules;

/// A Job in a world that is quiet, with its pods.
struct Quiet<'a> {
    ledger: &'a Ledger,
    job: &'a Job,
    now: Timestamp,
}

/// Checks that everything is as the page promises. Returns whether something is left over nevertheless: a finalizer, as it may be by [`left_over`], or the numbers of a Job
/// that is bereft.
pub(crate) fn kept(ledger: &Ledger, server: &ApiServer, now: Timestamp) -> Result<bool, Violation> {
    for job in server.objects(Kind::Job).filter_map(|stored| stored.job()) {
        if page::managed_by_other(job) {
            untouched(ledger, job)?;
            continue;
        }
        let quiet = Quiet { ledger, job, now };
        let bereft = ledger.job(&job.metadata.uid).is_some_and(|record| record.bereft);
        quiet.frees_its_pods()?;
        if job.finished() {
            quiet.has_ended()?;
        } else if !job.metadata.deleting() && !bereft {
            quiet.status_is_true()?;
            quiet.goes_on()?;
        }
    }
    let gone = |pod: &&PodRecord| match pod.metadata().controller() {
        None => true,
        Some(owner) => {
            &*owner.kind == Kind::Job.name() && ledger.job(&owner.uid).is_none_or(|job| job.gone && !page::managed_by_other(job.job()))
        }
    };
    let tracked = || ledger.pods.values().filter(|pod| pod.tracked());
    let held = tracked().filter(gone).find(|pod| !left_over(ledger, pod));
    hold(held.is_none(), "W5", || {
        format!("pod {} holds the tracking finalizer, and its Job is gone", held.map(PodRecord::name).unwrap_or_default())
    })?;
    Ok(tracked().any(|pod| left_over(ledger, pod)) || ledger.jobs.values().any(|job| job.bereft))
}

/// Whether no controller manages a pod any longer, so that it runs on and may hold its finalizer forever: its Job has ended, is being deleted or gone, and people changed the pod's labels, so that the Job's selector
/// does not select it. The leftover finalizers of a Job are found by its selector (J-16, J-18), and of a Job that is being deleted no pod is let go (J-62).
fn left_over(ledger: &Ledger, pod: &PodRecord) -> bool {
    let Some(record) = pod.metadata().controller().and_then(|owner| ledger.job(&owner.uid)) else { return false };
    let job = record.job();
    let selects = job.spec.selector.as_ref().is_some_and(|selector| selector.matches(&pod.metadata().labels));
    pod.touched && !selects && (record.gone || job.finished() || job.metadata.deleting())
}

/// A Job of another manager is left alone (J-42).
fn untouched(ledger: &Ledger, job: &Job) -> Checked {
    let meddled = ledger.job(&job.metadata.uid).is_some_and(|record| record.meddled);
    let alone = ledger.pods_of(&job.metadata.uid).all(|pod| pod.birth.is_none()) && (meddled || job.status == api::JobStatus::default());
    hold(alone, "L1", || format!("job {} is managed by another controller, and something was done for it", job.metadata.name))
}

impl Quiet<'_> {
    fn name(&self) -> &str {
        &self.job.metadata.name
    }

    fn pods(&self) -> impl Iterator<Item = &PodRecord> {
        page::pods_of(self.ledger, &self.job.metadata.uid)
    }

    fn active(&self) -> Vec<&PodRecord> {
        self.pods().filter(|pod| pod.active()).collect()
    }

    /// W5: no pod that has ended holds the finalizer, except the one of each index that waits for its next pod (J-111), and those that rules
    /// [keep](Self::kept_by_rules); none at all of a Job that has ended or is being deleted, except those that are [`left_over`].
    fn frees_its_pods(&self) -> Checked {
        let over = self.job.finished() || self.job.metadata.deleting();
        let active: BTreeSet<u32> = self.active().iter().filter_map(|pod| pod.index()).collect();
        let mut waiting = BTreeSet::new();
        for pod in self.pods().filter(|pod| pod.tracked() && (over || pod.ended()) && !left_over(self.ledger, pod)) {
            let waits = !over && self.job.spec.backoff_limit_per_index.is_some() && pod.phase() == "Failed";
            let held = waits && pod.index().is_some_and(|index| !active.contains(&index) && waiting.insert(index));
            hold(held || !over && self.kept_by_rules(pod), "W5", || {
                format!("pod {} ({}) of job {} still holds the finalizer", pod.name(), pod.phase(), self.name())
            })?;
        }
        Ok(())
    }

    /// whether a failed pod may keep the finalizer: an annotation of its Job means nothing, so that nobody knows what it counts as; or it is being deleted,
    /// and with it would be gone that it holds its Job, or what the next pod carries of it.
    fn kept_by_rules(&self, pod: &PodRecord) -> bool {
        if !rules::asks(self.job) || pod.phase() != "Failed" {
            return false;
        }
        let decided = rules::decided(self.job, pod);
        let holds = decided.as_ref().is_some_and(|decided| decided.rule.action == FailureAction::Hold);
        let container = decided.as_ref().and_then(|decided| decided.container.as_deref()).unwrap_or("*");
        let counted = |pod: &PodRecord| decided.as_ref().map_or(0, |decided| rules::matches(pod, decided.rule.identity, Some(container)));
        let follows = |other: &PodRecord| {
            let later = rules::attempt(other) > rules::attempt(pod) && (decided.is_none() || counted(other) > counted(pod));
            later && (!self.job.indexed() || other.index() == pod.index())
        };
        rules::asked(self.job).is_none() || pod.metadata().deleting() && (holds || !self.pods().any(follows))
    }

    /// The pods of a Job that has ended have ended, except those that are [`left_over`].
    fn has_ended(&self) -> Checked {
        let runs = self.pods().find(|pod| !pod.ended() && !left_over(self.ledger, pod));
        hold(runs.is_none(), "L1", || {
            let runs = runs.map(|pod| format!("{} ({})", pod.name(), pod.phase())).unwrap_or_default();
            format!("job {} has ended, and its pod {runs} has not", self.name())
        })
    }

    /// The numbers in the status are those of the pods.
    fn status_is_true(&self) -> Checked {
        let status = &self.job.status;
        let ready = self.active().iter().filter(|pod| read(&pod.stored).ready).count();
        let really = (self.active().len(), ready, self.pods().filter(|pod| pod.terminating()).count());
        let number = |count: i32| usize::try_from(count).unwrap_or(usize::MAX);
        let reported = (number(status.active), number(status.ready.unwrap_or(0)), number(status.terminating.unwrap_or(0)));
        hold(reported == really, "L1", || {
            format!("job {} reports {reported:?} active, ready and terminating pods, but has {really:?}", self.name())
        })?;
        let uncounted = status.uncounted_terminated_pods.as_ref().map_or(0, api::job::UncountedTerminatedPods::len);
        hold(uncounted == 0, "L1", || format!("job {} leaves {uncounted} pods uncounted", self.name()))
    }

    /// A Job that has not ended has a reason to go on, and as many pods as it wants.
    fn goes_on(&self) -> Checked {
        let (job, name, active) = (self.job, self.name(), self.active().len());
        let suspended = job.suspended();
        let ends = self.ends_as(SUCCESS_CRITERIA_MET) || self.ends_as(FAILURE_TARGET);
        hold(job.condition(SUSPENDED).is_some() == suspended || ends, "L1", || {
            format!("job {name} is suspended: {suspended}, and its condition shows otherwise")
        })?;
        if suspended {
            return hold(active == 0, "L1", || format!("{active} pods of the suspended job {name} are active"));
        }
        for (interim, last) in [(SUCCESS_CRITERIA_MET, COMPLETE), (FAILURE_TARGET, FAILED)] {
            hold(!self.ends_as(interim), "L1", || format!("job {name} is {interim} and never {last}"))?;
        }
        let due = self.due_end(active);
        hold(due.is_none(), "L1", || format!("job {name} goes on although {}", due.unwrap_or_default()))?;
        if self.is_held() {
            return Ok(());
        }
        let (fewest, most) = page::wanted(job, active);
        hold((fewest..=most).contains(&active), "L1", || format!("job {name} has {active} active pods and wants {fewest} to {most}"))?;
        // Where the numbers are written already, no status is written for the start time alone (J-50): somebody else wrote them, or the controller did
        // while the Job was suspended, and now it wants no pods.
        let wrote = |record: &JobRecord| record.meddled || active == 0 && record.once_suspended && job.spec.parallelism == Some(0);
        let written = self.ledger.job(&job.metadata.uid).is_some_and(wrote);
        hold(job.status.start_time.is_some() || written, "L1", || format!("job {name} runs and has no start time"))
    }

    /// Whether annotations let no pods be created: they hold the Job, a failed pod does by a rule, or one means nothing.
    fn is_held(&self) -> bool {
        let Ok(asked) = self.job.extensions() else { return true };
        let holds = |pod: &PodRecord| rules::decided(self.job, pod).is_some_and(|decided| decided.rule.action == FailureAction::Hold);
        asked.hold || asked.on_failure.is_some() && self.pods().any(holds)
    }

    fn ends_as(&self, interim: &str) -> bool {
        self.job.condition(interim).is_some()
    }

    /// Why the Job should have ended.
    fn due_end(&self, active: usize) -> Option<&'static str> {
        let (spec, status) = (&self.job.spec, &self.job.status);
        let completions = spec.completions.unwrap_or(0);
        let (completed, failed) = (indexes(&status.completed_indexes), indexes(status.failed_indexes.as_deref().unwrap_or_default()));
        let more = |count: usize, limit: i32| i64::try_from(count).is_ok_and(|count| count > i64::from(limit));
        let met =
            || spec.success_policy.iter().flat_map(|policy| &policy.rules).any(|rule| !completed.is_empty() && page::met(rule, &completed));
        let fails = |pod: &PodRecord| pod.phase() == "Failed" && page::action(self.job, pod.facts()) == Some("FailJob");
        let all_ended = !failed.is_empty()
            && !more(usize::try_from(completions).unwrap_or(0), i32::try_from(failed.len() + completed.len()).unwrap_or(i32::MAX));
        let deadline =
            status.start_time.zip(spec.active_deadline_seconds).map(|(start, seconds)| time::after(start, Duration::from_secs(seconds)));
        let reached = spec.completions.map_or(status.succeeded > 0, |completions| status.succeeded >= completions);
        let reasons = [
            (status.failed > spec.backoff_limit.unwrap_or(6), "more pods failed than backoffLimit allows"),
            (deadline.is_some_and(|deadline| deadline <= self.now), "its deadline has passed"),
            (spec.max_failed_indexes.is_some_and(|limit| more(failed.len(), limit)), "more indexes failed than maxFailedIndexes allows"),
            (all_ended, "all of its indexes have ended"),
            (met(), "its success policy is met"),
            (self.pods().any(fails), "a failed pod matches a rule with FailJob"),
            (reached && active == 0, "enough pods succeeded and none is active"),
        ];
        reasons.into_iter().find_map(|(holds, why)| holds.then_some(why))
    }
}

//! What annotations ask of a CronJob beyond Kubernetes: another controller, a spread of its starts, each clock time at most once.
//!
//! Docs: README, "Beyond Kubernetes" (X-1…X-4). Without them a CronJob is what Kubernetes makes of it.

use api::meta::names;
use api::{CronJob, Duration, Text};

use super::config::Config;
use super::decision::{Decision, Guard};
use super::events::CronJobEvent;
use super::plan::{Plan, Stage};
use super::view::View;
use crate::runtime::annotation::{InvalidAnnotation, read};

/// The longest spread: a day.
const LONGEST_SPREAD: u64 = 86_400;

/// Leaves a CronJob to somebody else, if it is another controller's; answers whether it does.
pub(super) fn leave_alone(view: &View<'_>, plan: &mut Plan) -> bool {
    let Some(guard) = other_manager(view.config, view.cron_job) else { return false };
    if matches!(guard, Guard::NotSuspendedForBuiltIn) {
        plan.notices.push(view.event(&CronJobEvent::NotSuspended));
    }
    plan.decide(Decision::Guard(guard));
    plan.sync.stage = Stage::End;
    true
}

/// Why a CronJob is not this controller's, if so.
fn other_manager(config: &Config, cron_job: &CronJob) -> Option<Guard> {
    match cron_job.metadata.annotations.get(names::MANAGED_BY) {
        _ if config.built_in() => None,
        None => Some(Guard::CronJobManagedByOther { manager: "the built-in controller".into() }),
        Some(name) if *name != config.name => Some(Guard::CronJobManagedByOther { manager: name.clone() }),
        Some(_) => (!cron_job.suspended()).then_some(Guard::NotSuspendedForBuiltIn),
    }
}

/// Whether no Jobs are started (C-18): beside the built-in controller, for which all of ours are suspended, an annotation says it.
pub(super) fn suspended(config: &Config, cron_job: &CronJob) -> Result<Option<Guard>, InvalidAnnotation> {
    if config.built_in() {
        return Ok(cron_job.suspended().then_some(Guard::CronJobSuspended));
    }
    let suspended = read(&cron_job.metadata, names::SUSPEND, "true or false", |value| value.parse::<bool>().ok())?;
    Ok(suspended.unwrap_or(false).then_some(Guard::SuspendedByAnnotation))
}

/// How long after its scheduled time each run starts: a number of seconds that follows from the UID.
pub(super) fn spread(cron_job: &CronJob) -> Result<Duration, InvalidAnnotation> {
    let seconds = |value: &str| value.parse::<u64>().ok().filter(|seconds| *seconds <= LONGEST_SPREAD);
    let most = read(&cron_job.metadata, names::SPREAD_SECONDS, "a number of seconds, from 0 to 86400", seconds)?.unwrap_or(0);
    Ok(Duration::from_secs(i64::try_from(hash(&cron_job.metadata.uid) % (most + 1)).unwrap_or(0)))
}

/// Whether a slot that the clock shows twice comes once.
pub(super) fn once(cron_job: &CronJob) -> Result<bool, InvalidAnnotation> {
    Ok(read(&cron_job.metadata, names::DST, "once", |value| (value == "once").then_some(()))?.is_some())
}

/// A number that a text always has (FNV-1a).
fn hash(text: &Text) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cron_job(uid: &str, annotations: &[(&str, &str)]) -> CronJob {
        let mut cron_job = CronJob::default();
        cron_job.metadata.uid = uid.into();
        cron_job.metadata.annotations = annotations.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        cron_job
    }

    #[test]
    fn starts_are_spread_evenly_and_always_alike() {
        let spread = |uid: &str, most: &str| spread(&cron_job(uid, &[(names::SPREAD_SECONDS, most)])).map(|spread| spread.as_secs());
        assert_eq!(super::spread(&cron_job("a", &[])), Ok(Duration::ZERO));
        assert_eq!(spread("a", "0"), Ok(0));
        assert_eq!(spread("a", "300"), spread("a", "300"));
        let offsets: Vec<i64> = (0..3010).map(|number| spread(&format!("uid-{number}"), "300").unwrap()).collect();
        assert!(offsets.iter().all(|offset| (0..=300).contains(offset)));
        let early = offsets.iter().filter(|offset| **offset <= 150).count();
        assert!((1300..=1700).contains(&early), "{early} of 3010 are in the first half");
        for wrong in ["", "-1", "1.5", "5m", "86401", " 3"] {
            assert_eq!(spread("a", wrong).unwrap_err().value, wrong.into());
        }
    }

    #[test]
    fn a_slot_comes_once_only_if_the_annotation_says_so() {
        assert_eq!(once(&cron_job("a", &[])), Ok(false));
        assert_eq!(once(&cron_job("a", &[(names::DST, "once")])), Ok(true));
        assert!(once(&cron_job("a", &[(names::DST, "Once")])).is_err());
    }
}

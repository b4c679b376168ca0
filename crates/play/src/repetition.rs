//! Whether a play only repeats itself from here on, so that nothing new comes of it.
//!
//! Docs: Pod Lifecycle, "Container restarts"; Resource Quotas. When a play has gone too far otherwise is in `bounds.rs`; that a Job is stuck, and on what, the
//! controllers find.

use std::collections::BTreeSet;

use api::{Job, Kind, Text, Timestamp};
use contract::{Manager, Obstacle};
use script::Scripted;

use crate::held::{FoundWarnings, jobs};
use crate::world::World;
use crate::world::turn::Cluster;

/// Whether nothing is left to happen but that pods are refused, or that containers which keep failing are started again, and no Job finishes by that. The
/// warnings are those of the objects that were found.
pub(crate) fn repeats<M: Manager>(cluster: &mut Cluster<M, Scripted>, warnings: &FoundWarnings, now: Timestamp) -> bool {
    let disturbed = cluster.deafness.is_some() || cluster.paused_until.is_some();
    if disturbed || !(only_refusals(cluster, now) || cluster.kubelet.only_restarts(cluster.kubelet.runtime.script.last_start())) {
        return false;
    }
    let refused: BTreeSet<Text> =
        jobs(&cluster.world.server).map(|job| &job.metadata.uid).filter(|uid| cluster.refuses_pods_of(uid)).cloned().collect();
    let World { server, manager, .. } = &mut cluster.world;
    let runs = server.objects(Kind::CronJob).filter_map(|stored| stored.cron_job()).any(|cron_job| !cron_job.suspended());
    !runs && jobs(server).all(|job| lasts(job, warnings, manager, refused.contains(&job.metadata.uid), now))
}

/// Whether nothing is left to happen but that pods are refused again and again.
fn only_refusals<M: Manager>(cluster: &mut Cluster<M, Scripted>, now: Timestamp) -> bool {
    if !cluster.refuses_pods() || cluster.kubelet.next_due().is_some() {
        return false;
    }
    cluster.next_wakeup().is_some_and(|wakeup| wakeup.at > now && cluster.refuses_pods_of(&wakeup.object.uid))
}

/// Whether a Job, whose pods may be `refused`, stays as it is until somebody helps.
fn lasts<M: Manager>(job: &Job, warnings: &FoundWarnings, manager: &mut M, refused: bool, now: Timestamp) -> bool {
    if job.finished() {
        return job.spec.ttl_seconds_after_finished.is_none();
    }
    if job.spec.active_deadline_seconds.is_some() && !job.suspended() {
        return false;
    }
    let has = |found: &[Obstacle], code: &str| found.iter().any(|obstacle| &*obstacle.code == code);
    let lasting = |found: &[Obstacle]| !found.is_empty() && found.iter().all(|obstacle| !obstacle.passes);
    // Containers that keep failing may end their Job by that.
    let counted = |found: &[Obstacle]| has(found, "CrashLoop") && !has(found, "LimitOutOfReach");
    let found = warnings.obstacles(manager, Kind::Job, &job.metadata, now);
    !counted(&found) && (refused || lasting(&found))
}

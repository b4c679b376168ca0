//! The slots of a Job, as many as its parallelism, in which pods that no longer exist succeeded one after another.
//!
//! Docs: Jobs, "Controlling parallelism". How many pods that were follows from the counters, in `gaps.rs`.

use std::collections::{BTreeMap, VecDeque};

use api::{Duration, Text, Timestamp, time};

use crate::gaps::SYNC;
use crate::record::{RecordedJob, RecordedPod};

/// The slots that are taken by pods that no longer exist.
#[derive(Debug, Clone, Default)]
pub(crate) struct PodSlots(Vec<Slot>);

#[derive(Debug, Clone, Copy)]
struct Slot {
    /// When its pod ends.
    ends_at: Timestamp,
    /// How many pods follow in it.
    left: usize,
    /// When a recorded pod takes it, or nothing more is known.
    until: Timestamp,
}

impl PodSlots {
    /// When a pod ends that is created now, so that those in its slot run equally long; `coming`: how many succeed from here on, this one included, in
    /// `free` slots; `taken`: when recorded pods take slots, in order, and the time for all others.
    pub(crate) fn take(&mut self, coming: usize, free: usize, taken: (&[Timestamp], Timestamp), now: Timestamp) -> Timestamp {
        self.0.retain(|slot| slot.ends_at > now || slot.left > 0);
        let reserved: usize = self.0.iter().map(|slot| slot.left).sum();
        let place = self.0.iter().position(|slot| slot.ends_at <= now).unwrap_or_else(|| {
            let pods = coming.saturating_sub(reserved).div_ceil(free.max(1)).max(1);
            let until = taken.0.get(self.0.len()).copied().unwrap_or(taken.1);
            self.0.push(Slot { ends_at: now, left: pods, until });
            self.0.len() - 1
        });
        let slot = &mut self.0[place];
        let pods = i32::try_from(slot.left).unwrap_or(i32::MAX).max(1);
        let length = time::after(slot.until, -SYNC).duration_since(now).max(Duration::ZERO) / pods;
        slot.left = slot.left.saturating_sub(1);
        slot.ends_at = time::whole_seconds(time::after(now, length)).max(now);
        slot.ends_at
    }
}

/// How many slots of a Job are free for a pod that is created now, and when recorded pods take slots that pods that no longer exist have; `living` are the
/// other pods that were created, `waiting` the recorded ones that were not.
pub(crate) fn free(
    record: &RecordedJob,
    living: &BTreeMap<Text, RecordedPod>,
    waiting: &VecDeque<RecordedPod>,
    now: Timestamp,
) -> (usize, Vec<Timestamp>) {
    let gone = |pod: &&RecordedPod| {
        let ended = pod.frames.last().is_some_and(|last| pod.ended && last.at <= now);
        ended || pod.deletion.is_some_and(|deletion| deletion.at <= now)
    };
    let soon = |pod: &&RecordedPod| pod.created_at <= time::after(now, SYNC);
    let others = living.values().filter(|pod| !gone(pod)).count() + waiting.iter().filter(soon).count();
    let parallelism = usize::try_from(record.job.spec.parallelism.unwrap_or(1)).unwrap_or_default();
    let ends = living.values().chain(waiting).filter(|pod| !pod.estimated).filter_map(RecordedPod::ended_at);
    let mut ended: Vec<Timestamp> = ends.filter(|at| *at >= now).collect();
    ended.sort_unstable();
    let created = waiting.iter().filter(|pod| !soon(pod)).map(|pod| pod.created_at);
    (parallelism.saturating_sub(others), unexplained(created, &ended))
}

/// When recorded pods are created that replace none of the pods that end then: both in order.
fn unexplained(created: impl Iterator<Item = Timestamp>, ended: &[Timestamp]) -> Vec<Timestamp> {
    let mut ended = ended.iter().copied().peekable();
    created.filter(|created| ended.next_if(|ended| ended <= created).is_none()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn pods_follow_one_another_in_their_slots() {
        let (mut slots, taken) = (PodSlots::default(), [at(100), at(110), at(120)]);
        let mut take = |coming, free, now| slots.take(coming, free, (&taken, at(500)), at(now)).as_second();
        assert_eq!([take(5, 3, 0), take(4, 2, 0), take(3, 1, 0)], [49, 54, 119]);
        assert_eq!([take(2, 1, 50), take(1, 1, 55)], [99, 109]);
    }

    #[test]
    fn a_recorded_pod_that_ended_made_room_for_the_next() {
        assert_eq!(unexplained([at(10), at(20), at(30)].into_iter(), &[at(15), at(40)]), [at(10), at(30)]);
    }
}

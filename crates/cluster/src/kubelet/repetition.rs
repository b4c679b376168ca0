//! Whether all that a pod still does is to have its failing containers started again and again.
//!
//! Docs: Pod Lifecycle, "Container restarts". How long a container waits for its next start is in `back_off.rs`.

use super::back_off::LONGEST;
use super::container::{ContainerPhase, KubeletContainer, WaitingReason};
use super::resident::{PodStage, Resident};

/// Whether nothing is due for a pod but starts after the longest back-off, of containers that were started at least so often.
pub(super) fn only_restarts(pod: &Resident, starts: u32) -> bool {
    let again = |container: &KubeletContainer| {
        let longest = matches!(container.state, ContainerPhase::Waiting(WaitingReason::BackOff { wait, .. }) if wait >= LONGEST);
        container.due().is_none() || longest && container.starts >= starts
    };
    matches!(pod.stage, PodStage::Active { deadline: None }) && pod.prospects.next().is_none() && pod.containers.iter().all(again)
}

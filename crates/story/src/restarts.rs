//! Restarts in place: when containers of a pod ended that are started again, and until when they wait for that.
//!
//! Docs: Pod Lifecycle, "How Pods handle problems with containers". What nodes report of containers is in `play::trace`.

use std::collections::BTreeMap;

use api::{Text, Timestamp, time};
use play::step::Step;
use play::trace::ContainerReport;

/// The containers of all pods, as they were last seen.
#[derive(Debug, Default)]
pub struct Restarts {
    /// By the UID of their pod, then by name.
    pods: BTreeMap<Text, BTreeMap<Text, SeenContainer>>,
}

/// What a step shows of the restarts in a pod.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PodRestarts {
    /// The restarts that it shows first.
    pub begun: Vec<Restart>,
    /// Until when the pod waits with restarts.
    pub until: Option<Timestamp>,
}

/// The end of a container that is started again in its pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restart {
    /// The name of the container.
    pub container: Text,
    /// With which code it ended, if known.
    pub exit_code: Option<i32>,
    /// When it ended.
    pub at: Timestamp,
    /// The step in which it did.
    pub step: usize,
}

/// A container as a step left it.
#[derive(Debug)]
struct SeenContainer {
    running: bool,
    restarts: i32,
    /// The first moment after it ran last.
    ended: Option<(Timestamp, usize)>,
    /// Until when it waits to be started again.
    until: Option<Timestamp>,
}

impl Restarts {
    /// What a step of this number shows, for each object that it touched; nothing of objects that are no pods.
    pub fn observe(&mut self, number: usize, step: &Step) -> Vec<PodRestarts> {
        let all = step.touched.iter().map(|touched| {
            let Some(known) = &touched.pod else { return PodRestarts::default() };
            let uid = &touched.after.metadata().uid;
            let mut restarts = self.see(uid, known.report.containers(), (step.at, number));
            if touched.gone {
                self.pods.remove(uid);
            }
            if touched.gone || touched.after.pod().is_some_and(|pod| pod.ended()) {
                restarts.until = None;
            }
            restarts
        });
        all.collect()
    }

    /// What is seen of the containers of a pod at a moment: a time and a step.
    fn see<'c>(&mut self, pod: &Text, containers: impl Iterator<Item = &'c ContainerReport>, now: (Timestamp, usize)) -> PodRestarts {
        let (mut found, seen) = (PodRestarts::default(), self.pods.entry(pod.clone()).or_default());
        for container in containers {
            let known = seen.get(&container.name);
            let ended = if known.is_some_and(|known| known.running) { Some(now) } else { known.and_then(|known| known.ended) };
            let waited = known.and_then(|known| known.until);
            let until = container.back_off().map(|back_off| waited.unwrap_or_else(|| time::after(now.0, back_off)));
            if known.is_some_and(|known| waited.is_none() && (until.is_some() || container.restart_count > known.restarts)) {
                let (at, step) = ended.unwrap_or(now);
                let (container, exit_code) = (container.name.clone(), container.last_exit_code());
                found.begun.push(Restart { container, exit_code, at, step });
            }
            found.until = found.until.max(until);
            let running = container.state.running.is_some();
            seen.insert(container.name.clone(), SeenContainer { running, restarts: container.restart_count, ended, until });
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use api::Duration;
    use play::trace::{ContainerState, Details};

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        time::after(Timestamp::UNIX_EPOCH, Duration::from_secs(seconds))
    }

    /// A container that ended with this code before, if it did.
    fn container(restart_count: i32, state: ContainerState, code: Option<i32>) -> ContainerReport {
        let terminated = code.map(|exit_code| Details { exit_code, ..Details::default() });
        ContainerReport {
            name: "main".into(),
            restart_count,
            state,
            last_state: ContainerState { terminated, ..ContainerState::default() },
        }
    }

    fn running(restart_count: i32, code: Option<i32>) -> ContainerReport {
        container(restart_count, ContainerState { running: Some(Details::default()), ..ContainerState::default() }, code)
    }

    fn ended() -> ContainerReport {
        container(0, ContainerState { terminated: Some(Details::default()), ..ContainerState::default() }, None)
    }

    fn waiting() -> ContainerReport {
        let (reason, message) = ("CrashLoopBackOff".into(), "back-off 10s restarting failed container=main".into());
        let waiting = Some(Details { reason, message, ..Details::default() });
        container(0, ContainerState { waiting, ..ContainerState::default() }, Some(7))
    }

    /// Restarts, each with its second, its step and its code; and until when the pod waits.
    type Seen = (Vec<(i64, usize, Option<i32>)>, Option<i64>);

    /// What is seen of a pod with one container after each step.
    fn seen(steps: &[(i64, ContainerReport)]) -> Vec<Seen> {
        let mut restarts = Restarts::default();
        let step = |(number, (second, container)): (usize, &(i64, ContainerReport))| {
            let PodRestarts { begun, until } = restarts.see(&"uid".into(), [container].into_iter(), (at(*second), number));
            let line = |restart: Restart| (restart.at.as_second(), restart.step, restart.exit_code);
            (begun.into_iter().map(line).collect(), until.map(Timestamp::as_second))
        };
        steps.iter().enumerate().map(step).collect()
    }

    #[test]
    fn a_container_waits_from_its_end_to_its_next_start_and_ended_once() {
        let found = seen(&[(0, running(0, None)), (5, waiting()), (6, waiting()), (15, running(1, Some(7)))]);
        assert_eq!(found, [(vec![], None), (vec![(5, 1, Some(7))], Some(15)), (vec![], Some(15)), (vec![], None)]);
    }

    #[test]
    fn a_container_ended_where_it_ran_last_even_if_that_is_reported_before_the_restart() {
        let found = seen(&[(0, running(0, None)), (4, ended()), (5, waiting())]);
        assert_eq!(found[1..], [(vec![], None), (vec![(4, 1, Some(7))], Some(15))]);
    }

    #[test]
    fn a_container_that_does_not_wait_ended_where_it_runs_again() {
        let found = seen(&[(0, running(0, None)), (1, running(1, Some(0))), (2, running(2, Some(9)))]);
        assert_eq!(found[1..], [(vec![(1, 1, Some(0))], None), (vec![(2, 2, Some(9))], None)]);
    }

    #[test]
    fn a_pod_that_is_found_has_no_restarts_that_were_before() {
        assert_eq!(seen(&[(0, running(3, Some(1))), (1, running(3, Some(1)))]), [(vec![], None), (vec![], None)]);
        assert_eq!(seen(&[(0, waiting()), (10, running(1, Some(7)))]), [(vec![], Some(10)), (vec![], None)]);
    }
}

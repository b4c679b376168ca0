//! The starts of a Job's containers, counted: how many there were, how many ran to their end, and which were stopped.
//!
//! Docs: Jobs, "Handling Pod and container failures"; Pod Lifecycle, "Container restarts". What happens to each container is in `containers.rs`.

use api::{Duration, Text};
use serde::Serialize;

use super::containers::{ContainerChange, ContainerEnding, ContainerEntry, EndedBy};
use super::report::{ContainerReport, PodReport};

/// How often the containers of a Job's pods were started so far, where they were started again in place.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StartsEntry {
    /// The Job's namespace.
    pub namespace: Text,
    /// The Job's name.
    pub job: Text,
    /// The starts.
    #[serde(flatten)]
    pub count: StartCount,
}

/// How often the containers of pods were started, and what came of it. Sidecars do not count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StartCount {
    /// Of how many pods.
    pub pods: usize,
    /// How many containers one of these pods has at most.
    pub containers: usize,
    /// How many starts there were.
    pub starts: i32,
    /// How many of them still run: their ends were not reported.
    pub running: i32,
    /// How many were stopped before their end.
    pub stopped: i32,
    /// How many were starts of a container that had run in its pod before.
    pub again: i32,
    /// Which start in its pod was stopped last, and how long it ran.
    #[serde(skip)]
    last_stopped: Option<(i32, Option<Duration>)>,
}

impl StartCount {
    /// What came between two reports of a pod, in which these containers ended, or were killed without a further report. With a pod that is `gone`, what
    /// still ran by its last report has stopped.
    pub(super) fn between(
        before: &PodReport,
        after: &PodReport,
        ended: &[ContainerEntry],
        killed: &[ContainerEntry],
        sidecars: &[Text],
        gone: bool,
    ) -> Self {
        let counted = |name: &Text| !sidecars.contains(name);
        let sum = |report: &PodReport, of: fn(&ContainerReport) -> i32| -> i32 {
            report.containers().filter(|container| counted(&container.name)).map(of).sum()
        };
        let grown = |of| sum(after, of) - sum(before, of);
        let stops = |entries: &[ContainerEntry]| -> Vec<(i32, Option<Duration>)> {
            entries.iter().filter(|entry| counted(&entry.container)).filter_map(stop).collect()
        };
        let (stops, mut kills) = (stops(ended), stops(killed));
        if gone && kills.is_empty() {
            let ran = after.containers().filter(|container| counted(&container.name) && running(container) > 0);
            kills.extend(ran.map(|container| (container.restart_count + 1, None)));
        }
        let starts = grown(starts);
        Self {
            pods: usize::from(starts > 0 && sum(before, self::starts) == 0),
            containers: after.containers().filter(|container| counted(&container.name)).count(),
            starts,
            running: grown(running) - number(&kills),
            stopped: number(&stops) + number(&kills),
            again: grown(|container| container.restart_count),
            last_stopped: stops.into_iter().chain(kills).last(),
        }
    }

    /// Adds what came since.
    pub(super) fn add(&mut self, other: Self) {
        let Self { pods, containers, starts, running, stopped, again, last_stopped } = other;
        self.pods += pods;
        self.containers = self.containers.max(containers);
        self.starts += starts;
        self.running += running;
        self.stopped += stopped;
        self.again += again;
        self.last_stopped = last_stopped.or(self.last_stopped);
    }

    /// `1 pod, 4 starts: 3 ran to their end, the 4th was stopped after 1 s`.
    pub(super) fn sentence(&self, length: impl Fn(Duration) -> String) -> String {
        let Self { pods, containers, starts, running, stopped, .. } = *self;
        let ended = starts - running - stopped;
        let all_ran = (ended == starts).then(|| "all ran to their end".to_owned());
        let some_ran = || (ended > 0).then(|| format!("{ended} ran to {} end", if ended == 1 { "its" } else { "their" }));
        let stopped = (stopped > 0).then(|| {
            let (start, ran) = self.last_stopped.unwrap_or_default();
            let ran = ran.map(|ran| format!(" after {}", length(ran))).unwrap_or_default();
            match stopped {
                1 if pods == 1 && containers == 1 => format!("the {} was stopped{ran}", ordinal(start)),
                1 => format!("1 was stopped{ran}"),
                _ => format!("{stopped} were stopped"),
            }
        });
        let running = (running > 0).then(|| format!("{running} still {}", if running == 1 { "runs" } else { "run" }));
        let of = if containers > 1 { format!(" of {containers} containers") } else { String::new() };
        let came = [all_ran.or_else(some_ran), stopped, running].into_iter().flatten().collect::<Vec<_>>().join(", ");
        let [pods, starts] =
            [(pods, "pod"), (usize::try_from(starts).unwrap_or_default(), "start")].map(|(number, noun)| counted(number, noun));
        format!("{pods}, {starts}{of}: {came}")
    }
}

/// How often a container was started.
fn starts(container: &ContainerReport) -> i32 {
    let ran = |end: &super::Details| &*end.reason != "ContainerStatusUnknown";
    let started = container.state.running.is_some()
        || container.state.terminated.as_ref().is_some_and(ran)
        || container.last_state.terminated.is_some();
    if started { container.restart_count + 1 } else { 0 }
}

fn running(container: &ContainerReport) -> i32 {
    container.state.running.is_some().into()
}

/// Which start was stopped before its end, and how long it ran.
fn stop(entry: &ContainerEntry) -> Option<(i32, Option<Duration>)> {
    match &entry.change {
        ContainerChange::Ended(ContainerEnding { by: EndedBy::Term | EndedBy::Kill, ran, .. }) => Some((entry.start, *ran)),
        ContainerChange::Ended(_) | ContainerChange::NotStarting { .. } | ContainerChange::Started | ContainerChange::SentTerm { .. } => {
            None
        }
    }
}

fn number<T>(list: &[T]) -> i32 {
    i32::try_from(list.len()).unwrap_or(i32::MAX)
}

/// `1 pod`, `2 pods`.
fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `1st`, `2nd`, `3rd`, `4th`, `11th`.
fn ordinal(number: i32) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(count: StartCount, expected: Expect) {
        expected.assert_eq(&count.sentence(api::time::length));
    }

    #[test]
    fn starts_are_counted_in_a_sentence() {
        let one = StartCount { pods: 1, containers: 1, starts: 4, ..StartCount::default() };
        check(one, expect!["1 pod, 4 starts: all ran to their end"]);
        let stopped = StartCount { stopped: 1, last_stopped: Some((4, Some(Duration::from_secs(1)))), ..one };
        check(stopped, expect!["1 pod, 4 starts: 3 ran to their end, the 4th was stopped after 1 s"]);
        check(
            StartCount { starts: 2, last_stopped: Some((2, None)), ..stopped },
            expect!["1 pod, 2 starts: 1 ran to its end, the 2nd was stopped"],
        );
        check(StartCount { pods: 2, ..stopped }, expect!["2 pods, 4 starts: 3 ran to their end, 1 was stopped after 1 s"]);
        check(
            StartCount { containers: 2, stopped: 2, ..stopped },
            expect!["1 pod, 4 starts of 2 containers: 2 ran to their end, 2 were stopped"],
        );
        check(StartCount { running: 1, ..one }, expect!["1 pod, 4 starts: 3 ran to their end, 1 still runs"]);
    }

    #[test]
    fn ordinals() {
        let all = [1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 101, 111].map(ordinal);
        expect!["1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 101st 111th"].assert_eq(&all.join(" "));
    }
}

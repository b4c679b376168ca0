//! Random scripts, for tests.
//!
//! Docs: none; the language is described in `lib.rs`. Random pods are made in `fuzz.rs`.

use api::Duration;
use cluster::Refusal;
use cluster::apiserver::Propagation;
use cluster::kubelet::{Delay, PodDisruption};
use cluster::rng::Rng;
use serde_json::json;

use super::{Action, ContainerEnd, Course, JobChange, NumberList, ObjectName, OnTerm, Rule, Script, Selector, TimedAction, WhichRuns};

/// A script of up to five rules and four actions, with names and numbers of a small world.
pub(crate) fn script(rng: &mut Rng) -> Script {
    let rules = (0..rng.below(6)).map(|_| rule(rng)).collect();
    let actions = (0..rng.below(5)).map(|_| TimedAction { after: length(rng), action: action(rng) }).collect();
    Script::of(rules, actions)
}

fn rule(rng: &mut Rng) -> Rule {
    loop {
        let which = selector(rng, true);
        let course = course(rng);
        let fits = !(course.concerns_pods() && which.names_containers());
        if fits && course != Course::default() {
            let times = one_in(rng, 5).then(|| 1 + u32::try_from(rng.below(4)).unwrap());
            return Rule { which, course, times };
        }
    }
}

fn selector(rng: &mut Rng, containers: bool) -> Selector {
    Selector {
        cron_job: one_in(rng, 8).then(|| object(pick(rng, ["hello", "b/hello"]))),
        run: one_in(rng, 8).then(|| match one_in(rng, 3) {
            true => WhichRuns::ScheduledAt("2026-01-03T02:00:00Z".parse().unwrap()),
            false => WhichRuns::Numbered(numbers(rng, 1)),
        }),
        job: one_in(rng, 4).then(|| object(pick(rng, ["pi", "rho", "default/pi"]))),
        pod: one_in(rng, 4).then(|| object(pick(rng, ["p-0", "default/p-1", "p-2"]))),
        index: one_in(rng, 4).then(|| numbers(rng, 0)),
        attempt: one_in(rng, 4).then(|| numbers(rng, 1)),
        container: (containers && one_in(rng, 3)).then(|| pick(rng, ["main", "other", "first", "log"]).into()),
        start: (containers && one_in(rng, 4)).then(|| numbers(rng, 1)),
    }
}

fn numbers(rng: &mut Rng, least: u32) -> NumberList {
    let first = least + u32::try_from(rng.below(3)).unwrap();
    NumberList::of_range(first, first + u32::try_from(rng.below(2)).unwrap())
}

fn course(rng: &mut Rng) -> Course {
    Course {
        scheduled: one_in(rng, 6).then(|| delay(rng)),
        starts: one_in(rng, 5).then(|| delay(rng)),
        ready: one_in(rng, 5).then(|| delay(rng)),
        ending: one_in(rng, 2).then(|| match rng.below(5) {
            3 => ContainerEnd::OutOfMemory { after: length(rng) },
            0 => ContainerEnd::Exits { code: 0, after: length(rng) },
            1 => ContainerEnd::Exits { code: exit_code(rng), after: length(rng) },
            2 => ContainerEnd::Killed { signal: 1 + u8::try_from(rng.below(64)).unwrap(), after: length(rng) },
            _ => ContainerEnd::Never,
        }),
        on_term: one_in(rng, 3).then(|| match rng.below(3) {
            0 => OnTerm::Ignores,
            _ => OnTerm::Exits { code: exit_code(rng), after: length(rng) },
        }),
        disrupted: one_in(rng, 8).then(|| (disruption(rng), length(rng))),
        message: one_in(rng, 8).then(|| pick(rng, ["retry-after 30", "#, \"b\": c\n"]).into()),
        condition: one_in(rng, 8).then(|| (pick(rng, ["ConfigIssue", "example.com/other"]).into(), length(rng))),
    }
}

fn disruption(rng: &mut Rng) -> PodDisruption {
    pick(rng, [PodDisruption::Eviction, PodDisruption::Preemption, PodDisruption::NodePressure])
}

fn action(rng: &mut Rng) -> Action {
    let job = || Some(object("b/pi"));
    match rng.below(17) {
        0 => Action::Job { job: None, change: pick(rng, [JobChange::Suspend, JobChange::Resume]) },
        1 => Action::Job { job: job(), change: JobChange::Scale(3) },
        2 => Action::Job {
            job: job(),
            change: JobChange::Set { path: "metadata".into(), value: json!({"labels": {"b": "#=:", "c": null}}) },
        },
        3 if one_in(rng, 3) => {
            let value = pick(rng, [None, Some("a"), Some("Sat, #\"\n"), Some("")]).map(Into::into);
            Action::Job { job: job(), change: JobChange::Annotate { key: "jobsmith.dev/hold".into(), value } }
        }
        3 => {
            let propagation = pick(rng, [Propagation::Background, Propagation::Foreground, Propagation::Orphan]);
            Action::Job { job: job(), change: JobChange::Delete(propagation) }
        }
        4 => Action::DeletePods(Selector { pod: Some(object("p-1")), ..selector(rng, false) }),
        5 if one_in(rng, 2) => Action::Preempt(selector(rng, false)),
        5 if one_in(rng, 2) => Action::EvictByKubelet(selector(rng, false)),
        5 => Action::Evict(selector(rng, false)),
        6 | 7 => Action::Exit { code: exit_code(rng), which: Selector { start: None, ..selector(rng, true) } },
        8 => pick(rng, [Action::LoseNode, Action::ResumeAll, Action::SuspendAll, Action::AcceptPods]),
        9 => Action::RemoveNode,
        10 => Action::RestartController,
        11 => Action::CreateJob(object("pi")),
        12 => Action::SetPod { pod: object("p-1"), path: "metadata.labels".into(), value: json!({"a": "b"}) },
        13 if one_in(rng, 2) => Action::DelayWatch(length(rng)),
        14 if one_in(rng, 2) => Action::CutWatch(length(rng)),
        14 => Action::PauseController(length(rng)),
        15 => Action::MakeReady(selector(rng, false)),
        13 => Action::Overwrite { job: None, path: "spec.completionMode".into(), value: json!(["#", 1]) },
        _ if one_in(rng, 2) => Action::RefuseNextWrite(pick(rng, Refusal::ALL)),
        _ if one_in(rng, 3) => Action::RefuseCreations { length: length(rng), refusal: pick(rng, Refusal::ALL) },
        _ if one_in(rng, 2) => Action::RefuseCreation { number: 1 + exit_code(rng) as u32, refusal: pick(rng, Refusal::ALL) },
        _ => Action::Advance(length(rng)),
    }
}

fn object(name: &str) -> ObjectName {
    ObjectName::parse(name).expect("it is a name")
}

fn delay(rng: &mut Rng) -> Delay {
    if one_in(rng, 4) { Delay::Never } else { Delay::After(length(rng)) }
}

fn length(rng: &mut Rng) -> Duration {
    let unit = pick(rng, [0, 1, 250, 1000, 10_000, 60_000]);
    Duration::from_millis(unit * i64::try_from(rng.below(12)).unwrap())
}

fn exit_code(rng: &mut Rng) -> u8 {
    u8::try_from(rng.below(256)).unwrap()
}

fn one_in(rng: &mut Rng, number: u64) -> bool {
    rng.below(number) == 0
}

fn pick<T: Clone, const N: usize>(rng: &mut Rng, from: [T; N]) -> T {
    from[usize::try_from(rng.below(N as u64)).unwrap()].clone()
}

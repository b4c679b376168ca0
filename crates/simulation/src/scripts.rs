//! What pods do, drawn from a seed: in their first attempts this and that, and something that comes to rest in the end.
//!
//! Docs: Pod Lifecycle. The language is described in `script`; what people do is drawn in `people.rs`.

use api::{Duration, Text};
use cluster::kubelet::{Delay, PodDisruption};
use cluster::rng::Rng;
use script::{ContainerEnd, Course, NumberList, OnTerm, Rule, Script, Selector};

use crate::jobs::CONTAINERS;
use crate::stage;

/// How many attempts of a Job, or of an index, have rules of their own.
const ATTEMPTS: u32 = 5;

/// A script for the pods of Jobs of these names.
///
/// From some attempt and some start on, containers succeed or run forever: otherwise a Job whose failures do not count would never come to rest.
pub(crate) fn script(dice: &mut Rng, jobs: &[&str]) -> Script {
    let mut rules = Vec::new();
    for job in jobs {
        let failing = 1 + dice.below(4);
        for attempt in 1..=ATTEMPTS {
            if dice.below(4) < failing {
                rules.extend(attempts(dice, job, attempt));
            }
        }
        let ending = if dice.one_in(5) { ContainerEnd::Never } else { ContainerEnd::Exits { code: 0, after: length(dice) } };
        let course = Course { ending: Some(ending), on_term: on_term(dice), ready: ready(dice), ..Course::default() };
        rules.push(Rule { which: of_job(job), course, times: None });
    }
    Script::of(rules, Vec::new())
}

/// What the pods of the first runs of CronJobs of these names do, and then those of all others.
pub(crate) fn runs(dice: &mut Rng, cron_jobs: &[&str]) -> Vec<Rule> {
    let first = stage::start().as_second() / 60;
    let mut rules = Vec::new();
    for (cron_job, minute) in cron_jobs.iter().flat_map(|name| (0..5).map(move |minute| (name, first + minute))) {
        if dice.one_in(2) {
            let job = format!("{cron_job}-{minute}");
            let first = (1..=*dice.pick(&[1, 2, 4])).flat_map(|attempt| attempts(dice, &job, attempt));
            rules.extend(first.collect::<Vec<_>>());
            let course = Course { ending: Some(ContainerEnd::Exits { code: 0, after: length(dice) }), ..Course::default() };
            rules.push(Rule { which: of_job(&job), course, times: None });
        }
    }
    let ending = ContainerEnd::Exits { code: 0, after: Duration::from_secs(*dice.pick(&[1, 10, 70, 200])) };
    rules.push(Rule { which: Selector::default(), course: Course { ending: Some(ending), ..Course::default() }, times: None });
    rules
}

/// What one attempt does: some of its indexes, or some of its containers' starts, do otherwise.
fn attempts(dice: &mut Rng, job: &str, attempt: u32) -> Vec<Rule> {
    let which = Selector { attempt: Some(NumberList::only(attempt)), ..of_job(job) };
    let pod = Course {
        scheduled: dice.one_in(8).then(|| if dice.one_in(4) { Delay::Never } else { Delay::After(length(dice)) }),
        disrupted: dice.one_in(8).then(|| (PodDisruption::Eviction, length(dice))),
        ..Course::default()
    };
    let mut rules = Vec::new();
    if pod.concerns_pods() {
        rules.push(Rule { which: which.clone(), course: pod, times: None });
    }
    if dice.one_in(3) {
        let index = u32::try_from(dice.below(4)).ok().map(NumberList::only);
        rules.push(Rule {
            which: Selector { index, start: Some(NumberList::only(1)), ..which.clone() },
            course: container(dice),
            times: None,
        });
    }
    if dice.one_in(4) {
        let name = *dice.pick(&CONTAINERS);
        let ending = ContainerEnd::Exits { code: *dice.pick(&[0, 0, 1, 3]), after: length(dice) };
        let course = Course { ending: Some(ending), ..Course::default() };
        rules.push(Rule {
            which: Selector { container: Some(name.into()), start: Some(NumberList::only(1)), ..which.clone() },
            course,
            times: None,
        });
    }
    for start in 1..=3 {
        rules.push(Rule {
            which: Selector { start: Some(NumberList::only(start)), ..which.clone() },
            course: container(dice),
            times: None,
        });
    }
    rules
}

fn container(dice: &mut Rng) -> Course {
    let ending = match dice.below(8) {
        0 => ContainerEnd::Exits { code: 0, after: length(dice) },
        1 => ContainerEnd::Killed { signal: 9, after: length(dice) },
        _ => ContainerEnd::Exits { code: *dice.pick(&[1, 1, 1, 2, 3, 42]), after: length(dice) },
    };
    let starts = match dice.below(24) {
        0 => Some(Delay::Never),
        1..5 => Some(Delay::After(length(dice))),
        _ => None,
    };
    Course { ending: Some(ending), on_term: on_term(dice), ready: ready(dice), starts, ..Course::default() }
}

fn ready(dice: &mut Rng) -> Option<Delay> {
    match dice.below(6) {
        0 => Some(Delay::Never),
        1 | 2 => Some(Delay::After(length(dice))),
        _ => None,
    }
}

fn on_term(dice: &mut Rng) -> Option<OnTerm> {
    match dice.below(6) {
        0 => Some(OnTerm::Ignores),
        1 => Some(OnTerm::Exits { code: *dice.pick(&[0, 1, 143]), after: length(dice) }),
        _ => None,
    }
}

fn of_job(job: &str) -> Selector {
    Selector { job: Some(Text::from(job).into()), ..Selector::default() }
}

fn length(dice: &mut Rng) -> Duration {
    Duration::from_millis(*dice.pick(&[0, 0, 200, 1000, 1000, 2500, 5000, 15_000, 60_000]))
}

//! Plays drawn from a seed: a Job, what its pods do, and what people do to it, for tests of what is left of one.
//!
//! Docs: Jobs. Jobs are drawn in `jobs.rs`, what pods do in `scripts.rs`.

use api::{Duration, Text};
use cluster::rng::Rng;
use script::{Action, JobChange, NumberList, ObjectName, Script, Selector, TimedAction};

use crate::{jobs, scripts};

/// The name of the Job.
const JOB: &str = "pi";

/// A Job and what happens to it.
#[derive(Debug, Clone)]
pub struct RandomPlay {
    /// The Job's manifest, as JSON.
    pub job: Text,
    /// What its pods do, and what happens to them; also to the Job, if it is edited.
    pub script: Script,
    /// Whether somebody changes the Job.
    pub edited: bool,
}

/// The play of a seed.
#[must_use]
pub fn random_play(seed: u64) -> RandomPlay {
    let mut dice = Rng::new(seed);
    let job = jobs::creation(&mut dice, JOB).body.into();
    let rules = scripts::script(&mut dice, &[JOB]).rules.into_iter().map(|statement| statement.what).collect();
    let edited = dice.one_in(3);
    let number = if dice.one_in(3) || edited { 1 + dice.below(3) } else { 0 };
    let actions: Vec<TimedAction> = (0..number).map(|_| action(&mut dice, edited)).collect();
    RandomPlay { job, script: Script::of(rules, actions), edited }
}

fn action(dice: &mut Rng, edited: bool) -> TimedAction {
    let after = Duration::from_millis(*dice.pick(&[500, 1000, 3000, 7000, 12_000, 20_500, 45_000, 90_000]));
    let which = Selector {
        index: dice.one_in(2).then(|| NumberList::only(u32::try_from(dice.below(3)).unwrap_or_default())),
        ..Selector::default()
    };
    let job = || Some(ObjectName { namespace: None, name: JOB.into() });
    let change = |change| Action::Job { job: job(), change };
    let action = match dice.below(if edited { 10 } else { 4 }) {
        0 | 1 => Action::Evict(which),
        2 => Action::DeletePods(which),
        3 => Action::Exit { code: *dice.pick(&[0, 1, 42]), which },
        4 | 5 => change(JobChange::Suspend),
        6 | 7 => change(JobChange::Resume),
        8 => change(JobChange::Scale(u32::try_from(dice.below(5)).unwrap_or_default())),
        _ => change(JobChange::Set { path: "spec.backoffLimit".into(), value: dice.below(5).into() }),
    };
    TimedAction { after, action }
}

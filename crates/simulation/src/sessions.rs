//! Sessions drawn from a seed: the Jobs that people apply, what their pods do, and what happens to them from outside.
//!
//! Docs: `jobsmith simulate`. Jobs are drawn in `jobs.rs`, what pods do in `scripts.rs`; a session played twice can be compared.

use api::annotation::HOLD;
use api::{Duration, Text};
use cluster::Refusal;
use cluster::apiserver::Propagation;
use cluster::rng::Rng;
use script::{Action, JobChange, NumberList, Script, Selector, TimedAction};
use serde_json::json;

use crate::{jobs, scripts};

/// The names of the Jobs.
const JOBS: [&str; 2] = ["a", "b"];
/// The length of time in which something happens from outside, in milliseconds.
const BUSY: u64 = 90_000;

/// The manifests of a session in JSON, and its script.
#[must_use]
pub fn session(seed: u64) -> (Vec<Text>, Script) {
    let mut dice = Rng::new(seed);
    let names = &JOBS[..1 + usize::from(dice.one_in(3))];
    let manifests = names.iter().map(|name| jobs::creation(&mut dice, name).body.into()).collect();
    let mut script = scripts::script(&mut dice, names);
    let mut actions = Vec::new();
    for _ in 0..dice.below(6) {
        let after = Duration::from_millis(i64::try_from(dice.below(BUSY)).expect("a minute and a half is a small number"));
        actions.push(TimedAction { after, action: action(&mut dice, names) });
    }
    script.append(Script::of(Vec::new(), actions));
    (manifests, script)
}

fn action(dice: &mut Rng, names: &[&str]) -> Action {
    let name: Text = (*dice.pick(names)).into();
    let which = Selector {
        job: Some(name.clone().into()),
        index: dice.one_in(2).then(|| NumberList::only(u32::from(dice.one_in(2)))),
        ..Selector::default()
    };
    match dice.below(17) {
        0 | 1 => Action::DeletePods(Selector { index: which.index.or(Some(NumberList::only(0))), ..which }),
        2 => Action::Evict(which),
        3 => Action::Exit { code: *dice.pick(&[0, 1, 3]), which },
        4 => Action::LoseNode,
        5 => Action::RemoveNode,
        6 => Action::RestartController,
        7 => Action::RefuseNextWrite(*dice.pick(&Refusal::ALL)),
        8 => Action::DelayWatch(Duration::from_secs(*dice.pick(&[1, 5, 20]))),
        9 => Action::Advance(Duration::from_secs(*dice.pick(&[1, 30, 3600]))),
        14 => Action::CutWatch(Duration::from_secs(*dice.pick(&[0, 5, 20]))),
        15 => Action::PauseController(Duration::from_secs(*dice.pick(&[1, 20, 90]))),
        16 => Action::MakeReady(which),
        10 if dice.one_in(3) => Action::CreateJob(name.into()),
        _ => Action::Job { job: Some(name.into()), change: change(dice) },
    }
}

fn change(dice: &mut Rng) -> JobChange {
    match dice.below(7) {
        6 => JobChange::Annotate { key: HOLD.into(), value: dice.one_in(2).then(|| "true".into()) },
        0 | 1 => JobChange::Suspend,
        2 | 3 => JobChange::Resume,
        4 if dice.one_in(2) => JobChange::Delete(*dice.pick(&[Propagation::Background, Propagation::Foreground, Propagation::Orphan])),
        4 => JobChange::Set { path: "spec.backoffLimit".into(), value: json!(dice.below(4)) },
        _ => JobChange::Scale(u32::from(dice.one_in(2)) * 3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_differ_and_their_scripts_are_written_as_they_are_read() {
        let sessions: Vec<_> = (0..200).map(session).collect();
        assert!(sessions.windows(2).all(|pair| pair[0] != pair[1]));
        for (_, script) in &sessions {
            assert_eq!(Script::parse(&script.to_string()).as_ref(), Ok(script), "{script}");
        }
    }
}

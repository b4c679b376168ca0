//! What a sync of a Job costs most of whose pods have ended and were counted: as much as what is active or not yet counted.
//!
//! Docs: Jobs, "Job tracking with finalizers". What it costs with many active pods is measured in `reconcile.rs`.

use std::time::Duration;

use contract::Manager;
use core_tests::native::Native;

use crate::crowd::Crowd;
use crate::loaded::guest;
use crate::table::{Row, medians, rendered, timed};

const ACTIVE: usize = 1_000;
const COUNTED: usize = 99_000;
/// How many active pods change before each sync.
const CHANGED: usize = 10;
const ROUNDS: usize = 41;
/// How long a sync may take, in milliseconds: natively, and in the component.
const GOALS: [f64; 2] = [1.0, 2.0];

/// All figures.
pub(crate) fn rows() -> Vec<Row> {
    let mut native = Crowd::with_counted(Native::default(), ACTIVE, COUNTED);
    let mut component = Crowd::with_counted(guest(), ACTIVE, COUNTED);
    let rounds: Vec<[Duration; 2]> = (0..ROUNDS).map(|round| [sync(&mut native, round), sync(&mut component, round)]).collect();
    let [native, component] = medians(&rounds);
    let what = format!("a sync with {ACTIVE} active and {COUNTED} counted pods, {CHANGED} of them changed");
    let row = |name: &str, took: Duration, goal: f64| {
        let met = took.as_secs_f64() * 1000.0 <= goal;
        Row { what: format!("{what}: {name}"), figure: rendered(took), goal: format!("≤ {goal} ms"), met }
    };
    vec![row("natively", native, GOALS[0]), row("component", component, GOALS[1])]
}

/// How long the plan takes that follows when some pods have changed.
fn sync<M: Manager>(crowd: &mut Crowd<M>, round: usize) -> Duration {
    for place in 0..CHANGED {
        let pod = crowd.pod(place * (ACTIVE / CHANGED), round % 2 == 1);
        crowd.manager.handle(pod, crowd.now).expect("a pod can be understood");
    }
    crowd.now = api::time::after(crowd.now, api::Duration::from_secs(1));
    let (took, planned) = timed(|| crowd.manager.next_plan(crowd.now));
    let planned = planned.expect("the Job is due");
    crowd.carry_out(planned.id, &planned.batches.concat());
    crowd.settle();
    took
}

//! How fast worlds are simulated, with all their faults and invariants, on one core.
//!
//! Docs: the crate `simulation`; the test that does it in earnest is `tests/core/simulation/`.

use std::time::Duration;

use core_tests::native::Native;
use core_tests::summary::grouped;
use simulation::{Settings, Simulation, Statistics};

use crate::table::{Row, timed};

const SEEDS: u64 = 1000;
const ROUNDS: usize = 3;
/// How many steps a second there are to be at least.
const LEAST: u64 = 20_000;

/// All figures.
pub(crate) fn rows() -> Vec<Row> {
    let mut rounds: Vec<(Duration, Statistics)> = (0..ROUNDS).map(|_| timed(simulate)).collect();
    rounds.sort_by_key(|(took, _)| *took);
    let (took, statistics) = &rounds[ROUNDS / 2];
    let a_second = |number: u64| (number as f64 / took.as_secs_f64()) as u64;
    let steps = a_second(statistics.plans + statistics.requests);
    let goal = format!("≥ {}", grouped(LEAST));
    vec![
        Row {
            what: "simulated controller steps, plans and requests, a second on one core".to_owned(),
            figure: grouped(steps),
            goal,
            met: steps >= LEAST,
        },
        Row::plain("simulated plans of the controllers a second on one core", grouped(a_second(statistics.plans))),
        Row::plain("simulated worlds a second on one core", grouped(a_second(SEEDS))),
        Row::plain("simulated things that happen a second on one core", grouped(a_second(statistics.steps))),
    ]
}

fn simulate() -> Statistics {
    let mut statistics = Statistics::default();
    for seed in 0..SEEDS {
        let mut simulation = Simulation::new(seed, Native::default(), Settings::default());
        // Whether it holds is the test's business.
        let _ = simulation.run();
        statistics.add(simulation.statistics());
    }
    statistics
}

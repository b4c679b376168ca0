//! What it costs that one pod of many changes: to take in the event, and to plan the Job again.
//!
//! Docs: spec/job.md §1 (J-04): a Job is planned once for all events of a second. Taking in is to be constant, planning at most linear.

use std::time::Duration;

use contract::Manager;

use crate::crowd::{Crowd, guest};
use crate::native::Native;
use crate::table::{Row, median, timed, told};

/// How many pods the Job has.
const SIZES: [usize; 4] = [10, 1_000, 10_000, 100_000];
/// How much longer the component may take.
const MOST_TIMES: f64 = 2.0;
/// How many events are taken in for one figure, and how many plans are made.
const ROUNDS: usize = 21;
/// How much longer an event may take with ten times the pods: they leave the processor's caches.
const CONSTANT: f64 = 3.0;
/// How much longer a plan may take with so many times the pods: linear, and the caches left behind. A quadratic one takes ten times as long.
const LINEAR: f64 = 3.0;

/// The middle of several rounds.
struct Cost {
    event: Duration,
    plan: Duration,
}

/// All figures, those of growth last.
pub(crate) fn rows() -> Vec<Row> {
    let (mut rows, mut native, mut component) = (Vec::new(), Vec::new(), Vec::new());
    for pods in SIZES {
        let (here, there) = (cost(Native::default(), pods), cost(guest(), pods));
        rows.push(Row::plain(format!("one of {pods} pods changes: plan, natively"), told(here.plan)));
        rows.push(Row::plain(format!("one of {pods} pods changes: plan, component"), told(there.plan)));
        rows.push(Row::at_most(
            format!("one of {pods} pods changes: event and plan, component : native"),
            ratio(there.event + there.plan, here.event + here.plan),
            MOST_TIMES,
        ));
        native.push(here);
        component.push(there);
    }
    for (name, costs) in [("natively", native), ("component", component)] {
        rows.extend(growth(name, &costs));
    }
    rows
}

/// How costs grow from the smallest size to the largest.
fn growth(name: &str, costs: &[Cost]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (sizes, costs) in SIZES.windows(2).zip(costs.windows(2)) {
        let more = sizes[1] as f64 / sizes[0] as f64;
        let between = format!("from {} to {} pods, {name}", sizes[0], sizes[1]);
        rows.push(Row::at_most(format!("growth of taking in an event {between}"), ratio(costs[1].event, costs[0].event), CONSTANT));
        rows.push(Row::at_most(format!("growth of a plan {between}"), ratio(costs[1].plan, costs[0].plan), more * LINEAR));
    }
    rows
}

fn cost(manager: impl Manager, pods: usize) -> Cost {
    let mut crowd = Crowd::new(manager, pods);
    let (mut events, mut plans) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let event = crowd.pod(pods / 2, round % 2 == 1);
        let (took, taken_in) = timed(|| crowd.manager.handle(event, crowd.now));
        taken_in.expect("a pod can be understood");
        events.push(took);
        crowd.now = api::time::after(crowd.now, api::Duration::from_secs(1));
        let (took, planned) = timed(|| crowd.manager.next_plan(crowd.now));
        let planned = planned.expect("the Job is due");
        let commands = planned.plan.batches.concat();
        assert_eq!(commands.len(), 1, "the number of ready pods is written: {planned:?}");
        plans.push(took);
        crowd.carry_out(planned.id, &commands);
        crowd.settle();
    }
    Cost { event: median(events), plan: median(plans) }
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}

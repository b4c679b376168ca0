//! What it costs that a few pods of many change: to handle the events, and to plan the Job again.
//!
//! Docs: rules J-04: a Job is planned once for all events of a second. Taking in is to be constant, planning at most linear.

use std::time::Duration;

use contract::{Event, Manager};
use core_tests::native::Native;

use crate::crowd::Crowd;
use crate::loaded::guest;
use crate::table::{Row, medians, rendered, timed};

/// How many pods the Job has.
const SIZES: [usize; 5] = [10, 1_000, 10_000, 100_000, 200_000];
/// How much longer the component may take.
const MOST_TIMES: f64 = 1.6;
/// How many plans are made for one figure.
const ROUNDS: usize = 21;
/// How many pods change before each plan. The first event after a plan finds the processor's caches full of what the plan read.
const EVENTS: usize = 10;
/// How much longer an event may take with more pods.
const CONSTANT: f64 = 1.5;
/// How much more than N times as long a plan may take for N times the pods.
const LINEAR: f64 = 1.1;
/// From here on a plan has a goal: with fewer pods the processor's caches hold most of them.
const BEYOND_CACHES: usize = 10_000;

/// The middle of several rounds.
struct Cost {
    events: Duration,
    plan: Duration,
}

/// All figures, those of growth last.
pub(crate) fn rows() -> Vec<Row> {
    let (mut rows, mut native, mut component) = (Vec::new(), Vec::new(), Vec::new());
    for pods in SIZES {
        let [here, there] = costs(pods);
        rows.push(Row::plain(format!("{EVENTS} of {pods} pods change: plan, natively"), rendered(here.plan)));
        rows.push(Row::plain(format!("{EVENTS} of {pods} pods change: plan, component"), rendered(there.plan)));
        rows.push(Row::at_most(
            format!("{EVENTS} of {pods} pods change: events and plan, component : native"),
            ratio(there.events + there.plan, here.events + here.plan),
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
        rows.push(Row::at_most(format!("growth of taking in an event {between}"), ratio(costs[1].events, costs[0].events), CONSTANT));
        let (what, times) = (format!("growth of a plan {between}"), ratio(costs[1].plan, costs[0].plan));
        rows.push(if sizes[0] < BEYOND_CACHES {
            Row::plain(what, format!("{times:.2}×"))
        } else {
            Row::at_most(what, times, more * LINEAR)
        });
    }
    rows
}

/// What it costs natively and in the component.
fn costs(pods: usize) -> [Cost; 2] {
    let (mut native, mut component) = (Crowd::new(Native::default(), pods), Crowd::new(guest(), pods));
    // In turns, so that whatever else this machine does slows both down alike.
    let rounds: Vec<[Duration; 4]> = (0..ROUNDS)
        .map(|round| {
            let ready = round % 2 == 1;
            let ([events, plan], [events_there, plan_there]) = (change(&mut native, pods, ready), change(&mut component, pods, ready));
            [events, plan, events_there, plan_there]
        })
        .collect();
    let [events, plan, events_there, plan_there] = medians(&rounds);
    [Cost { events, plan }, Cost { events: events_there, plan: plan_there }]
}

/// How long the events take that pods all over the Job changed, and the plan that follows.
fn change<M: Manager>(crowd: &mut Crowd<M>, pods: usize, ready: bool) -> [Duration; 2] {
    let changes: Vec<Event> = (0..EVENTS).map(|place| crowd.pod(place * (pods / EVENTS), ready)).collect();
    let (events, ()) =
        timed(|| changes.into_iter().for_each(|change| crowd.manager.handle(change, crowd.now).expect("a pod can be understood")));
    crowd.now = api::time::after(crowd.now, api::Duration::from_secs(1));
    let (plan, planned) = timed(|| crowd.manager.next_plan(crowd.now));
    let planned = planned.expect("the Job is due");
    let commands = planned.batches.concat();
    assert_eq!(commands.len(), 1, "the number of ready pods is written: {planned:?}");
    crowd.carry_out(planned.id, &commands);
    crowd.settle();
    [events, plan]
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}

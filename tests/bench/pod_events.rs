//! What it costs to handle a change of a pod: above all, to read its JSON.
//!
//! Docs: `crates/api/src/json/`. For comparison the same text is read into a tree of values.

use std::hint::black_box;
use std::time::Duration;

use contract::{Change, Event, Manager};
use core_tests::native::Native;
use serde_json::Value;

use crate::crowd::Crowd;
use crate::loaded::guest;
use crate::table::{Row, medians, rendered, timed};

const EVENTS: usize = 2000;
const PODS: usize = 1000;
const ROUNDS: usize = 15;

/// All figures.
pub(crate) fn rows() -> Vec<Row> {
    let (mut native, mut component) = (Crowd::new(Native::default(), PODS), Crowd::new(guest(), PODS));
    let length = text(&native.pod(0, true)).len();
    // In turns, so that whatever else this machine does slows all of them down alike.
    let rounds: Vec<[Duration; 3]> =
        (0..ROUNDS).map(|_| [reading(&mut native), taking_in(&mut native), taking_in(&mut component)]).collect();
    let [tree, native, component] = medians(&rounds);
    vec![
        Row::plain(format!("a pod's change of {length} bytes: serde_json::from_str::<Value> alone"), rendered(tree)),
        Row::plain("a pod's change: event, natively", rendered(native)),
        Row::plain("a pod's change: event, component", rendered(component)),
        Row::at_most("a pod's change: component : native", component.as_secs_f64() / native.as_secs_f64(), 2.0),
    ]
}

fn events<M: Manager>(crowd: &mut Crowd<M>) -> Vec<Event> {
    (0..EVENTS).map(|place| crowd.pod(place % PODS, true)).collect()
}

fn taking_in<M: Manager>(crowd: &mut Crowd<M>) -> Duration {
    let events = events(crowd);
    let (took, ()) =
        timed(|| events.into_iter().for_each(|event| crowd.manager.handle(event, crowd.now).expect("a pod can be understood")));
    crowd.settle();
    took / EVENTS as u32
}

fn reading<M: Manager>(crowd: &mut Crowd<M>) -> Duration {
    let events = events(crowd);
    let (took, ()) = timed(|| events.iter().for_each(|event| _ = black_box(serde_json::from_str::<Value>(text(event)))));
    took / EVENTS as u32
}

fn text(event: &Event) -> &str {
    match event {
        Event::Changed(Change::Applied(object) | Change::Deleted(object)) => &object.json,
        Event::Listed(_) | Event::Finished(_) => "",
    }
}

//! The component against the same controllers without a wall, on the same calls: those of random histories.
//!
//! Docs: `crates/component/wit/controllers.wit`. That both answer alike is a test, `tests/host/component.rs`.

use std::time::Duration;

use api::{Text, Timestamp};
use contract::{ApiResource, Event, Explanation, Malformed, Manager, ObjectRef, Plan, Wakeup};
use core_tests::history::history;
use core_tests::native::Native;
use core_tests::summary::grouped;
use protocol::Session;

use crate::loaded::guest;
use crate::table::{Row, medians, rendered, timed};

const HISTORIES: u64 = 200;
const ROUNDS: usize = 15;

/// All figures.
pub(crate) fn rows() -> Vec<Row> {
    let mut recorder = Recorder::default();
    let mut session = Session::new(&mut recorder);
    (0..HISTORIES).flat_map(history).for_each(|operation| _ = session.serve(&operation.to_string()));
    let calls = recorder.calls;
    let (mut native, mut component) = (Native::default(), guest());
    // In turns, so that whatever else this machine does slows both down alike.
    let rounds: Vec<[Duration; 2]> = (0..ROUNDS).map(|_| [replay(&mut native, &calls), replay(&mut component, &calls)]).collect();
    let [native, component] = medians(&rounds);
    let what = format!("the {} calls of {HISTORIES} random histories", grouped(calls.len() as u64));
    vec![
        Row::plain(format!("{what}, natively"), rendered(native)),
        Row::plain(format!("{what}, component"), rendered(component)),
        Row::at_most(format!("{what}, component : native"), component.as_secs_f64() / native.as_secs_f64(), 2.2),
    ]
}

fn replay(manager: &mut impl Manager, calls: &[Call]) -> Duration {
    let calls = calls.to_vec();
    timed(|| calls.into_iter().for_each(|call| call.to(manager))).0
}

/// A call of a manager.
#[derive(Clone)]
enum Call {
    Handle(Event, Timestamp),
    NextPlan(Timestamp),
    NextWakeup,
    Restart,
}

impl Call {
    fn to(self, manager: &mut impl Manager) {
        match self {
            Self::Handle(event, now) => drop(manager.handle(event, now)),
            Self::NextPlan(now) => drop(manager.next_plan(now)),
            Self::NextWakeup => drop(manager.next_wakeup()),
            Self::Restart => manager.restart(),
        }
    }
}

/// A manager that writes down how it was called.
#[derive(Default)]
struct Recorder {
    manager: Native,
    calls: Vec<Call>,
}

impl Manager for &mut Recorder {
    fn resources(&mut self) -> Vec<ApiResource> {
        self.manager.resources()
    }

    fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), Malformed> {
        self.calls.push(Call::Handle(event.clone(), now));
        self.manager.handle(event, now)
    }

    fn next_plan(&mut self, now: Timestamp) -> Option<Plan> {
        self.calls.push(Call::NextPlan(now));
        self.manager.next_plan(now)
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        self.calls.push(Call::NextWakeup);
        self.manager.next_wakeup()
    }

    fn explain(&mut self, object: &ObjectRef, warnings: &[Text], now: Timestamp) -> Result<Explanation, String> {
        self.manager.explain(object, warnings, now)
    }

    fn restart(&mut self) {
        self.calls.push(Call::Restart);
        self.manager.restart();
    }
}

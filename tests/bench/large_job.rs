//! A large Job from its start to its end, on virtual time and with the component.
//!
//! Docs: `jobsmith simulate`; `play::Play`.

use std::time::Duration;

use api::job::conditions;
use host_embed::Guest;
use play::Play;
use script::Script;

use crate::loaded::guest;
use crate::table::{Row, rendered, timed};

const COMPLETIONS: u64 = 100_000;
const PARALLELISM: u64 = 1_000;
/// How long it may take.
const MOST: Duration = Duration::from_secs(8);

/// The figures.
pub(crate) fn rows() -> Vec<Row> {
    let [tenth, whole] = [COMPLETIONS / 10, COMPLETIONS].map(|completions| {
        let component = guest();
        timed(|| complete(component, completions)).0
    });
    let what = |completions: u64| format!("a Job with {completions} completions, {PARALLELISM} at a time: from start to end");
    vec![
        Row::plain(what(COMPLETIONS / 10), rendered(tenth)),
        Row { what: what(COMPLETIONS), figure: rendered(whole), goal: format!("≤ {} s", MOST.as_secs()), met: whole <= MOST },
        Row::at_most("the second : the first".to_owned(), whole.as_secs_f64() / tenth.as_secs_f64(), 11.0),
    ]
}

fn complete(component: Guest, completions: u64) {
    let job = serde_json::json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "large"}, "spec": {
        "completions": completions, "parallelism": PARALLELISM,
        "template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "large"}]}}}});
    let start = play::start();
    let play = Play::new(component, &Script::default(), &[job.to_string().into()], start);
    let mut play = play.unwrap_or_else(|unplayable| panic!("the Job is refused: {unplayable}"));
    while play.next_moment(api::Timestamp::MAX).is_some() {}
    let job = play.jobs().next().expect("the Job is there");
    assert!(job.condition(conditions::COMPLETE).is_some(), "{:?}", job.status);
}

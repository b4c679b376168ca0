//! A large Job from its start to its end, on virtual time and with the component.
//!
//! Docs: `jobsmith simulate`; `play::Play`.

use std::time::Duration;

use api::job::conditions;
use play::Play;
use play::script::Script;

use crate::built::guest;
use crate::table::{Row, rendered, timed};

const COMPLETIONS: u64 = 100_000;
const PARALLELISM: u64 = 1_000;
/// How long it may take.
const MOST: Duration = Duration::from_secs(60);

/// The figure.
pub(crate) fn rows() -> Vec<Row> {
    let (took, ()) = timed(complete);
    let what = format!("a Job with {COMPLETIONS} completions, {PARALLELISM} at a time: from start to end");
    vec![Row { what, figure: rendered(took), goal: format!("≤ {} s", MOST.as_secs()), met: took <= MOST }]
}

fn complete() {
    let job = serde_json::json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "large"}, "spec": {
        "completions": COMPLETIONS, "parallelism": PARALLELISM,
        "template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "large"}]}}}});
    let start = play::start();
    let play = Play::new(guest(), &Script::default(), &[job.to_string().into()], start);
    let mut play = play.unwrap_or_else(|unplayable| panic!("the Job is refused: {unplayable}"));
    while play.next_moment(api::Timestamp::MAX).is_some() {}
    let job = play.jobs().next().expect("the Job is there");
    assert!(job.condition(conditions::COMPLETE).is_some(), "{:?}", job.status);
}

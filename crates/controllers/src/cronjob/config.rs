//! How the CronJob controller is set up.
//!
//! Docs: `crates/component/wit/controllers.wit`, `configure`.

use api::{Duration, Text, duration};
use schedule::Zone;
use serde::Deserialize;

use crate::runtime::workqueue::BackOff;

/// The configuration's section of the CronJob controller. As JSON, durations are texts as Go writes them: `5ms`, `16m40s`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Config {
    /// The IANA name of the time zone of schedules without one (C-20).
    pub time_zone: Text,
    /// The first delay after a refused request; it doubles with each further one (C-07).
    #[serde(deserialize_with = "duration::deserialize")]
    pub api_back_off: Duration,
    /// The longest delay after refused requests (C-07).
    #[serde(deserialize_with = "duration::deserialize")]
    pub api_back_off_max: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self { time_zone: "UTC".into(), api_back_off: Duration::from_millis(5), api_back_off_max: Duration::from_secs(1000) }
    }
}

impl Config {
    /// What is wrong with it, and where.
    pub(crate) fn check(&self) -> Result<(), String> {
        let unknown = || format!("timeZone: unknown time zone {:?}: write an IANA name such as \"Europe/Paris\"", self.time_zone);
        self.zone().map(|_| ()).ok_or_else(unknown)
    }

    /// The time zone of schedules without one, if it is known.
    pub(crate) fn zone(&self) -> Option<Zone> {
        Zone::named(&self.time_zone)
    }

    /// How long a CronJob waits after refused requests (C-07).
    pub(crate) fn api_back_off(&self) -> BackOff {
        BackOff { first: self.api_back_off, longest: self.api_back_off_max }
    }
}

//! How the CronJob controller is set up.
//!
//! Docs: `crates/component/wit/controllers.wit`, `configure`.

use api::back_off::BackOff;
use api::json::Read;
use api::meta::names;
use api::{Duration, Text};
use schedule::Zone;

/// The configuration's section of the CronJob controller. As JSON, durations are texts as Go writes them: `5ms`, `16m40s`.
#[derive(Debug, Clone, PartialEq, Eq, Read)]
#[read(strict)]
pub struct Config {
    /// The name that CronJobs have in the annotation `jobsmith.dev/managed-by` if the controller acts for them; under the built-in name it acts
    /// for all of them.
    pub name: Text,
    /// The IANA name of the time zone of schedules without one (C-20).
    pub time_zone: Text,
    /// The first delay after a refused request; it doubles with each further one (C-07).
    pub api_back_off: Duration,
    /// The longest delay after refused requests (C-07).
    pub api_back_off_max: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            name: names::BUILT_IN_CONTROLLER.into(),
            time_zone: "UTC".into(),
            api_back_off: Duration::from_millis(5),
            api_back_off_max: Duration::from_secs(1000),
        }
    }
}

impl Config {
    /// What is wrong with it, and where.
    pub(crate) fn check(&self) -> Result<(), String> {
        let unknown = || format!("timeZone: unknown time zone {:?}: write an IANA name such as \"Europe/Paris\"", self.time_zone);
        self.zone().map(|_| ()).ok_or_else(unknown)
    }

    /// Whether it stands in the place of the built-in controller.
    pub(crate) fn built_in(&self) -> bool {
        &*self.name == names::BUILT_IN_CONTROLLER
    }

    /// What Events name as their source: upstream's name for the built-in controller, otherwise the controller's own.
    pub(crate) fn reporting_controller(&self) -> Text {
        if self.built_in() { "cronjob-controller".into() } else { self.name.clone() }
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

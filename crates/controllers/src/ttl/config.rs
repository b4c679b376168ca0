//! How the TTL-after-finished controller is set up.
//!
//! Docs: `crates/component/wit/controllers.wit`, `configure`.

use api::Duration;
use api::back_off::BackOff;
use api::json::Read;

/// The configuration's section of the TTL-after-finished controller. As JSON, durations are texts as Go writes them: `5ms`, `16m40s`.
#[derive(Debug, Clone, PartialEq, Eq, Read)]
#[read(strict)]
pub struct Config {
    /// How long a finished Job is kept that has no TTL and no controller; forever if it is not set.
    pub default_ttl: Option<Duration>,
    /// The first delay after a refused request; it doubles with each further one (T-09).
    pub api_back_off: Duration,
    /// The longest delay after refused requests (T-09).
    pub api_back_off_max: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self { default_ttl: None, api_back_off: Duration::from_millis(5), api_back_off_max: Duration::from_secs(1000) }
    }
}

impl Config {
    /// How long a Job waits after refused requests (T-09).
    pub(crate) fn api_back_off(&self) -> BackOff {
        BackOff { first: self.api_back_off, longest: self.api_back_off_max }
    }
}

//! Schedules: five fields, a descriptor such as `@daily`, or `@every` with a length of time; each with or without a time zone before it.
//!
//! Docs: CronJob, "Schedule syntax" (C-50…C-58). The grammar of fields is in `fields.rs`, the search for the next time in `search.rs`.

use crate::fields::Fields;
use crate::zone::Zone;
use crate::{Duration, Timestamp, every, search};

/// Descriptors, and the fields that they stand for (C-56).
const DESCRIPTORS: [(&str, &str); 7] = [
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
    ("@monthly", "0 0 1 * *"),
    ("@weekly", "0 0 * * 0"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@hourly", "0 * * * *"),
];

/// When something is to be done, again and again.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    zone: Zone,
    times: Times,
}

#[derive(Debug, Clone, PartialEq)]
enum Times {
    Fields(Fields),
    Every(Duration),
}

impl Schedule {
    /// Reads a schedule, which is in `zone` unless it begins with `TZ=` or `CRON_TZ=`.
    ///
    /// # Errors
    /// What is wrong, in upstream's words (C-50, C-58).
    pub fn parse(text: &str, zone: &Zone) -> Result<Self, String> {
        if text.is_empty() {
            return Err("empty spec string".to_owned());
        }
        let Some(named) = text.strip_prefix("TZ=").or_else(|| text.strip_prefix("CRON_TZ=")) else {
            return Ok(Self { zone: zone.clone(), times: Times::read(text)? });
        };
        let Some((name, text)) = named.split_once(' ') else {
            return Err("invalid schedule format: runtime error: slice bounds out of range [:-1]".to_owned());
        };
        let zone = located(name, zone).map_err(|cause| format!("provided bad location {name}: {cause}"))?;
        Ok(Self { zone, times: Times::read(text.trim())? })
    }

    /// The first time strictly later than `after`; `None` if there is none in that year and the next five (C-60…C-65).
    #[must_use]
    pub fn next(&self, after: Timestamp) -> Option<Timestamp> {
        // The library rounds towards 1970.
        let second = after.as_second() - i64::from(after.subsec_nanosecond() < 0);
        let next = match &self.times {
            Times::Fields(fields) => search::first(fields, &self.zone, second + 1)?,
            Times::Every(delay) => second + delay.as_secs(),
        };
        Timestamp::from_second(next).ok()
    }

    /// The zone that its fields are in.
    #[must_use]
    pub fn zone(&self) -> &Zone {
        &self.zone
    }

    /// The delay of `@every`; `None` for other schedules.
    #[must_use]
    pub fn every(&self) -> Option<Duration> {
        match self.times {
            Times::Every(delay) => Some(delay),
            Times::Fields(_) => None,
        }
    }
}

/// The zone of a name as Go's `time.LoadLocation` finds it; `local` is the one of the process.
fn located(name: &str, local: &Zone) -> Result<Zone, String> {
    match name {
        "" => Ok(Zone::utc()),
        "Local" => Ok(local.clone()),
        _ if name.contains("..") || name.starts_with(['/', '\\']) => Err("time: invalid location name".to_owned()),
        _ => Zone::named(name).ok_or_else(|| format!("unknown time zone {name}")),
    }
}

impl Times {
    fn read(text: &str) -> Result<Self, String> {
        if !text.starts_with('@') {
            return Fields::read(text).map(Self::Fields);
        }
        if let Some((_, fields)) = DESCRIPTORS.iter().find(|(name, _)| *name == text) {
            return Fields::read(fields).map(Self::Fields);
        }
        let Some(length) = text.strip_prefix("@every ") else { return Err(format!("unrecognized descriptor: {text}")) };
        every::delay(length).map(Self::Every).map_err(|error| format!("failed to parse duration {text}: {error}"))
    }
}

//! Points in time and lengths of time, as Kubernetes writes them.
//!
//! Docs: API conventions, "Primitive types". Stored times have whole seconds (J-52); what is computed between two writes keeps its fraction.

/// A point in time, to the nanosecond.
pub type Timestamp = jiff::Timestamp;

/// A length of time; it may be negative.
pub type Duration = jiff::SignedDuration;

/// `start + length`, at the latest the last time that can be told.
#[must_use]
pub fn after(start: Timestamp, length: Duration) -> Timestamp {
    start.saturating_add(length).unwrap_or(if length.is_negative() { Timestamp::MIN } else { Timestamp::MAX })
}

/// The same time without its fraction of a second, as the API stores it.
#[must_use]
pub fn whole_seconds(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_nanosecond().div_euclid(1_000_000_000).try_into().unwrap_or(i64::MAX)).unwrap_or(time)
}

/// Serde for an optional time in whole seconds, as `metav1.Time` is written: absent and `null` are the same.
pub mod seconds {
    use serde::{Deserialize as _, Deserializer, Serializer};

    use super::Timestamp;

    /// Writes the time in RFC 3339, cut to seconds.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(time: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => serializer.collect_str(&super::whole_seconds(*time)),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a time in RFC 3339.
    ///
    /// # Errors
    /// If the text is no such time.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
        let Some(text) = Option::<std::borrow::Cow<'de, str>>::deserialize(deserializer)? else { return Ok(None) };
        text.parse().map(Some).map_err(|error| serde::de::Error::custom(format_args!("{text:?} is no time as RFC 3339 writes it: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_cut_towards_the_past() {
        let time: Timestamp = "2026-01-02T03:04:05.9Z".parse().unwrap();
        assert_eq!(whole_seconds(time).to_string(), "2026-01-02T03:04:05Z");
        let early: Timestamp = "1969-12-31T23:59:58.9Z".parse().unwrap();
        assert_eq!(whole_seconds(early).to_string(), "1969-12-31T23:59:58Z");
    }

    #[test]
    fn what_lies_beyond_all_times_is_the_last_time() {
        assert_eq!(after(Timestamp::UNIX_EPOCH, Duration::MAX), Timestamp::MAX);
    }
}

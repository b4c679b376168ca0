//! Defaults of annotations: what all Jobs ask for that do not have the annotation themselves.
//!
//! Docs: README, "Beyond Kubernetes". They are configured: `crates/component/wit/controllers.wit`.

use std::borrow::Cow;

use crate::meta::Labels;
use crate::{Job, ObjectMeta, Text};

use super::{ATTEMPT_ENV, HOLD, ON_FAILURE, ON_PENDING, RETRY_DELAY, RETRY_JITTER, RETRY_WITHIN, START_RATE};

/// The annotations that can have a default (X-6…X-13). One without a value is as good as none.
const KEYS: [&str; 8] = [ON_FAILURE, ON_PENDING, RETRY_DELAY, RETRY_JITTER, RETRY_WITHIN, ATTEMPT_ENV, START_RATE, HOLD];

/// Checks defaults.
///
/// # Errors
/// The first one that no annotation has, or whose value means nothing.
pub fn check_defaults(defaults: &Labels) -> Result<(), String> {
    for (key, value) in defaults {
        if !KEYS.contains(&&**key) {
            return Err(format!("{key:?} cannot have a default; choose from {}", KEYS.join(", ")));
        }
        let annotations = [(key.clone(), value.clone())].into_iter().filter(|(_, value)| !value.is_empty()).collect();
        let job = Job { metadata: ObjectMeta { annotations, ..ObjectMeta::default() }, ..Job::default() };
        job.extensions().map_err(|invalid| invalid.to_string())?;
    }
    Ok(())
}

/// The annotations of an object over defaults; one that is empty has neither.
pub(super) fn over_defaults<'a>(metadata: &'a ObjectMeta, defaults: &Labels) -> Cow<'a, ObjectMeta> {
    let opts_out = |(key, value): (&Text, &Text)| value.is_empty() && KEYS.contains(&&**key);
    if defaults.is_empty() && !metadata.annotations.iter().any(opts_out) {
        return Cow::Borrowed(metadata);
    }
    let mut annotations = Labels::new();
    for (key, value) in defaults.iter().chain(&metadata.annotations) {
        match opts_out((key, value)) {
            true => _ = annotations.remove(key),
            false => _ = annotations.insert(key.clone(), value.clone()),
        }
    }
    Cow::Owned(ObjectMeta { annotations, ..ObjectMeta::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn annotations(annotations: &[(&str, &str)]) -> Labels {
        annotations.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect()
    }

    #[test]
    fn a_job_has_defaults_unless_it_has_the_annotation() {
        let extensions = |own: &[(&str, &str)], defaults: &[(&str, &str)]| {
            let mut job = Job::default();
            job.metadata.annotations = annotations(own);
            job.extensions_over(&annotations(defaults)).unwrap()
        };
        let both = [(RETRY_JITTER, "20%"), (RETRY_WITHIN, "2h")];
        assert_eq!(extensions(&[], &both), extensions(&both, &[]));
        assert_eq!(extensions(&[(RETRY_JITTER, "30%")], &both), extensions(&[(RETRY_JITTER, "30%"), (RETRY_WITHIN, "2h")], &[]));
        assert_eq!(extensions(&[(RETRY_JITTER, ""), (HOLD, "")], &both), extensions(&[(RETRY_WITHIN, "2h")], &[]));
        assert_eq!(extensions(&[("example.com/a", ""), (HOLD, "")], &[]), extensions(&[], &[]));
        assert_eq!(extensions(&[], &[(RETRY_JITTER, "")]), extensions(&[], &[]));
    }

    #[test]
    fn defaults_that_mean_nothing_are_refused() {
        let check = |key: &str, value: &str| check_defaults(&annotations(&[(key, value)]));
        for key in KEYS {
            assert!(check(key, "").is_ok() && check(key, "?").is_err(), "{key}");
        }
        assert_eq!(check(RETRY_DELAY, "30s"), Ok(()));
        let wrong = "annotation jobsmith.dev/retry-delay, line 1, column 1: `30` has no unit; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`";
        assert_eq!(check(RETRY_DELAY, "30"), Err(wrong.to_owned()));
        let unknown = check("jobsmith.dev/retries", "3").unwrap_err();
        assert!(unknown.starts_with("\"jobsmith.dev/retries\" cannot have a default; choose from jobsmith.dev/on-failure, "), "{unknown}");
    }
}

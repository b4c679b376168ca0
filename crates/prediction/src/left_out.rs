//! What predictions leave out: what annotations ask of jobsmith's controllers, other than `skip-during` and TTLs.
//!
//! Docs: README, "Beyond Kubernetes" (X-6… …X-20). Predictions are those of Kubernetes' own rules; that something changes them is said.

use api::annotation::{
    DELAY_DURING, HOLD, MAX_ACTIVE, ON_FAILURE, ON_PENDING, PAUSE_AFTER_FAILURES, RETRY_DELAY, RETRY_JITTER, RETRY_WITHIN, START_RATE,
};
use api::listed;
use api::meta::Labels;

/// The annotations that change what happens, and are not predicted.
const LEFT_OUT: [&str; 10] =
    [ON_FAILURE, ON_PENDING, RETRY_DELAY, RETRY_JITTER, RETRY_WITHIN, START_RATE, HOLD, DELAY_DURING, MAX_ACTIVE, PAUSE_AFTER_FAILURES];

/// Those of an object that its prediction leaves out.
pub(crate) fn left_out(annotations: &Labels) -> Vec<&'static str> {
    LEFT_OUT.into_iter().filter(|key| annotations.contains_key(*key)).collect()
}

/// That they are left out.
pub(crate) fn words(keys: &[&str]) -> String {
    let ask = if keys.len() == 1 { "asks" } else { "ask" };
    format!("what {} {ask} for is left out here; a simulation shows it", listed(keys, "and"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_named() {
        let annotations = [(RETRY_DELAY, "30s"), (ON_FAILURE, "any: retry"), ("jobsmith.dev/ignore", "x: y")];
        let annotations = annotations.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        let keys = left_out(&annotations);
        assert_eq!(
            words(&keys),
            "what jobsmith.dev/on-failure and jobsmith.dev/retry-delay ask for is left out here; a simulation shows it"
        );
        assert_eq!(words(&keys[..1]), "what jobsmith.dev/on-failure asks for is left out here; a simulation shows it");
        assert_eq!(left_out(&Labels::new()), [""; 0]);
    }
}

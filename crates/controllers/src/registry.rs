//! All controllers: the one list that names them.
//!
//! Docs: Kubernetes Components, `kube-controller-manager`. What each of them brings along is in `runtime/controller.rs`.

use std::sync::Arc;

use contract::DecisionKind;

use crate::config::Config;
use crate::runtime::Run;
use crate::runtime::decision::{Kinds, RuntimeDecision};
use crate::{cronjob, job, ttl};

/// A controller that there is.
pub(crate) struct Registration {
    /// Its name in the configuration.
    pub(crate) name: &'static str,
    /// Makes its workers.
    pub(crate) workers: fn(&Config) -> Vec<Box<dyn Run>>,
    decision_kinds: fn() -> &'static Kinds,
}

/// All controllers.
pub(crate) const CONTROLLERS: [Registration; 3] = [
    Registration { name: "job", workers: |config| job::workers(&config.job, config.memory), decision_kinds: job::decision_kinds },
    Registration { name: "cronjob", workers: |config| cronjob::workers(&config.cronjob), decision_kinds: cronjob::decision_kinds },
    Registration { name: "ttl", workers: |config| ttl::workers(&config.ttl), decision_kinds: ttl::decision_kinds },
];

/// The names of all controllers.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    CONTROLLERS.iter().map(|controller| controller.name)
}

/// The kinds of all decisions, by code.
pub fn decision_kinds() -> Vec<Arc<DecisionKind>> {
    let all = CONTROLLERS.iter().map(|controller| (controller.decision_kinds)()).chain([RuntimeDecision::all()]);
    let mut kinds = Kinds::new();
    kinds.extend(all.flatten().map(|(code, kind)| (*code, Arc::clone(kind))));
    kinds.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_decisions_share_a_code() {
        let each = CONTROLLERS.iter().map(|controller| (controller.decision_kinds)().len()).sum::<usize>() + RuntimeDecision::all().len();
        assert_eq!(decision_kinds().len(), each);
    }
}

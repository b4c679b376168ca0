//! Whose a pod is.
//!
//! Docs: Jobs, "Pod selector", "Specifying your own Pod selector" (J-60…J-66).

use api::Text;
use strum::{EnumIter, IntoStaticStr};

use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// Which pods a Job takes and lets go.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum Ownership {
    /// The Job is read once more before pods are adopted.
    ConfirmsJob {
        /// How many pods are to be adopted.
        pods: usize,
    },
    /// Pods are not adopted, because the Job that is stored is not the one that is known.
    AdoptionRefused {
        /// What is wrong with it.
        because: &'static str,
    },
    /// A pod without controller that the selector selects is adopted.
    Adopts {
        /// The pod.
        pod: Text,
    },
    /// A pod that the selector does not select any longer is let go.
    Releases {
        /// The pod.
        pod: Text,
    },
}

impl Topic for Ownership {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::ConfirmsJob { pods } => {
                words("Reading the Job again before adopting {pods:pod}: only a Job that still exists may adopt pods").with("pods", *pods)
            }
            Self::AdoptionRefused { because } => words("Not adopting pods for now: the Job {because}").with("because", *because),
            Self::Adopts { pod } => words("Adopting pod {pod}: the [selector] matches it and no controller owns it").pod(pod),
            Self::Releases { pod } => words("Releasing pod {pod}: the [selector] does not match it").pod(pod),
        }
    }

    fn source(&self) -> Source {
        const OWN_SELECTOR: &str = "Specifying your own Pod selector";
        const SELECTOR: &[&str] = &["spec.selector", "spec.manualSelector"];
        match self {
            Self::ConfirmsJob { .. } => Source::action(OWN_SELECTOR, "J-63", SELECTOR),
            Self::AdoptionRefused { .. } => Source::wait(OWN_SELECTOR, "J-63", SELECTOR),
            Self::Adopts { .. } => Source::action(OWN_SELECTOR, "J-63", SELECTOR),
            Self::Releases { .. } => Source::action("Pod selector", "J-62", &["spec.selector"]),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}

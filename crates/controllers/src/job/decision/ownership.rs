//! Whose a pod is.
//!
//! Docs: Jobs, "Pod selector", "Specifying your own Pod selector" (J-60…J-66).

use api::Text;
use serde::Serialize;
use strum::{EnumIter, IntoStaticStr};

use super::{Source, Topic, count};

/// Which pods a Job takes and lets go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, IntoStaticStr, EnumIter)]
#[serde(rename_all_fields = "camelCase")]
pub enum Ownership {
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

    fn sentence(&self) -> String {
        match self {
            Self::ConfirmsJob { pods } => {
                format!("Reads the Job once more before it adopts {}: only a Job that is still there may adopt", count(*pods, "pod"))
            }
            Self::AdoptionRefused { because } => format!("Adopts no pods and tries again later: the Job {because}"),
            Self::Adopts { pod } => format!("Adopts pod {pod}: the selector selects it and no controller owns it"),
            Self::Releases { pod } => format!("Lets pod {pod} go: the selector does not select it"),
        }
    }

    fn source(&self) -> Source {
        const OWN_SELECTOR: &str = "Specifying your own Pod selector";
        const SELECTOR: &[&str] = &["spec.selector", "spec.manualSelector"];
        match self {
            Self::ConfirmsJob { .. } => Source::new(true, OWN_SELECTOR, "J-63", SELECTOR),
            Self::AdoptionRefused { .. } => Source::new(false, OWN_SELECTOR, "J-63", SELECTOR),
            Self::Adopts { .. } => Source::new(true, OWN_SELECTOR, "J-63", SELECTOR),
            Self::Releases { .. } => Source::new(true, "Pod selector", "J-62", &["spec.selector"]),
        }
    }
}

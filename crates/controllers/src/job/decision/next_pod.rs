//! What the next pods have that their template does not say.
//!
//! Docs: README, "Beyond Kubernetes". How many pods are created is in `pod_control.rs`.

use api::Text;
use api::annotation::ON_FAILURE;
use strum::{EnumIter, IntoStaticStr};

use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// What rules on failed pods have changed.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum NextPod {
    /// A container has more of a resource.
    GrowsContainer {
        /// The index of the pod, if it has one.
        index: Option<u32>,
        /// The container.
        container: Text,
        /// The number of the attempt, from 1.
        attempt: u32,
        /// The resource.
        resource: &'static str,
        /// What it has in the template.
        from: Text,
        /// What it has.
        to: Text,
        /// Both in bytes, or in thousandths of a CPU.
        amounts: [i64; 2],
    },
    /// It rather does not run on nodes on which others failed.
    AvoidsNodes {
        /// The index of the pod, if it has one.
        index: Option<u32>,
        /// The nodes.
        nodes: String,
    },
    /// It runs on nodes with labels.
    SelectsNodes {
        /// The index of the pod, if it has one.
        index: Option<u32>,
        /// The labels.
        labels: String,
    },
}

impl Topic for NextPod {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::GrowsContainer { index, container, attempt, resource, from, to, amounts: [from_amount, to_amount] } => {
                words("Container {container} of the next pod< of index {index}> has {to} of {resource} instead of {from}, as the annotation {annotation} asks")
                    .with("index", *index)
                    .with("container", &**container)
                    .with("attempt", *attempt)
                    .with("resource", *resource)
                    .with("from", &**from)
                    .with("to", &**to)
                    .with("fromAmount", *from_amount)
                    .with("toAmount", *to_amount)
            }
            Self::AvoidsNodes { index, nodes } => {
                words("The next pod< of index {index}> prefers nodes other than {nodes}, as the annotation {annotation} asks")
                    .with("index", *index)
                    .with("nodes", nodes.as_str())
            }
            Self::SelectsNodes { index, labels } => {
                words("The next pod< of index {index}> runs on nodes with {labels}, as the annotation {annotation} asks")
                    .with("index", *index)
                    .with("labels", labels.as_str())
            }
        }
        .with("annotation", ON_FAILURE)
    }

    fn source(&self) -> Source {
        Source::action("Handling Pod and container failures", "X-6", &["metadata.annotations"])
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}

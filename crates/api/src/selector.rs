//! Label selectors: which objects they select.
//!
//! Docs: Labels and Selectors, "Resources that support set-based requirements". Their validation is in `admission::validation`.

use serde::Serialize;

use crate::Text;
use crate::json::Read;
use crate::meta::Labels;

/// A label selector; an empty one selects everything.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Read, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LabelSelector {
    /// Labels that must have these values.
    #[serde(skip_serializing_if = "Labels::is_empty")]
    pub match_labels: Labels,
    /// Further requirements; all must hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub match_expressions: Vec<Requirement>,
}

/// One requirement on one label.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Read, Serialize)]
pub struct Requirement {
    /// The label.
    pub key: Text,
    /// `In`, `NotIn`, `Exists` or `DoesNotExist`.
    pub operator: Text,
    /// The values, for `In` and `NotIn`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Text>,
}

impl LabelSelector {
    /// Whether the selector selects an object with these labels. An operator that does not exist selects nothing.
    #[must_use]
    pub fn matches(&self, labels: &Labels) -> bool {
        self.match_labels.iter().all(|(key, value)| labels.get(key) == Some(value))
            && self.match_expressions.iter().all(|requirement| requirement.met(labels))
    }
}

impl Requirement {
    fn met(&self, labels: &Labels) -> bool {
        let value = labels.get(&self.key);
        match &*self.operator {
            "In" => value.is_some_and(|value| self.values.contains(value)),
            "NotIn" => value.is_none_or(|value| !self.values.contains(value)),
            "Exists" => value.is_some(),
            "DoesNotExist" => value.is_none(),
            _ => false,
        }
    }
}

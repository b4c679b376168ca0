//! Label selectors: which objects they select.
//!
//! Docs: Labels and Selectors, "Resources that support set-based requirements". Their validation is in `admission::validation`.

use serde::{Deserialize, Deserializer, Serialize};

use crate::Text;
use crate::json::{self, Fault, Read, Value};
use crate::meta::Labels;

/// A label selector; an empty one selects everything.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LabelSelector {
    /// Labels that must have these values.
    #[serde(skip_serializing_if = "Labels::is_empty")]
    pub match_labels: Labels,
    /// Further requirements; all must hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub match_expressions: Vec<Requirement>,
}

impl<'de> Deserialize<'de> for LabelSelector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::deserialize(deserializer)
    }
}

impl Read for LabelSelector {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "matchLabels" => value.read(&mut self.match_labels),
            "matchExpressions" => value.read(&mut self.match_expressions),
            _ => Ok(()),
        }
    }
}

/// One requirement on one label.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Requirement {
    /// The label.
    pub key: Text,
    /// `In`, `NotIn`, `Exists` or `DoesNotExist`.
    pub operator: Text,
    /// The values, for `In` and `NotIn`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Text>,
}

impl Read for Requirement {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "key" => value.read(&mut self.key),
            "operator" => value.read(&mut self.operator),
            "values" => value.read(&mut self.values),
            _ => Ok(()),
        }
    }
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

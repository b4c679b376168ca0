//! Metrics as the controllers count them, in the shape of Prometheus.
//!
//! Docs: Kubernetes Metrics Reference, `job_controller_*` (J-150…J-161). Rendering them as text is the host's business.

use serde::{Deserialize, Serialize};

/// All that is counted under one name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Family {
    /// The name, with its prefix and unit: `job_controller_job_syncs_total`.
    pub name: String,
    /// What is counted, in a sentence.
    pub help: String,
    /// One entry for each set of labels that has occurred, sorted by them.
    pub samples: Vec<Sample>,
}

/// What was counted under one set of labels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Names and values of the labels.
    pub labels: Vec<(String, String)>,
    /// What was counted.
    pub value: Measure,
}

/// A counted value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Measure {
    /// A number that never falls.
    Counter(u64),
    /// A number that rises and falls.
    Gauge(i64),
    /// How often values fell into ranges.
    Histogram(Histogram),
}

/// How often values fell into ranges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    /// Upper bounds of the ranges, ascending, and how many values were at most as large; the last range has no bound and holds `count`.
    pub buckets: Vec<(f64, u64)>,
    /// The sum of all values.
    pub sum: f64,
    /// How many values there were.
    pub count: u64,
}

//! Counters: what a controller counts, by metric and labels.
//!
//! Docs: Kubernetes Metrics Reference; Prometheus' data model. Which metrics there are is in each controller's folder.

use api::{Duration, Text};
use contract::metrics::{Family, Histogram, Measure, Sample};

/// A metric: its whole name, what it counts, its labels.
#[derive(Debug)]
pub(crate) struct Metric {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
    pub(crate) labels: &'static [&'static str],
    /// Upper bounds of the ranges of a histogram; none for a counter.
    pub(crate) buckets: &'static [Duration],
}

/// Upper bounds of a histogram's buckets: this many milliseconds, and each next one twice as long.
pub(crate) const fn doubling<const RANGES: usize>(first: i64) -> [Duration; RANGES] {
    let mut bounds = [Duration::ZERO; RANGES];
    let mut doublings = 0;
    while doublings < RANGES {
        bounds[doublings] = Duration::from_millis(first << doublings);
        doublings += 1;
    }
    bounds
}

/// All that was counted under some metrics.
#[derive(Debug)]
pub(crate) struct Counters {
    metrics: &'static [Metric],
    /// In order of metrics and of their labels' values.
    counts: Vec<Count>,
}

/// One count; only of durations there is more than a number.
#[derive(Debug, Default)]
struct Count {
    /// The place of the metric.
    metric: usize,
    /// The values of its labels.
    labels: Vec<Text>,
    number: u64,
    sum: Duration,
    /// How many were at most as long as each bound.
    buckets: Vec<u64>,
}

impl Counters {
    /// Nothing was counted under these metrics.
    pub(crate) fn new(metrics: &'static [Metric]) -> Self {
        Self { metrics, counts: Vec::new() }
    }

    /// Adds a number to a counter, unless it is 0: what never occurred has no sample.
    pub(crate) fn add(&mut self, metric: usize, labels: &[&str], number: u32) {
        if number > 0 {
            self.count(metric, labels).number += u64::from(number);
        }
    }

    /// Adds a duration to a histogram.
    pub(crate) fn observe(&mut self, metric: usize, labels: &[&str], took: Duration) {
        let bounds = self.metrics[metric].buckets;
        let count = self.count(metric, labels);
        count.number += 1;
        count.sum = count.sum.saturating_add(took);
        count.buckets.resize(bounds.len(), 0);
        for (number, bound) in count.buckets.iter_mut().zip(bounds) {
            *number += u64::from(took <= *bound);
        }
    }

    /// All of it, in the order of the metrics.
    pub(crate) fn families(&self) -> Vec<Family> {
        let family = |(at, metric): (usize, &Metric)| {
            let samples = self.counts.iter().filter(|count| count.metric == at).map(|count| Sample {
                labels: metric.labels.iter().zip(&count.labels).map(|(label, value)| ((*label).to_owned(), value.to_string())).collect(),
                value: count.measure(metric),
            });
            Family { name: metric.name.to_owned(), help: metric.help.to_owned(), samples: samples.collect() }
        };
        self.metrics.iter().enumerate().map(family).collect()
    }

    fn count(&mut self, metric: usize, labels: &[&str]) -> &mut Count {
        let values = |count: &Count| count.labels.iter().map(|value| &**value).cmp(labels.iter().copied());
        let found = self.counts.binary_search_by(|count| count.metric.cmp(&metric).then_with(|| values(count)));
        let at = found.unwrap_or_else(|at| {
            let labels = labels.iter().map(|&label| label.into()).collect();
            self.counts.insert(at, Count { metric, labels, ..Count::default() });
            at
        });
        &mut self.counts[at]
    }
}

impl Count {
    fn measure(&self, metric: &Metric) -> Measure {
        if metric.buckets.is_empty() {
            return Measure::Counter(self.number);
        }
        let buckets = metric.buckets.iter().map(Duration::as_secs_f64).zip(self.buckets.iter().copied()).collect();
        Measure::Histogram(Histogram { buckets, sum: self.sum.as_secs_f64(), count: self.number })
    }
}

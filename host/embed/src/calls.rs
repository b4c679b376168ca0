//! How often each function of the component was called, and how long that took.
//!
//! Docs: `crates/component/wit/controllers.wit`, "Calls". Who calls is `guest.rs`.

use std::time::Duration;

use contract::canonical::ExportedFunction;
use contract::metrics::{Family, Histogram, Measure, Sample};

/// The functions that are counted: all but those that are called once, when the component is loaded.
const COUNTED: [ExportedFunction; 7] = [
    ExportedFunction::Configure,
    ExportedFunction::Resources,
    ExportedFunction::Handle,
    ExportedFunction::NextPlan,
    ExportedFunction::NextWakeup,
    ExportedFunction::Explain,
    ExportedFunction::Metrics,
];

/// What was counted.
#[derive(Debug, Default)]
pub(crate) struct Calls([(u64, Duration); ExportedFunction::ALL.len()]);

impl Calls {
    /// A function was called.
    pub(crate) fn add(&mut self, function: ExportedFunction, took: Duration) {
        let (count, sum) = &mut self.0[function as usize];
        *count += 1;
        *sum += took;
    }

    pub(crate) fn family(&self) -> Family {
        let samples = COUNTED.map(|function| {
            let (count, sum) = self.0[function as usize];
            Sample {
                labels: vec![("function".to_owned(), function.name().to_owned())],
                value: Measure::Histogram(Histogram { buckets: Vec::new(), sum: sum.as_secs_f64(), count }),
            }
        });
        Family {
            name: "jobsmith_component_call_duration_seconds".to_owned(),
            help: "Calls of the component's functions, and how long they took".to_owned(),
            samples: samples.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn calls_are_counted_by_function() {
        let mut calls = Calls::default();
        calls.add(ExportedFunction::Handle, Duration::from_millis(2));
        calls.add(ExportedFunction::Handle, Duration::from_millis(3));
        let text = crate::metrics::text(&[calls.family()]);
        let handle: Vec<&str> = text.lines().filter(|line| line.contains("\"handle\"")).collect();
        expect![[r#"
            jobsmith_component_call_duration_seconds_bucket{function="handle",le="+Inf"} 2
            jobsmith_component_call_duration_seconds_sum{function="handle"} 0.005
            jobsmith_component_call_duration_seconds_count{function="handle"} 2"#]]
        .assert_eq(&handle.join("\n"));
        assert!(text.contains("function=\"next-wakeup\"") && text.contains("function=\"metrics\""));
    }
}

//! What the objects of a manifest will do, and advice about them, as the page shows it while the manifest is written.
//!
//! Docs: Jobs; CronJob. What is predicted is in `prediction`, advice in `advice`; what keeps a manifest from being played is in `check.rs`.

use api::Timestamp;
use check::CheckDepth;
use manifest::Diagnostic;
use prediction::Prediction;
use schedule::Zone;
use serde::Serialize;

use crate::diagnostic_view::{DiagnosticView, repaired};

/// What a manifest comes to.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Forecast"))]
pub(crate) struct ManifestForecast {
    /// In the order of the objects.
    objects: Vec<PredictionView>,
    /// What is accepted, and hardly does what is meant.
    advice: Vec<DiagnosticView>,
}

/// What an object will do.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Prediction"))]
pub(crate) struct PredictionView {
    /// As in `job/pi`.
    name: String,
    /// Lines, without their ends.
    lines: Vec<String>,
}

/// What a manifest comes to from `now` on; `zone` is the name of the reader's time zone.
pub(crate) fn forecast(text: &str, zone: &str, now: Timestamp) -> ManifestForecast {
    let findings = check::check(text, CheckDepth::Advice, now);
    let advice: Vec<Diagnostic> = findings.diagnostics.into_iter().filter(check::is_advice).collect();
    let reader = Zone::named(zone);
    let object = |stored: &cluster::stored::Stored| {
        let prediction = Prediction::of(stored, &Zone::utc(), now)?;
        let name = format!("{}/{}", stored.kind().name().to_lowercase(), prediction::shown_name(stored));
        Some(PredictionView { name, lines: prediction.lines(reader.as_ref(), now).iter().map(ToString::to_string).collect() })
    };
    ManifestForecast { objects: findings.stored.iter().filter_map(|stored| object(stored)).collect(), advice: repaired(text, advice) }
}

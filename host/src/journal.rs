//! What the controllers decide, as lines of a log.
//!
//! Docs: `--log-format`. What each decision means is told by the component itself.

use std::io;

use contract::Reconciled;
use tracing::Level;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::layer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// How the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A line of text for each entry.
    Text,
    /// A JSON object a line.
    Json,
}

/// Writes the log to standard error from here on: what this program says at least as gravely as a level. What it is made of is silent:
/// each failed request is told once, by who sent it.
pub fn begin(form: Form, level: Level) {
    let own = Targets::new().with_target("jobsmith", level);
    let log = layer().with_writer(io::stderr).with_ansi(false).with_target(false).with_timer(Now);
    let registry = tracing_subscriber::registry();
    match form {
        Form::Text => registry.with(log.with_filter(own)).init(),
        Form::Json => registry.with(log.json().flatten_event(true).with_span_list(false).with_filter(own)).init(),
    }
}

/// Tells the decisions of a plan: those that change something at level `info`, at `debug` those not to act and what came of single requests.
pub(crate) fn decided(Reconciled { key, plan, .. }: &Reconciled) {
    for decision in &plan.decisions {
        let (code, rule, sentence) = (&*decision.kind.code, &*decision.kind.rule, &*decision.sentence);
        if decision.kind.acts && !plan.batches.is_empty() {
            tracing::info!(job = %format_args!("{}/{}", key.namespace, key.name), code, rule, "{sentence}");
        } else {
            tracing::debug!(job = %format_args!("{}/{}", key.namespace, key.name), code, rule, "{sentence}");
        }
    }
}

/// The time in UTC, in milliseconds.
struct Now;

impl FormatTime for Now {
    fn format_time(&self, writer: &mut Writer<'_>) -> std::fmt::Result {
        write!(writer, "{:.3}", api::Timestamp::now())
    }
}

//! What the controllers decide, as lines of a log.
//!
//! Docs: `--log-format`. The kind of each decision, which the component describes, has its meaning.

use std::io;

use contract::{Plan, Role};
use tracing::Level;
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

/// The packages whose messages are logged.
const OWN: [&str; 3] = ["host_cluster", "host_embed", "jobsmith"];

/// Writes the log to standard error from here on: this program's own messages from a level up. Its libraries are silent: each failed
/// request is logged once, where it was sent.
pub fn begin(form: Form, level: Level) {
    let own = Targets::new().with_targets(OWN.map(|package| (package, level)));
    let log = layer().with_writer(io::stderr).with_ansi(false).with_target(false).with_timer(Now);
    // A filter of the whole registry is asked once for each place in the code, one of a layer for each entry.
    let registry = tracing_subscriber::registry().with(own);
    match form {
        Form::Text => registry.with(log).init(),
        Form::Json => registry.with(log.json().flatten_event(true).with_span_list(false)).init(),
    }
}

/// Logs the decisions of a plan: what is invalid at level `warn`, actions at `info` if the plan changes something, all others at `debug`.
pub(crate) fn decided(Plan { controller, object, batches, decisions, .. }: &Plan) {
    let named = format!("{}/{}", object.namespace, object.name);
    let (controller, kind, object) = (&**controller, &*object.kind, named.trim_start_matches('/'));
    for decision in decisions {
        let (code, rule, sentence) = (decision.code(), &*decision.kind.rule, &decision.sentence);
        if decision.role == Role::Invalid {
            tracing::warn!(%controller, %kind, %object, %code, %rule, "{sentence}");
        } else if decision.role == Role::Action && !batches.is_empty() {
            tracing::info!(%controller, %kind, %object, %code, %rule, "{sentence}");
        } else {
            tracing::debug!(%controller, %kind, %object, %code, %rule, "{sentence}");
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

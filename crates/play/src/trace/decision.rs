//! A decision in the JSON of a trace: what programs read, and a sentence that people can read as it is.
//!
//! Docs: `jobsmith simulate -o json`. Its times are as RFC 3339 writes them; lines have times of their own, see `transcript.rs`.

use contract::decision::TextPart;
use contract::{Decision, DecisionKind, Role, Value};
use serde::{Serialize, Serializer};

use api::Text;

#[derive(Serialize)]
struct DecisionJson<'a> {
    #[serde(flatten)]
    kind: &'a DecisionKind,
    #[serde(flatten)]
    role: Role,
    sentence: String,
    parts: &'a [TextPart],
    #[serde(serialize_with = "as_map")]
    values: &'a [(Text, Value)],
}

pub(super) fn serialize<S: Serializer>(decision: &Decision, serializer: S) -> Result<S::Ok, S::Error> {
    let Decision { kind, role, sentence, values } = decision;
    DecisionJson { kind, role: *role, sentence: sentence.to_string(), parts: &sentence.0, values }.serialize(serializer)
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn as_map<S: Serializer>(values: &&[(Text, Value)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(name, value)| (name, value)))
}

//! The configuration of the component's controllers, as the command line gives it: JSON that only the component understands.
//!
//! Docs: `crates/component/wit/controllers.wit`, `configure`. What the options of `jobsmith controller` add to it is in `controller.rs`.

use jobsmith::{Component, Guest};
use serde_json::Value;

use super::input::BadInput;
use super::output;

/// The option that configures the component.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Configure the component with this JSON, one section per controller, for example '{"job":{"limits":{"podFailureBackOff":"1s"}}}'
    #[arg(long, value_name = "JSON", value_parser = object)]
    pub(crate) config: Option<Value>,
}

impl Arguments {
    /// An instance with this configuration. What the component rejects is printed.
    pub(crate) fn guest(&self, component: &Component) -> anyhow::Result<Result<Guest, BadInput>> {
        let mut guest = Guest::new(component).map_err(anyhow::Error::msg)?;
        let configured = self.config.as_ref().map_or(Ok(()), |config| configure(&mut guest, &config.to_string()));
        Ok(configured.map(|()| guest))
    }
}

/// Configures an instance. What the component rejects is printed.
pub(crate) fn configure(guest: &mut Guest, configuration: &str) -> Result<(), BadInput> {
    guest.configure(configuration).map_err(|reason| {
        output::error(&format!("the component rejects its configuration: {reason}"));
        BadInput
    })
}

/// Puts what is configured by hand over what the options of a command add up to, member by member.
pub(crate) fn overlay(below: &mut Value, above: &Value) {
    match (below, above) {
        (Value::Object(below), Value::Object(above)) => {
            above.iter().for_each(|(name, value)| overlay(below.entry(name.clone()).or_insert(Value::Null), value));
        }
        (below, above) => *below = above.clone(),
    }
}

fn object(text: &str) -> Result<Value, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    if value.is_object() { Ok(value) } else { Err("it is not a JSON object; write {} for the defaults".to_owned()) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_configured_by_hand_is_taken_first() {
        let mut configuration = json!({"controllers": ["job"], "job": {"name": "a/b", "limits": {"syncBatchPeriod": "1s"}}});
        overlay(&mut configuration, &json!({"job": {"limits": {"apiBackOff": "2s", "syncBatchPeriod": "3s"}}, "ttl": {}}));
        let expected =
            json!({"controllers": ["job"], "job": {"name": "a/b", "limits": {"syncBatchPeriod": "3s", "apiBackOff": "2s"}}, "ttl": {}});
        assert_eq!(configuration, expected);
        assert_eq!(object("[]").unwrap_err(), "it is not a JSON object; write {} for the defaults");
    }
}

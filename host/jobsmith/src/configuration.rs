//! The configuration of the component's controllers, as the command line gives it: JSON that only the component understands.
//!
//! Docs: `crates/component/wit/controllers.wit`, `configure`. What the options of `jobsmith controller` add to it is in `on_cluster/controller.rs`.

use api::meta::Labels;
use host_embed::{Component, Guest};
use schedule::Zone;
use serde_json::{Value, json};

use super::input::BadInput;
use super::output;

/// The options that configure the component.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) fallbacks: Fallbacks,

    /// Configure the component with this JSON, one section per controller, for example '{"job":{"limits":{"podFailureBackOff":"1s"}}}'
    #[arg(long, value_name = "JSON", value_parser = object)]
    config: Option<Value>,
}

/// The options for what objects leave open: the time zone of schedules, and annotations of Jobs.
#[derive(clap::Args)]
pub(crate) struct Fallbacks {
    /// The time zone of CronJobs without spec.timeZone, by its IANA name [default: UTC]
    #[arg(long, value_name = "ZONE", value_parser = story::timetable::zone)]
    time_zone: Option<Zone>,

    #[command(flatten)]
    pub(crate) defaults: Defaults,
}

/// The option with annotations that all Jobs have.
#[derive(clap::Args)]
pub(crate) struct Defaults {
    /// An annotation for every Job that does not set that key itself, for example jobsmith.dev/retry-delay=30s; may be repeated. On a Job, an empty value turns the default off
    #[arg(long = "default", value_name = "KEY=VALUE", value_parser = annotation)]
    defaults: Vec<(String, String)>,
}

impl Arguments {
    /// An instance with this configuration. What the component rejects is printed.
    pub(crate) fn guest(&self, component: &Component) -> anyhow::Result<Result<Guest, BadInput>> {
        let mut guest = Guest::new(component).map_err(anyhow::Error::msg)?;
        let configuration = self.over(json!({}));
        let configured = if configuration == json!({}) { Ok(()) } else { configure(&mut guest, &configuration.to_string()) };
        Ok(configured.map(|()| guest))
    }

    /// Another instance with this configuration, which one took before.
    pub(crate) fn another(&self, component: &Component) -> anyhow::Result<Guest> {
        Ok(self.guest(component)?.expect("an instance took this configuration"))
    }

    /// This configuration over what the options of a command add up to.
    pub(crate) fn over(&self, mut configuration: Value) -> Value {
        self.fallbacks.add_to(&mut configuration);
        self.config.iter().for_each(|config| overlay(&mut configuration, config));
        configuration
    }

    /// The time zone that the command line names.
    pub(crate) fn named_zone(&self) -> Option<Zone> {
        self.over(json!({}))["cronjob"]["timeZone"].as_str().and_then(Zone::named)
    }

    /// The time zone of schedules without one.
    pub(crate) fn zone(&self) -> Zone {
        self.named_zone().unwrap_or_else(Zone::utc)
    }
}

impl Fallbacks {
    /// The zone, if it is given.
    #[cfg(feature = "cluster")]
    pub(crate) fn named(&self) -> Option<Zone> {
        self.time_zone.clone()
    }

    /// Configures an instance with what is given.
    pub(crate) fn configure(&self, guest: &mut Guest) -> Result<(), BadInput> {
        let mut configuration = json!({});
        self.add_to(&mut configuration);
        if configuration == json!({}) { Ok(()) } else { configure(guest, &configuration.to_string()) }
    }

    fn add_to(&self, configuration: &mut Value) {
        if let Some(zone) = &self.time_zone {
            overlay(configuration, &json!({"cronjob": {"timeZone": zone.name()}}));
        }
        self.defaults.add_to(configuration);
    }

    /// The time zone of schedules without one.
    pub(crate) fn zone(&self) -> Zone {
        self.time_zone.clone().unwrap_or_else(Zone::utc)
    }
}

impl Defaults {
    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.defaults.is_empty()
    }

    /// The annotations by their keys; of two with the same key, the last holds.
    pub(crate) fn annotations(&self) -> Labels {
        self.defaults.iter().map(|(key, value)| (key.as_str().into(), value.as_str().into())).collect()
    }

    /// Adds them to a configuration; those that it has already give way.
    pub(crate) fn add_to(&self, configuration: &mut Value) {
        if !self.is_empty() {
            overlay(configuration, &json!({"job": {"defaults": self.annotations()}}));
        }
    }
}

/// Configures an instance. What the component rejects is printed.
pub(crate) fn configure(guest: &mut Guest, configuration: &str) -> Result<(), BadInput> {
    guest.configure(configuration).map_err(|reason| {
        output::error(&format!("cannot configure the component: {reason}"));
        BadInput
    })
}

/// Puts what is configured by hand over what the options of a command add up to, member by member.
fn overlay(below: &mut Value, above: &Value) {
    match (below, above) {
        (Value::Object(below), Value::Object(above)) => {
            above.iter().for_each(|(name, value)| overlay(below.entry(name.clone()).or_insert(Value::Null), value));
        }
        (below, above) => *below = above.clone(),
    }
}

fn annotation(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("it has no value; write it as in jobsmith.dev/retry-delay=30s")?;
    Ok((key.to_owned(), value.to_owned()))
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

    fn fallbacks(defaults: &[&str]) -> Fallbacks {
        let defaults = defaults.iter().map(|text| annotation(text).unwrap()).collect();
        Fallbacks { time_zone: Zone::named("Asia/Tokyo"), defaults: Defaults { defaults } }
    }

    #[test]
    fn defaults_of_annotations_are_added_to_a_configuration() {
        let over = |config| {
            let defaults = ["a/b=1", "a/c=x=2", "a/b=3"];
            Arguments { fallbacks: fallbacks(&defaults), config: Some(config) }.over(json!({"job": {"name": "a/b"}}))["job"].clone()
        };
        assert_eq!(over(json!({})), json!({"name": "a/b", "defaults": {"a/b": "3", "a/c": "x=2"}}));
        assert_eq!(over(json!({"job": {"defaults": {"a/b": "4"}}}))["defaults"], json!({"a/b": "4", "a/c": "x=2"}));
        assert_eq!(annotation("a/b").unwrap_err(), "it has no value; write it as in jobsmith.dev/retry-delay=30s");
    }

    #[test]
    fn a_time_zone_is_configured_unless_the_configuration_has_one() {
        let arguments = |config| Arguments { fallbacks: fallbacks(&[]), config };
        let zone = |config| arguments(config).zone().name().to_owned();
        assert_eq!(arguments(None).over(json!({"cronjob": {"a": 1}})), json!({"cronjob": {"a": 1, "timeZone": "Asia/Tokyo"}}));
        assert_eq!((zone(None), zone(Some(json!({"cronjob": {"timeZone": "UTC"}})))), ("Asia/Tokyo".to_owned(), "UTC".to_owned()));
    }
}

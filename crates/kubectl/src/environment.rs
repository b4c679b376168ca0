//! The environment of a container: where variables come from, and what they are.
//!
//! Docs: Define Environment Variables for a Container; Expose Pod Information to Containers Through Environment Variables.

use std::fmt::Write as _;

use api::quantity::Quantity;
use serde_json::Value;

use crate::value::{items, text};

/// Writes the environment of a container.
pub(crate) fn write(out: &mut String, container: &Value) {
    let sources = items(&container["envFrom"]);
    if !sources.is_empty() {
        out.push_str("    Environment Variables from:\n");
    }
    for source in sources {
        write_source(out, source);
    }
    let variables = items(&container["env"]);
    out.push_str(if variables.is_empty() { "    Environment:\t<none>\n" } else { "    Environment:\n" });
    for variable in variables {
        write_variable(out, variable, container);
    }
}

fn write_source(out: &mut String, source: &Value) {
    let kinds = [("configMapRef", "ConfigMap"), ("secretRef", "Secret")];
    let Some((from, kind)) = kinds.iter().find_map(|(field, kind)| source[*field].is_object().then(|| (&source[*field], kind))) else {
        return;
    };
    let prefix = text(&source["prefix"]);
    let prefix = if prefix.is_empty() { String::new() } else { format!(" with prefix '{prefix}'") };
    let _ = writeln!(out, "      {}\t{kind}{prefix}\tOptional: {}", text(&from["name"]), from["optional"] == true);
}

fn write_variable(out: &mut String, variable: &Value, container: &Value) {
    let (name, from) = (text(&variable["name"]), &variable["valueFrom"]);
    let (field, resource, secret, config_map) =
        (&from["fieldRef"], &from["resourceFieldRef"], &from["secretKeyRef"], &from["configMapKeyRef"]);
    let of = |key: &Value, owner: &str| {
        let optional = key["optional"] == true;
        format!("<set to the key '{}' {owner} '{}'>\tOptional: {optional}", text(&key["key"]), text(&key["name"]))
    };
    let value = if from.is_null() {
        text(&variable["value"]).replace('\n', "\n      \t")
    } else if field.is_object() {
        format!(" ({}:{})", text(&field["apiVersion"]), text(&field["fieldPath"]))
    } else if resource.is_object() {
        format!("{} ({})", amount(resource, container), text(&resource["resource"]))
    } else if secret.is_object() {
        of(secret, "in secret")
    } else if config_map.is_object() {
        of(config_map, "of config map")
    } else {
        return;
    };
    let _ = writeln!(out, "      {name}:\t{value}");
}

/// How much of a resource the container has, in units of the divisor, rounded up.
fn amount(resource: &Value, container: &Value) -> String {
    let which = text(&resource["resource"]);
    let (part, name) = which.split_once('.').unwrap_or_default();
    let divisor = Quantity::of(&resource["divisor"]).filter(|divisor| divisor.worth() != "0").or_else(|| Quantity::parse("1"));
    match (Quantity::of(&container["resources"][part][name]), divisor) {
        (Some(amount), Some(divisor)) => amount.divided_by(&divisor).to_string(),
        _ if matches!(which, "limits.cpu" | "limits.memory") => "node allocatable".to_owned(),
        _ => "0".to_owned(),
    }
}

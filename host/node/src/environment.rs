//! The environment of a container's command: what it inherits from this machine, what the node sets, what the manifest sets.
//!
//! Docs: Define Environment Variables for a Container; Downward API, "Information available via fieldRef". References in values are
//! replaced in `expansion.rs`; sources that do not exist on this machine are refused in `admission.rs`.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use api::ObjectMeta;
use serde::Deserialize;

use super::expansion::expand;

/// Variables that a command needs from this machine to find programs and to speak the person's language.
///
/// Everything else that happens to be set is withheld, so that a command behaves alike in every terminal.
const LENT: [&str; 9] = ["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER"];

/// This machine, as its containers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalNode {
    /// The node's name: `spec.nodeName` of its pods.
    pub name: String,
    /// The address of the node and, as local processes share its network, of its pods.
    pub address: Ipv4Addr,
    /// Variables that every command starts with; those of the manifest win.
    pub environment: BTreeMap<String, String>,
}

impl LocalNode {
    /// This machine, under a name: at 127.0.0.1, lending `PATH`, `HOME`, `USER`, `LOGNAME`, `TMPDIR`, `TZ` and the language.
    #[must_use]
    pub fn local(name: &str) -> Self {
        let environment = LENT.into_iter().filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?))).collect();
        Self { name: name.to_owned(), address: Ipv4Addr::LOCALHOST, environment }
    }
}

/// A pod, reduced to what its containers may refer to.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Facts {
    metadata: ObjectMeta,
    spec: PodSpecPart,
    status: PodStatusPart,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PodSpecPart {
    hostname: Option<String>,
    hostname_override: Option<String>,
    service_account_name: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PodStatusPart {
    #[serde(rename = "hostIP")]
    host_ip: Option<String>,
    #[serde(rename = "podIP")]
    pod_ip: Option<String>,
}

impl Facts {
    /// The host name of the pod; a local process gets only the variable `HOSTNAME`.
    pub(super) fn hostname(&self) -> &str {
        let given = [&self.spec.hostname_override, &self.spec.hostname].into_iter().flatten().find(|name| !name.is_empty());
        given.map_or(&self.metadata.name, String::as_str)
    }

    /// The value of a `fieldRef`, or `None` if a variable cannot have it. A label or annotation that is not there is empty.
    pub(super) fn field(&self, path: &str, node: &LocalNode) -> Option<String> {
        let address = |known: &Option<String>| known.clone().filter(|known| !known.is_empty()).unwrap_or_else(|| node.address.to_string());
        Some(match path {
            "metadata.name" => self.metadata.name.to_string(),
            "metadata.namespace" => self.metadata.namespace.to_string(),
            "metadata.uid" => self.metadata.uid.to_string(),
            "spec.nodeName" => node.name.clone(),
            "spec.serviceAccountName" => self.spec.service_account_name.clone().unwrap_or_else(|| "default".to_owned()),
            "status.hostIP" | "status.hostIPs" => address(&self.status.host_ip),
            "status.podIP" | "status.podIPs" => address(&self.status.pod_ip),
            _ => {
                let (map, rest) = path.split_once("['")?;
                let key = rest.strip_suffix("']")?;
                let values = match map {
                    "metadata.labels" => &self.metadata.labels,
                    "metadata.annotations" => &self.metadata.annotations,
                    _ => return None,
                };
                values.get(key).map(ToString::to_string).unwrap_or_default()
            }
        })
    }
}

/// Whether a variable can be set from this field of the pod.
pub(super) fn is_field(path: &str) -> bool {
    Facts::default().field(path, &LocalNode { name: String::new(), address: Ipv4Addr::LOCALHOST, environment: BTreeMap::new() }).is_some()
}

/// One entry of `env`.
#[derive(Debug, Deserialize)]
pub(super) struct Variable {
    name: String,
    value: Option<String>,
    #[serde(rename = "valueFrom")]
    source: Option<EnvVarSource>,
}

#[derive(Debug, Deserialize)]
struct EnvVarSource {
    #[serde(rename = "fieldRef")]
    field: Option<FieldReference>,
}

#[derive(Debug, Deserialize)]
struct FieldReference {
    #[serde(rename = "fieldPath")]
    path: String,
}

/// The variables of a container's `env`, in order: each value may refer to those before it, and the last of one name counts.
///
/// # Errors
/// The name of a variable whose source does not exist on this machine.
pub(super) fn variables(entries: &[Variable], facts: &Facts, node: &LocalNode) -> Result<BTreeMap<String, String>, String> {
    let mut variables = BTreeMap::<String, String>::new();
    for entry in entries {
        let value = match &entry.source {
            Some(source) => source.field.as_ref().and_then(|field| facts.field(&field.path, node)).ok_or_else(|| entry.name.clone())?,
            None => expand(entry.value.as_deref().unwrap_or_default(), |name| variables.get(name).map(String::as_str)),
        };
        variables.insert(entry.name.clone(), value);
    }
    Ok(variables)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(env: serde_json::Value, expected: &[(&str, &str)]) {
        let pod = json!({
            "metadata": {"name": "pi-0-abcde", "namespace": "science", "uid": "1-2-3", "labels": {"app": "pi"}, "annotations": {"example.com/why": "because"}},
            "spec": {"hostname": "pi-0"},
        });
        let entries: Vec<Variable> = Deserialize::deserialize(env).unwrap();
        let node = LocalNode { name: "here".into(), address: [127, 0, 0, 1].into(), environment: BTreeMap::new() };
        let found = variables(&entries, &Facts::deserialize(pod).unwrap(), &node).unwrap();
        let expected: BTreeMap<String, String> = expected.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn values_refer_to_what_is_before_them() {
        check(
            json!([{"name": "A", "value": "1"}, {"name": "B", "value": "$(A)$(C)"}, {"name": "C", "value": "$(B)"}]),
            &[("A", "1"), ("B", "1$(C)"), ("C", "1$(C)")],
        );
    }

    #[test]
    fn the_last_of_one_name_counts() {
        check(json!([{"name": "A", "value": "1"}, {"name": "A", "value": "$(A)2"}, {"name": "E"}]), &[("A", "12"), ("E", "")]);
    }

    #[test]
    fn fields_of_the_pod() {
        let env: Vec<_> = [
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "metadata.labels['app']",
            "metadata.labels['none']",
            "metadata.annotations['example.com/why']",
            "spec.nodeName",
            "spec.serviceAccountName",
            "status.hostIP",
            "status.podIPs",
        ]
        .iter()
        .map(|path| json!({"name": path, "valueFrom": {"fieldRef": {"fieldPath": path}}}))
        .collect();
        check(
            json!(env),
            &[
                ("metadata.name", "pi-0-abcde"),
                ("metadata.namespace", "science"),
                ("metadata.uid", "1-2-3"),
                ("metadata.labels['app']", "pi"),
                ("metadata.labels['none']", ""),
                ("metadata.annotations['example.com/why']", "because"),
                ("spec.nodeName", "here"),
                ("spec.serviceAccountName", "default"),
                ("status.hostIP", "127.0.0.1"),
                ("status.podIPs", "127.0.0.1"),
            ],
        );
    }

    #[test]
    fn field_values_are_not_expanded_but_can_be_referred_to() {
        let pod = json!({"metadata": {"annotations": {"a": "$(X)$$"}}});
        let entries: Vec<Variable> = Deserialize::deserialize(json!([
            {"name": "X", "value": "x"},
            {"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.annotations['a']"}}},
            {"name": "B", "value": "<$(A)>"},
        ]))
        .unwrap();
        let found = variables(&entries, &Facts::deserialize(pod).unwrap(), &LocalNode::local("here")).unwrap();
        assert_eq!((&*found["A"], &*found["B"]), ("$(X)$$", "<$(X)$$>"));
    }

    #[test]
    fn fields_that_no_variable_can_have() {
        for path in [
            "metadata.labels",
            "metadata.annotations",
            "spec.restartPolicy",
            "status.phase",
            "metadata.labels[app]",
            "metadata.name['x']",
            "",
        ] {
            assert!(!is_field(path), "{path}");
        }
    }
}

//! Warnings about a pod template: what is deprecated, what comes twice, what selects nothing.
//!
//! Docs: Kubernetes API Concepts, "Field validation"; Well-Known Labels, Annotations and Taints (A-172). Containers have `containers.rs`, volumes
//! `volumes.rs`.

use std::collections::BTreeSet;

use api::meta::Labels;

use super::{containers, volumes};
use crate::pod_template::{Affinity, NodeSelectorTerm, PodSpec, PodTemplateSpec, PreferredPods};
use crate::validation::addresses;
use crate::validation::labels::value_faults;
use crate::validation::path::Path;
use crate::validation::pod_template::affinity::{PREFERRED, REQUIRED};
use crate::validation::pod_template::annotations::{APP_ARMOR_CONTAINER, SECCOMP_CONTAINER, SECCOMP_POD};

/// Labels of nodes that are deprecated, since when, and what to use instead.
const DEPRECATED_LABELS: [(&str, &str, &str); 6] = [
    ("beta.kubernetes.io/arch", "deprecated since v1.14; ", "kubernetes.io/arch"),
    ("beta.kubernetes.io/os", "deprecated since v1.14; ", "kubernetes.io/os"),
    ("failure-domain.beta.kubernetes.io/region", "deprecated since v1.17; ", "topology.kubernetes.io/region"),
    ("failure-domain.beta.kubernetes.io/zone", "deprecated since v1.17; ", "topology.kubernetes.io/zone"),
    ("beta.kubernetes.io/instance-type", "deprecated since v1.17; ", "node.kubernetes.io/instance-type"),
    ("node-role.kubernetes.io/master", "", "node-role.kubernetes.io/control-plane"),
];
/// Annotations that do nothing any more, since when, and the field to use instead.
const DEAD_ANNOTATIONS: [(&str, &str, &str); 3] = [
    ("scheduler.alpha.kubernetes.io/critical-pod", "v1.16+", "priorityClassName"),
    ("security.alpha.kubernetes.io/sysctls", "v1.11+", "sysctls"),
    ("security.alpha.kubernetes.io/unsafe-sysctls", "v1.11+", "sysctls"),
];
const NO_SELECTOR: &str = "a null labelSelector results in matching no pod";

/// Finds what to warn of in a template.
pub(super) fn warn(path: &Path, template: &PodTemplateSpec, warnings: &mut Vec<String>) {
    let (annotations, spec) = (&template.metadata.annotations, &template.spec);
    let (path, metadata) = (&path.field("spec"), path.field("metadata.annotations"));
    for label in spec.node_selector.keys() {
        if let Some(deprecation) = deprecation(label) {
            warnings.push(format!("{}: {deprecation}", path.field("nodeSelector").key(label)));
        }
    }
    about_nodes(&path.field("affinity.nodeAffinity"), &spec.affinity, warnings);
    about_spread(path, spec, warnings);
    for (annotation, since, field) in DEAD_ANNOTATIONS.iter().filter(|(annotation, ..)| annotations.contains_key(*annotation)) {
        warnings.push(format!("{}: non-functional in {since}; use the {field:?} field instead", metadata.key(annotation)));
    }
    volumes::warn(&path.field("volumes"), &spec.volumes, warnings);
    about_names(path, spec, warnings);
    containers::about_bytes(&path.field("overhead"), &spec.overhead, warnings);
    about_profiles(&metadata, annotations, spec, warnings);
    containers::warn(path, spec, warnings);
    if let Some(..0) = spec.termination_grace_period_seconds {
        let detail = "must be >= 0; negative values are invalid and will be treated as 1";
        warnings.push(format!("{}: {detail}", path.field("terminationGracePeriodSeconds")));
    }
    about_other_pods(&path.field("affinity"), &spec.affinity, warnings);
    about_addresses(path, spec, warnings);
}

/// What is wrong with a label of nodes, and which to use instead.
fn deprecation(label: &str) -> Option<String> {
    let (_, since, instead) = DEPRECATED_LABELS.iter().find(|(deprecated, ..)| *deprecated == label)?;
    Some(format!("{since}use {instead:?} instead"))
}

fn about_nodes(path: &Path, affinity: &Affinity, warnings: &mut Vec<String>) {
    let affinity = &affinity.node_affinity;
    for (at, term) in affinity.required.iter().flat_map(|selector| &selector.node_selector_terms).enumerate() {
        about_term(&path.field(REQUIRED).field("nodeSelectorTerms").index(at), term, false, warnings);
    }
    for (at, preferred) in affinity.preferred.iter().enumerate() {
        about_term(&path.field(PREFERRED).index(at).field("preference"), &preferred.preference, true, warnings);
    }
}

/// Warns of a term's labels and, where the server does not refuse them, of impossible values.
fn about_term(path: &Path, term: &NodeSelectorTerm, values: bool, warnings: &mut Vec<String>) {
    for (at, requirement) in term.match_expressions.iter().enumerate() {
        let path = path.field("matchExpressions");
        let path = path.index(at);
        if let Some(deprecation) = deprecation(&requirement.key) {
            warnings.push(format!("{}: {} is {deprecation}", path.field("key"), requirement.key));
        }
        for (at, value) in requirement.values.iter().enumerate().filter(|_| values) {
            let place = path.field("values");
            warnings.extend(value_faults(value).into_iter().map(|fault| format!("{}: {value} is invalid, {fault}", place.index(at))));
        }
    }
}

fn about_spread(path: &Path, spec: &PodSpec, warnings: &mut Vec<String>) {
    for (at, constraint) in spec.topology_spread_constraints.iter().enumerate() {
        let path = path.field("topologySpreadConstraints");
        let path = path.index(at);
        if let Some(deprecation) = deprecation(&constraint.topology_key) {
            warnings.push(format!("{}: {} is {deprecation}", path.field("topologyKey"), constraint.topology_key));
        }
        if constraint.label_selector.is_none() {
            warnings.push(format!("{}: {NO_SELECTOR}", path.field("labelSelector")));
        }
    }
}

/// Warns of addresses and secrets that are named twice, or not at all.
fn about_names(path: &Path, spec: &PodSpec, warnings: &mut Vec<String>) {
    let mut known = BTreeSet::new();
    for (at, alias) in spec.host_aliases.iter().enumerate() {
        if !known.insert(&alias.ip) {
            warnings.push(format!("{}: duplicate ip {:?}", path.field("hostAliases").index(at).field("ip"), &*alias.ip));
        }
    }
    let secrets = path.field("imagePullSecrets");
    let mut known = BTreeSet::new();
    for (at, secret) in spec.image_pull_secrets.iter().enumerate() {
        if !known.insert(&secret.name) {
            warnings.push(format!("{}: duplicate name {:?}", secrets.index(at).field("name"), &*secret.name));
        }
    }
    for (at, _) in spec.image_pull_secrets.iter().enumerate().filter(|(_, secret)| secret.name.is_empty()) {
        warnings.push(format!("{}: invalid empty name \"\"", secrets.index(at).field("name")));
    }
}

/// Warns of profiles in annotations, where no field has one.
fn about_profiles(path: &Path, annotations: &Labels, spec: &PodSpec, warnings: &mut Vec<String>) {
    const NO_SECCOMP: &str = "non-functional in v1.27+; use the \"seccompProfile\" field instead";
    const OLD_APP_ARMOR: &str = "deprecated since v1.30; use the \"appArmorProfile\" field instead";
    if annotations.contains_key(SECCOMP_POD) && spec.security_context.seccomp_profile.is_none() {
        warnings.push(format!("{}: {NO_SECCOMP}", path.key(SECCOMP_POD)));
    }
    for (_, _, container) in spec.all_containers() {
        let context = &container.security_context;
        let without_app_armor = context.app_armor_profile.is_none() && spec.security_context.app_armor_profile.is_none();
        for (prefix, without_field, detail) in
            [(SECCOMP_CONTAINER, context.seccomp_profile.is_none(), NO_SECCOMP), (APP_ARMOR_CONTAINER, without_app_armor, OLD_APP_ARMOR)]
        {
            let annotation = format!("{prefix}{}", container.name);
            if without_field && annotations.contains_key(&*annotation) {
                warnings.push(format!("{}: {detail}", path.key(&annotation)));
            }
        }
    }
}

fn about_other_pods(path: &Path, affinity: &Affinity, warnings: &mut Vec<String>) {
    for (field, affinity) in [("podAffinity", &affinity.pod_affinity), ("podAntiAffinity", &affinity.pod_anti_affinity)] {
        let path = path.field(field);
        for (at, _) in affinity.required.iter().enumerate().filter(|(_, term)| term.label_selector.is_none()) {
            warnings.push(format!("{}: {NO_SELECTOR}", path.field(REQUIRED).index(at).field("labelSelector")));
        }
        let selects = |(_, preferred): &(usize, &PreferredPods)| preferred.pod_affinity_term.label_selector.is_some();
        for (at, _) in affinity.preferred.iter().enumerate().filter(|preferred| !selects(preferred)) {
            warnings.push(format!("{}: {NO_SELECTOR}", path.field(PREFERRED).index(at).field("podAffinityTerm.labelSelector")));
        }
    }
}

fn about_addresses(path: &Path, spec: &PodSpec, warnings: &mut Vec<String>) {
    let servers = spec.dns_config.iter().flat_map(|config| &config.nameservers).enumerate();
    for (at, server) in servers {
        let path = path.field("dnsConfig.nameservers");
        warnings.extend(addresses::oddity(server).map(|oddity| format!("{}: {oddity}", path.index(at))));
    }
    for (at, alias) in spec.host_aliases.iter().enumerate() {
        let path = path.field("hostAliases");
        warnings.extend(addresses::oddity(&alias.ip).map(|oddity| format!("{}: {oddity}", path.index(at).field("ip"))));
    }
}

/// What the tests of all parts share.
#[cfg(test)]
pub(super) mod testing {
    use super::*;

    /// Checks the warnings about a template with these fields in the spec of its pod. Paths start in the pod.
    #[track_caller]
    pub(in super::super) fn check(metadata: &str, pod: &str, expected: &[&str]) {
        let template: PodTemplateSpec = api::json::from_str(&format!(r#"{{"metadata":{metadata},"spec":{{{pod}}}}}"#)).unwrap();
        let mut warnings = Vec::new();
        warn(&Path::of("t"), &template, &mut warnings);
        let texts: Vec<_> = warnings.iter().map(|warning| warning.replace("t.spec.", "")).collect();
        assert_eq!(texts, expected);
    }
}

#[cfg(test)]
mod tests {
    use super::testing::check;
    use super::*;

    #[test]
    fn a_172_labels_of_nodes_that_are_deprecated() {
        let term = r#"{"matchExpressions":[{"key":"node-role.kubernetes.io/master","operator":"Exists"}]}"#;
        check(
            "{}",
            &format!(
                r#""nodeSelector":{{"beta.kubernetes.io/os":"linux"}},"affinity":{{"nodeAffinity":{{"{REQUIRED}":{{"nodeSelectorTerms":[{term}]}},
                "{PREFERRED}":[{{"preference":{{"matchExpressions":[{{"key":"a","operator":"In","values":["{}"]}}]}}}}]}}}}"#,
                "b".repeat(64)
            ),
            &[
                r#"nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead"#,
                &format!(
                    r#"affinity.nodeAffinity.{REQUIRED}.nodeSelectorTerms[0].matchExpressions[0].key: node-role.kubernetes.io/master is use "node-role.kubernetes.io/control-plane" instead"#
                ),
                &format!(
                    "affinity.nodeAffinity.{PREFERRED}[0].preference.matchExpressions[0].values[0]: {} is invalid, must be no more than 63 bytes",
                    "b".repeat(64)
                ),
            ],
        );
    }

    #[test]
    fn a_172_selectors_that_are_missing() {
        check(
            "{}",
            &format!(
                r#""topologySpreadConstraints":[{{"topologyKey":"failure-domain.beta.kubernetes.io/zone"}}],
                "affinity":{{"podAffinity":{{"{REQUIRED}":[{{}}]}},"podAntiAffinity":{{"{PREFERRED}":[{{}}]}}}}"#
            ),
            &[
                r#"topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead"#,
                "topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod",
                &format!("affinity.podAffinity.{REQUIRED}[0].labelSelector: a null labelSelector results in matching no pod"),
                &format!(
                    "affinity.podAntiAffinity.{PREFERRED}[0].podAffinityTerm.labelSelector: a null labelSelector results in matching no pod"
                ),
            ],
        );
    }

    #[test]
    fn a_172_annotations_instead_of_fields() {
        let metadata = r#"{"annotations":{"scheduler.alpha.kubernetes.io/critical-pod":"","seccomp.security.alpha.kubernetes.io/pod":"unconfined",
            "container.apparmor.security.beta.kubernetes.io/main":"unconfined"}}"#;
        check(
            metadata,
            r#""containers":[{"name":"main"}]"#,
            &[
                r#"t.metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead"#,
                r#"t.metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead"#,
                r#"t.metadata.annotations[container.apparmor.security.beta.kubernetes.io/main]: deprecated since v1.30; use the "appArmorProfile" field instead"#,
            ],
        );
        let profile = r#"{"type":"Unconfined"}"#;
        check(
            metadata,
            &format!(r#""containers":[{{"name":"main"}}],"securityContext":{{"seccompProfile":{profile},"appArmorProfile":{profile}}}"#),
            &[
                r#"t.metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead"#,
            ],
        );
    }

    #[test]
    fn a_172_names_and_addresses() {
        check(
            "{}",
            r#""hostAliases":[{"ip":"::0001"},{"ip":"::0001"}],"imagePullSecrets":[{},{}],"overhead":{"memory":1.5},"terminationGracePeriodSeconds":-1,
                "dnsConfig":{"nameservers":["::1"]}"#,
            &[
                r#"hostAliases[1].ip: duplicate ip "::0001""#,
                r#"imagePullSecrets[1].name: duplicate name """#,
                r#"imagePullSecrets[0].name: invalid empty name """#,
                r#"imagePullSecrets[1].name: invalid empty name """#,
                r#"overhead[memory]: fractional byte value "1500m" is invalid, must be an integer"#,
                "terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
                r#"hostAliases[0].ip: IPv6 address "::0001" should be in RFC 5952 canonical format ("::1")"#,
                r#"hostAliases[1].ip: IPv6 address "::0001" should be in RFC 5952 canonical format ("::1")"#,
            ],
        );
    }
}

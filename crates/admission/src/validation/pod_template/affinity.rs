//! Affinity: which nodes and which other pods a pod is drawn to.
//!
//! Docs: Assigning Pods to Nodes, "Affinity and anti-affinity" (A-70). Tolerations and topology spread are in `scheduling.rs`.

use api::selector::Requirement;

use crate::pod_template::{Affinity, NodeAffinity, NodeSelectorTerm, PodAffinity, PodAffinityTerm};
use crate::validation::{FieldError, Path, labels, names, selector};

pub(crate) const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
pub(crate) const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

/// The only field of a node that terms may be about.
const NODE_NAME: &str = "metadata.name";

pub(super) fn check(path: &Path, affinity: &Affinity, errors: &mut Vec<FieldError>) {
    check_nodes(&path.field("nodeAffinity"), &affinity.node_affinity, errors);
    check_pods(&path.field("podAffinity"), &affinity.pod_affinity, errors);
    check_pods(&path.field("podAntiAffinity"), &affinity.pod_anti_affinity, errors);
}

fn check_nodes(path: &Path, affinity: &NodeAffinity, errors: &mut Vec<FieldError>) {
    if let Some(selector) = &affinity.required {
        let path = path.field(REQUIRED);
        let terms = path.field("nodeSelectorTerms");
        if selector.node_selector_terms.is_empty() {
            errors.push(FieldError::required(terms, "must have at least one node selector term"));
        }
        for (at, term) in selector.node_selector_terms.iter().enumerate() {
            check_term(&terms.index(at), term, false, errors);
        }
    }
    for (at, preferred) in affinity.preferred.iter().enumerate() {
        let path = path.field(PREFERRED);
        let path = path.index(at);
        check_weight(&path, preferred.weight, errors);
        // The server only warns of values that no label has.
        check_term(&path.field("preference"), &preferred.preference, true, errors);
    }
}

/// Checks a term. `any_values`: expressions may have values that no label has.
fn check_term(path: &Path, term: &NodeSelectorTerm, any_values: bool, errors: &mut Vec<FieldError>) {
    for (at, requirement) in term.match_expressions.iter().enumerate() {
        check_expression(&path.field("matchExpressions").index(at), requirement, any_values, errors);
    }
    for (at, requirement) in term.match_fields.iter().enumerate() {
        check_field(&path.field("matchFields").index(at), requirement, errors);
    }
}

fn check_expression(path: &Path, requirement: &Requirement, any_values: bool, errors: &mut Vec<FieldError>) {
    if !matches!(&*requirement.operator, "Gt" | "Lt") {
        selector::check_requirement(path, requirement, any_values, errors);
        return;
    }
    let values = path.field("values");
    if requirement.values.len() != 1 {
        errors.push(FieldError::required(values, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
    }
    labels::check_key(&path.field("key"), &requirement.key, errors);
    for (at, value) in requirement.values.iter().enumerate().filter(|_| !any_values) {
        labels::check_value(&values.index(at), value, errors);
    }
}

fn check_field(path: &Path, requirement: &Requirement, errors: &mut Vec<FieldError>) {
    let values = path.field("values");
    match &*requirement.operator {
        "In" | "NotIn" if requirement.values.len() != 1 => {
            let detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
            errors.push(FieldError::required(values, detail));
        }
        "In" | "NotIn" => (),
        other => errors.push(FieldError::invalid(path.field("operator"), other, "not a valid selector operator")),
    }
    if &*requirement.key != NODE_NAME {
        errors.push(FieldError::invalid(path.field("key"), &requirement.key, "not a valid field selector key"));
        return;
    }
    for (at, value) in requirement.values.iter().enumerate() {
        names::check_subdomain(&values.index(at), value, errors);
    }
}

fn check_pods(path: &Path, affinity: &PodAffinity, errors: &mut Vec<FieldError>) {
    for (at, term) in affinity.required.iter().enumerate() {
        check_pod_term(&path.field(REQUIRED).index(at), term, errors);
    }
    for (at, preferred) in affinity.preferred.iter().enumerate() {
        let path = path.field(PREFERRED);
        let path = path.index(at);
        check_weight(&path, preferred.weight, errors);
        check_pod_term(&path.field("podAffinityTerm"), &preferred.pod_affinity_term, errors);
    }
}

fn check_weight(path: &Path, weight: i32, errors: &mut Vec<FieldError>) {
    if !(1..=100).contains(&weight) {
        errors.push(FieldError::invalid(path.field("weight"), &weight, "must be in the range 1-100"));
    }
}

fn check_pod_term(path: &Path, term: &PodAffinityTerm, errors: &mut Vec<FieldError>) {
    for (field, chosen) in [("labelSelector", &term.label_selector), ("namespaceSelector", &term.namespace_selector)] {
        if let Some(chosen) = chosen {
            selector::check(&path.field(field), chosen, false, errors);
        }
    }
    for namespace in &term.namespaces {
        names::check_label(&path.field("namespace"), namespace, errors);
    }
    let keys = path.field("matchLabelKeys");
    check_label_keys(&keys, &term.match_label_keys, term.label_selector.is_some(), errors);
    check_label_keys(&path.field("mismatchLabelKeys"), &term.mismatch_label_keys, term.label_selector.is_some(), errors);
    for (at, key) in term.match_label_keys.iter().enumerate().filter(|(_, key)| term.mismatch_label_keys.contains(key)) {
        errors.push(FieldError::invalid(keys.index(at), key, "exists in both matchLabelKeys and mismatchLabelKeys"));
    }
    let topology = path.field("topologyKey");
    if term.topology_key.is_empty() {
        errors.push(FieldError::required(topology, "can not be empty"));
    }
    labels::check_key(&topology, &term.topology_key, errors);
}

/// Checks the keys of labels whose values come from the pod itself.
pub(super) fn check_label_keys(path: &Path, keys: &[api::Text], with_selector: bool, errors: &mut Vec<FieldError>) {
    if !keys.is_empty() && !with_selector {
        errors.push(FieldError::forbidden(path, "must not be specified when labelSelector is not set"));
        return;
    }
    for (at, key) in keys.iter().enumerate() {
        labels::check_key(&path.index(at), key, errors);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check_pod;
    use super::*;

    #[test]
    fn a_70_terms_about_nodes() {
        let required = |terms: &str| format!(r#""affinity":{{"nodeAffinity":{{"{REQUIRED}":{{"nodeSelectorTerms":[{terms}]}}}}}}"#);
        let terms = format!("affinity.nodeAffinity.{REQUIRED}.nodeSelectorTerms");
        check_pod(&required(""), &[&format!("{terms}: Required value: must have at least one node selector term")]);
        check_pod(&required("{}"), &[]);
        check_pod(
            &required(r#"{"matchExpressions":[{"key":"a","operator":"Gt"},{"key":"a","operator":"Exists","values":["b"]}]}"#),
            &[
                &format!(
                    "{terms}[0].matchExpressions[0].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'"
                ),
                &format!(
                    "{terms}[0].matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
                ),
            ],
        );
        check_pod(
            &required(r#"{"matchFields":[{"key":"metadata.uid","operator":"Exists"},{"key":"metadata.name","operator":"In"}]}"#),
            &[
                &format!(r#"{terms}[0].matchFields[0].operator: Invalid value: "Exists": not a valid selector operator"#),
                &format!(r#"{terms}[0].matchFields[0].key: Invalid value: "metadata.uid": not a valid field selector key"#),
                &format!(
                    "{terms}[0].matchFields[1].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
                ),
            ],
        );
    }

    #[test]
    fn a_70_preferences_have_a_weight_and_any_values() {
        let preference = r#"{"matchExpressions":[{"key":"a","operator":"In","values":["b c"]}]}"#;
        check_pod(
            &format!(r#""affinity":{{"nodeAffinity":{{"{PREFERRED}":[{{"preference":{preference}}}]}}}}"#),
            &[&format!("affinity.nodeAffinity.{PREFERRED}[0].weight: Invalid value: 0: must be in the range 1-100")],
        );
    }

    #[test]
    fn a_70_terms_about_pods() {
        let path = format!("affinity.podAntiAffinity.{REQUIRED}[0]");
        let required = |term: &str| format!(r#""affinity":{{"podAntiAffinity":{{"{REQUIRED}":[{term}]}}}}"#);
        check_pod(
            &required(r#"{"topologyKey":"a","namespaces":["b.c"],"matchLabelKeys":["d"]}"#),
            &[
                &format!(r#"{path}.namespace: Invalid value: "b.c": must not contain dots"#),
                &format!("{path}.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set"),
            ],
        );
        check_pod(
            &required(r#"{"topologyKey":"a","labelSelector":{},"matchLabelKeys":["d"],"mismatchLabelKeys":["d"]}"#),
            &[&format!(r#"{path}.matchLabelKeys[0]: Invalid value: "d": exists in both matchLabelKeys and mismatchLabelKeys"#)],
        );
    }
}
